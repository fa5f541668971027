"""Exact golden numbers beyond 64 bits, beside Python's integers and fractions, whose order is decided by squares."""

from __future__ import annotations

import copy
import math
import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import syntonic
from syntonic import ShapeError, exact
from syntonic.exact import GoldenArray, GoldenBigArray, GoldenInt, GoldenRational, phi_power

PHI = GoldenInt(0, 1)
Parts = tuple[int, int]


def sign(a: int | Fraction, b: int | Fraction) -> int:
    """The sign of a + b phi = ((2 a + b) + b sqrt 5) / 2, by squares."""
    p, q = 2 * a + b, b
    if p >= 0 and q >= 0 or p <= 0 and q <= 0:
        return (p > 0 or q > 0) - (p < 0 or q < 0)
    larger = p if p * p > 5 * q * q else q
    return 1 if larger > 0 else -1


def floor(a: int, b: int, d: int) -> int:
    """floor((a + b phi) / d), by the integer root of 5 b^2."""
    root = math.isqrt(5 * b * b)
    return (2 * a + b + (root if b >= 0 else -root - 1)) // (2 * d)


def number(draw: random.Random, bits: int = 300) -> Parts:
    def part() -> int:
        size = 1 << draw.randrange(bits)
        return draw.randrange(-size, size)

    return part(), part() if draw.random() > 0.1 else 0


def drawn(count: int, seed: int, bits: int = 300) -> list[tuple[Parts, Parts]]:
    draw = random.Random(seed)
    return [(number(draw, bits), number(draw, bits)) for _ in range(count)]


def times(x: Parts, y: Parts) -> Parts:
    (a, b), (c, d) = x, y
    return a * c + b * d, a * d + b * c + b * d


def test_the_ring_is_that_of_pythons_integers() -> None:
    for (a, b), (c, d) in drawn(20_000, 1):
        x, y = GoldenInt(a, b), GoldenInt(c, d)
        assert (x.a, x.b) == (a, b)
        assert x + y == GoldenInt(a + c, b + d) and x - y == GoldenInt(a - c, b - d)
        assert x * y == GoldenInt(*times((a, b), (c, d)))
        assert -x == GoldenInt(-a, -b) and x.conjugate() == GoldenInt(a + b, -b)
        assert x.norm() == a * a + a * b - b * b and x.trace() == 2 * a + b
        assert x + c == GoldenInt(a + c, b) and c * x == GoldenInt(a * c, b * c) and c - x == GoldenInt(c - a, -b)
        assert abs(x) == (x if sign(a, b) >= 0 else -x)
        assert bool(x) == ((a, b) != (0, 0))


def test_the_order_is_that_of_squares() -> None:
    for (a, b), (c, d) in drawn(20_000, 2):
        x, y, want = GoldenInt(a, b), GoldenInt(c, d), sign(a - c, b - d)
        assert ((x > y) - (x < y), x >= y, x == y) == (want, want >= 0, want == 0)
        below = abs(d) + 1
        want = sign(Fraction(a, below) - c, Fraction(b, below) - d)
        ratio = GoldenRational(a, b, below)
        assert ((ratio > y) - (ratio < y), ratio != y) == (want, want != 0)
        assert (x > c) == (sign(a - c, b) > 0) and (x < Fraction(c, below)) == (sign(a - Fraction(c, below), b) < 0)
    # As close as the lattice comes: phi^-n.
    for n in range(0, 3000, 7):
        near = phi_power(-n)
        assert near > 0 and (near.a + near.b * PHI) == near and math.floor(near + 10**50) == 10**50 + (n == 0)
    assert PHI < 10**400_000 and GoldenInt(2**1000) > -(10**400_000)


def test_integers_beside_a_number_are_exact() -> None:
    for (a, b), (c, d) in drawn(20_000, 3):
        d = abs(d) + 1
        for x, below in ((GoldenInt(a, b), 1), (GoldenRational(a, b, d), d)):
            low = floor(a, b, below)
            whole = b == 0 and a % below == 0
            nearest = floor(2 * a + below, 2 * b, 2 * below) if b else round(Fraction(a, below))
            assert math.floor(x) == low and math.ceil(x) == low + (not whole)
            assert math.trunc(x) == int(x) == (low if sign(a, b) >= 0 or whole else low + 1)
            assert round(x) == nearest
    assert [round(GoldenRational(2**70 * n + n, 0, 2)) for n in (1, 3)] == [2**69, 3 * 2**69 + 2]


def test_quotients_are_those_of_definitions() -> None:
    for (a, b), (c, d) in drawn(10_000, 4):
        x, y = GoldenInt(a, b), GoldenInt(c, d)
        if not y:
            continue
        quotient, rest = divmod(x, y)
        assert quotient == x // y and rest == x % y
        left = (a - quotient * c, b - quotient * d)
        assert (rest.a, rest.b) == left
        assert sign(*left) in (0, sign(c, d)) and sign(c - left[0], d - left[1]) == sign(c, d)
        ratio = x / y
        assert ratio * y == x and math.floor(ratio) == quotient
    assert isinstance(2**99 % PHI, GoldenInt) and isinstance(2**99 // PHI, int)
    assert divmod(Fraction(2**99, 3), PHI)[0] == floor(-(2**99), 2**99, 3)


def test_fractions_have_their_field() -> None:
    for (a, b), (c, d) in drawn(2_000, 5, 120):
        x, y = GoldenRational(a, b, abs(c) + 1), GoldenRational(c, d, abs(b) + 1)
        p, q = (Fraction(a, abs(c) + 1), Fraction(b, abs(c) + 1)), (Fraction(c, abs(b) + 1), Fraction(d, abs(b) + 1))

        def parts(z: GoldenRational) -> tuple[Fraction, Fraction]:
            return Fraction(z.numerator.a, z.denominator), Fraction(z.numerator.b, z.denominator)

        assert parts(x) == p and parts(y) == q
        assert parts(x + y) == (p[0] + q[0], p[1] + q[1]) and parts(x - y) == (p[0] - q[0], p[1] - q[1])
        assert parts(x * y) == (p[0] * q[0] + p[1] * q[1], p[0] * q[1] + p[1] * q[0] + p[1] * q[1])
        if y:
            assert (x / y) * y == x and y**-2 * y**2 == 1
        assert hash(x) == hash(GoldenRational(2 * a, 2 * b, 2 * abs(c) + 2))
        assert math.gcd(x.denominator, x.numerator.a, x.numerator.b) == 1


def test_powers_and_divisors() -> None:
    low, high = 1, 0
    for n in range(400):
        assert phi_power(n) == PHI**n == GoldenInt(low, high) and phi_power(n) * phi_power(-n) == 1
        low, high = high, low + high
    for (a, b), (c, d) in drawn(100, 6, 90):
        x, y, common = GoldenInt(a, b), GoldenInt(c, d), GoldenInt(3, 1) ** 40
        assert x**3 == x * x * x
        assert (x * common).gcd(y * common) == (x.gcd(y) * common).gcd(0)
    assert GoldenInt(6 * 10**40).gcd(4 * 10**40) == 2 * 10**40
    assert GoldenInt(-1) ** (2**62 + 1) == -1 and GoldenInt(1) ** -(2**62) == 1


def test_doubles_are_near_and_what_is_beyond_is_told() -> None:
    for (a, b), _ in drawn(3_000, 7, 900):
        value = float(GoldenInt(a, b))
        # The number is within half of the last place, or of seven for 64 bits, of its double.
        error = Fraction(math.ulp(value)) * (Fraction(1, 2) if max(abs(a), abs(b)) >= 2**63 else 7)
        assert sign(a - Fraction(value) - error, b) <= 0 <= sign(a - Fraction(value) + error, b)
    assert float(GoldenInt(2**1023)) == 2.0**1023 and float(phi_power(-1500)) == pytest.approx(4.8e-314, rel=0.02)
    with pytest.raises(OverflowError, match="beyond all doubles"):
        float(GoldenInt(2**1024))


def test_numbers_grow_shrink_and_travel() -> None:
    most = GoldenInt(2**63 - 1)
    assert (most + 1).a == 2**63 and (most + 1 - 1) == most and hash(most + 1 - 1) == hash(2**63 - 1)
    assert hash(most + 1) == hash(2**63) == hash(GoldenRational(2**63)) == hash(Fraction(2**63))
    x = most + PHI * 2**70
    assert hash(x) == hash(GoldenRational(x)) == hash(GoldenRational(3 * x.a, 3 * x.b, 3)) and len({x, x + 0, x / 1}) == 1
    for y in (x, x / 7, GoldenRational(1, 2, 2**80)):
        assert copy.deepcopy(y) == y and pickle.loads(pickle.dumps(y)) == y and eval(repr(y)) == y
    assert str(GoldenInt(2**70, -1)) == f"{2**70} - 1φ" and str(GoldenRational(1, 2, 2**70)) == f"(1 + 2φ)/{2**70}"
    for array in (GoldenBigArray([[1, x], [PHI, 0]]), GoldenBigArray(x), GoldenBigArray([[1, 2]])[:, :0]):
        for same in (copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
            assert same.shape == array.shape and same.tolist() == array.tolist()
    # Nothing is too long to be shown.
    assert len(repr(GoldenInt(10**10_000))) > 10_000


def test_what_is_too_large_or_has_no_quotient_is_told() -> None:
    large = "more than 1048576 bits"
    for work in (
        lambda: GoldenInt(3) ** 10**9,
        lambda: PHI ** -(10**9),
        lambda: PHI ** 10**30,
        lambda: phi_power(10**12),
        lambda: GoldenRational(1, 1, 3) ** -(10**9),
        lambda: GoldenInt(2**1_000_000) * 2**1_000_000,
        lambda: GoldenInt(1 << 2**21),
        lambda: PHI + (1 << 2**21),
        lambda: GoldenBigArray([2]) ** 10**12,
    ):
        with pytest.raises(OverflowError, match=large):
            work()
    x = GoldenInt(2**70, 1)
    for divide in (lambda: x / 0, lambda: x // 0, lambda: x % GoldenInt(), lambda: divmod(x, 0), lambda: GoldenInt() ** -1):
        with pytest.raises(ZeroDivisionError):
            divide()
    with pytest.raises(TypeError):
        x + 0.5  # type: ignore[operator]
    with pytest.raises(TypeError):
        x**0.5  # type: ignore[operator]
    with pytest.raises(TypeError):
        x.gcd(0.5)  # type: ignore[arg-type]


def arrays(seed: int, shape: tuple[int, ...], bits: int = 200) -> tuple[Any, GoldenBigArray]:
    """An array of GoldenInt by NumPy, and the same."""
    draw = random.Random(seed)
    numbers = np.empty(math.prod(shape), dtype=object)
    numbers[:] = [GoldenInt(*number(draw, bits)) for _ in range(math.prod(shape))]
    numbers = numbers.reshape(shape)
    return numbers, GoldenBigArray(numbers.tolist())


def test_arrays_are_their_elements() -> None:
    numbers, x = arrays(1, (2, 3, 4))
    others, y = arrays(2, (3, 1))
    others[others == 0] = GoldenInt(1)
    y = GoldenBigArray(others.tolist())
    assert x.shape == (2, 3, 4) and x.ndim == 3 and x.size == 24 and len(x) == 2 and x.tolist() == numbers.tolist()
    assert (x + y).tolist() == (numbers + others).tolist() and (x - y).tolist() == (numbers - others).tolist()
    assert (x * y).tolist() == (numbers * others).tolist() and (x // y).tolist() == (numbers // others).tolist()
    assert (x % y).tolist() == (numbers % others).tolist() and (x**3).tolist() == (numbers**3).tolist()
    quotient, rest = divmod(x, y)
    assert quotient.tolist() == (x // y).tolist() and (quotient * y + rest).tolist() == numbers.tolist()
    assert (2**70 - x).tolist() == (2**70 - numbers).tolist() and (x * PHI).tolist() == x.times_phi().tolist()
    assert (7 // y).tolist() == (7 // others).tolist() and (7 % y).tolist() == (7 % others).tolist()
    assert divmod(7, y)[1].tolist() == (7 % y).tolist() and x.times_phi().over_phi().tolist() == numbers.tolist()

    def each(of: Any) -> list[Any]:
        return [[[of(p) for p in row] for row in rows] for rows in numbers.tolist()]

    assert (-x).tolist() == each(lambda p: -p) and abs(x).tolist() == each(abs)
    assert x.floor().tolist() == each(math.floor) and x.ceil().tolist() == each(math.ceil) and x.round().tolist() == each(round)
    assert x.norm().tolist() == each(GoldenInt.norm) and x.conjugate().tolist() == each(GoldenInt.conjugate)
    assert x.a == each(lambda p: p.a) and x.b == each(lambda p: p.b)
    assert x.gcd(y).tolist() == [[[p.gcd(q[0]) for p in row] for row, q in zip(rows, others.tolist())] for rows in numbers.tolist()]
    assert (x > y).tolist() == (numbers > others).tolist() and (x == x).tolist() == each(lambda p: True)
    assert (x >= 0).tolist() == each(lambda p: p >= 0) and x.maximum(0).tolist() == each(lambda p: max(p, GoldenInt()))
    assert x.minimum(x.conjugate()).tolist() == each(lambda p: min(p, p.conjugate()))
    assert x.to_float().tolist() == pytest.approx(np.array(each(float)), rel=1e-15)
    assert (x @ x.transpose(0, 2, 1)).shape == (2, 3, 3)
    assert (x[0] @ x[1].T).tolist() == (numbers[0] @ numbers[1].T).tolist()
    assert repr(x[0, 0]).startswith("GoldenBigArray([") and repr(x) != repr(x * 10**5000) == "GoldenBigArray(shape=[2, 3, 4])"


def test_arrays_are_indexed_folded_and_joined_as_those_of_numpy() -> None:
    numbers, x = arrays(3, (2, 3, 4))
    mask = np.arange(24).reshape(2, 3, 4) % 5 == 1
    keys: list[Any] = [1, (0, 2), (1, -2, 3), slice(None, None, -1), (slice(0, 2), slice(None, None, 2)), ..., None]
    keys += [[1, 0, 1], (slice(None), [2, 0], [1, 3]), mask, ()]
    for key in keys:
        want, found = numbers[key], x[key]
        assert isinstance(found, GoldenBigArray) and found.shape == np.shape(want)
        assert found.tolist() == (want.tolist() if np.shape(want) else want)
    for bad in (2, (0, 3), (0, 0, 0, 0), [5]):
        with pytest.raises(IndexError):
            x[bad]
    assert x[1, 2, 3].item() == numbers[1, 2, 3] and [row.tolist() for row in x] == x.tolist()
    assert x.T.tolist() == numbers.T.tolist() and x.transpose(1, 0, 2).tolist() == numbers.transpose(1, 0, 2).tolist()
    assert x.reshape((4, -1)).tolist() == numbers.reshape(4, -1).tolist() and x[:1].squeeze().shape == (3, 4)
    assert x.ravel().tolist() == numbers.ravel().tolist()
    for axis in (None, 0, -1, (0, 2)):
        for keep in (False, True):
            want = np.sum(numbers, axis=axis, keepdims=keep)
            found = x.sum(axis=axis, keepdims=keep)
            assert found.tolist() == (want.tolist() if np.shape(want) else want)
    assert x.prod(1).tolist() == np.prod(numbers, axis=1).tolist()
    empty = x[:, :0]
    assert empty.sum(1).tolist() == [[0] * 4] * 2 and empty.prod().item() == 1 and empty.tolist() == [[], []]
    assert exact.stack([x, x], axis=-1).tolist() == np.stack([numbers, numbers], axis=-1).tolist()
    small = GoldenArray([[1] * 4] * 3, [[2] * 4] * 3)
    both = exact.concat([x[0], small])
    assert isinstance(both, GoldenBigArray) and both[3:].narrow().tolist() == small.tolist()


def test_arrays_widen_and_narrow() -> None:
    x = GoldenArray([[2**63 - 1, -5], [7, 0]], [[0, 3], [-1, 2]])
    with pytest.raises(OverflowError, match=r"wide\(\).*\(at \[0, 0\]\)"):
        x + x
    doubled = x.wide() + x
    assert doubled.tolist() == (x + x.wide()).tolist() == [[p + p for p in row] for row in x.tolist()]
    with pytest.raises(OverflowError, match=r"narrow: .*\(at \[0, 0\]\)"):
        doubled.narrow()
    halved = doubled // 2
    assert isinstance(halved, GoldenBigArray) and (doubled - x).narrow().tolist() == x.tolist()
    assert (x == x.wide()).tolist() == (x.wide() == x).tolist() == [[True, True], [True, True]]
    assert (x @ x.wide()).tolist() == (x.wide() @ x).tolist()
    units = GoldenArray([1, 0], [1, 1]).wide()
    assert (units**500 * units**-500).tolist() == [1, 1] and (units * units.inverse()).narrow().tolist() == [1, 1]
    assert GoldenBigArray(x).tolist() == x.tolist() and GoldenBigArray(2**70).item() == 2**70
    assert GoldenBigArray([[], []]).shape == (2, 0)


def test_wrong_arrays_are_told() -> None:
    x = GoldenBigArray([[1, 2], [0, 2**70]])
    for wrong in (lambda: x + GoldenBigArray([1, 2, 3]), lambda: x @ GoldenBigArray([[1, 2, 3]]), lambda: x.reshape((3, -1))):
        with pytest.raises(ShapeError):
            wrong()
    for uneven in ([1, [2]], [[1], 2], [[1, 2], [3]], [[], 1]):
        with pytest.raises(ShapeError, match="one length"):
            GoldenBigArray(uneven)
    nested: list[Any] = []
    nested.append(nested)
    for no_numbers in (0.5, "12", [1, "2"], nested, [PHI / 2], None):
        with pytest.raises(TypeError, match="GoldenBigArray"):
            GoldenBigArray(no_numbers)
    with pytest.raises(ZeroDivisionError, match=r"at \[1, 0\]"):
        x // x
    with pytest.raises(ZeroDivisionError, match=r"at \[0, 0\]"):
        x % 0
    with pytest.raises(syntonic.ArgumentError, match=r"inverse: .*norm is not 1 or -1.*at \[0, 1\]"):
        x.inverse()
    with pytest.raises(syntonic.ArgumentError, match=r"inverse"):
        x**-1
    with pytest.raises(OverflowError, match=r"power: .*1048576 bits.*at \[0, 1\]"):
        x**10**9
    with pytest.raises(TypeError):
        x + 0.5  # type: ignore[operator]
    with pytest.raises(TypeError):
        divmod(x, "a")  # type: ignore[operator]
    with pytest.raises(TypeError, match="gcd"):
        x.gcd(0.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        hash(x)
    with pytest.raises(syntonic.ArgumentError, match="4 elements"):
        x.item()
    with pytest.raises(TypeError):
        exact.stack([x, 1])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        pow(x, 2, 3)  # type: ignore[misc]
