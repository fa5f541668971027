"""Exact golden numbers as Python numbers, and arrays of them."""

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
from syntonic import ShapeError, exact, resonant
from syntonic.exact import GoldenArray, GoldenInt, GoldenRational, fibonacci, lucas, phi_power, snap, snap_gradient

PHI = GoldenInt(0, 1)


def test_the_ring_and_the_field() -> None:
    assert PHI * PHI == PHI + 1
    assert 1 / PHI == PHI - 1 and (1 / PHI).denominator == 1
    assert GoldenInt(-1, 2) ** 2 == 5
    assert GoldenInt(3, 4) / GoldenInt(3, 4) == 1
    assert PHI**-3 * PHI**3 == 1
    assert Fraction(1, 3) * PHI == GoldenRational(0, 1, 3) == PHI / 3
    assert (2 - PHI).norm() == 1 and PHI.trace() == 1
    assert PHI.conjugate() == 1 - PHI
    assert -GoldenRational(1, 2, 3) + GoldenRational(1, 2, 3) == 0
    assert phi_power(10) == GoldenInt(fibonacci(9), fibonacci(10))
    assert fibonacci(92) == 7540113804746346429 and lucas(90) == fibonacci(89) + fibonacci(91)
    for n in (91, 93, 200, 1000):
        assert fibonacci(n) == phi_power(n).b and lucas(n) == fibonacci(n - 1) + fibonacci(n + 1)
        assert lucas(n) ** 2 - 5 * fibonacci(n) ** 2 == 4 * (-1) ** n
    with pytest.raises(OverflowError, match="1048576 bits"):
        fibonacci(2**31)


def _floor(a: int, b: int, d: int) -> int:
    """floor((a + b phi) / d), by the integer root of 5 b^2."""
    root = math.isqrt(5 * b * b)
    return (2 * a + b + (root if b >= 0 else -root - 1)) // (2 * d)


def test_integers_beside_a_number_are_exact() -> None:
    draw = random.Random(3)
    for k in range(20_000):
        size = 2 ** (4 + k % 59)
        a, b, d = draw.randrange(-size, size), draw.randrange(-size, size), draw.randrange(1, 2 ** (1 + k % 31))
        for x, below in ((GoldenInt(a, b), 1), (GoldenRational(a, b, d), d)):
            floor = _floor(a, b, below)
            whole = b == 0 and a % below == 0
            nearest = _floor(2 * a + below, 2 * b, 2 * below) if b else round(Fraction(a, below))
            assert math.floor(x) == floor
            assert math.ceil(x) == floor + (not whole)
            assert math.trunc(x) == int(x) == (floor if x >= 0 or whole else floor + 1)
            assert round(x) == nearest
    assert [round(GoldenRational(n, 0, 2)) for n in (-3, -1, 1, 3, 5)] == [-2, 0, 0, 2, 2]
    assert round(PHI, 3) == Fraction(1618, 1000) and round(-1000 * PHI, -2) == -1600
    assert isinstance(round(PHI, 0), GoldenRational) and isinstance(round(PHI), int)
    with pytest.raises(TypeError, match="digits"):
        round(PHI, 0.5)  # type: ignore[call-overload]
    assert round(PHI, 30) == Fraction(1618033988749894848204586834366, 10**30)
    with pytest.raises(OverflowError, match="more than 1048576 bits"):
        round(PHI, 2**40)


def test_quotients_rounded_down_and_what_they_leave() -> None:
    draw = random.Random(4)
    for _ in range(3_000):
        a, b, c, d = (draw.randrange(-99, 100) for _ in range(4))
        x, y = GoldenInt(a, b), GoldenRational(c, d, draw.randrange(1, 20))
        if y == 0:
            continue
        quotient, rest = divmod(x, y)
        assert quotient == x // y == math.floor(x / y) and rest == x % y == x - quotient * y
        assert 0 <= rest < y or y < rest <= 0
    assert isinstance(7 % PHI, GoldenInt) and isinstance(7 // PHI, int) and 7 // PHI == 4
    assert divmod(Fraction(7, 2), PHI) == (2, Fraction(7, 2) - 2 * PHI)
    with pytest.raises(ZeroDivisionError):
        divmod(PHI, 0)
    with pytest.raises(TypeError):
        PHI // 1.5  # type: ignore[operator]


def test_the_order_is_exact_beside_every_kind_of_number() -> None:
    assert GoldenInt(-8, 5) > 0 > GoldenInt(5, -3) - 1
    assert PHI > Fraction(1618033988, 1000000000) and PHI < Fraction(1618033989, 1000000000)
    assert sorted([GoldenInt(2), PHI, 1, GoldenRational(1, 1, 2)]) == [1, GoldenRational(1, 1, 2), PHI, GoldenInt(2)]
    assert GoldenInt(2**63 - 1, 2**63 - 1) > 2**63 and PHI < 10**40 and PHI > -(10**40) and PHI != 10**40
    assert not GoldenInt(3) == 3.5 and GoldenInt(3) != "3"
    with pytest.raises(TypeError):
        GoldenInt(3) < "3"  # type: ignore[operator]
    assert math.floor(PHI * 10) == 16 and math.floor(-PHI) == -2 and abs(GoldenInt(1, -1)) == PHI - 1
    assert float(PHI) == (1 + 5**0.5) / 2 and bool(PHI) and not GoldenInt()


def test_equal_numbers_have_one_hash() -> None:
    assert hash(GoldenInt(7)) == hash(7) == hash(GoldenRational(7)) == hash(Fraction(7))
    assert hash(GoldenRational(1, 0, 3)) == hash(Fraction(1, 3))
    assert hash(PHI) == hash(GoldenRational(0, 2, 2)) and len({PHI, GoldenRational(0, 1), PHI + 0}) == 1


def test_numbers_travel() -> None:
    for x in (GoldenInt(3, -4), GoldenRational(1, 2, 3)):
        assert copy.deepcopy(x) == x and pickle.loads(pickle.dumps(x)) == x
        assert eval(repr(x)) == x
    array = GoldenArray([[1, 2], [3, 4]], [[0, 1], [-1, 0]])
    for same in (copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
        assert same.tolist() == array.tolist()
    assert str(GoldenInt(3, -4)) == "3 - 4φ" and str(GoldenRational(1, 2, 3)) == "(1 + 2φ)/3"


def test_what_does_not_fit_or_has_no_inverse_is_told() -> None:
    with pytest.raises(OverflowError, match="power: a coefficient has more than 1048576 bits"):
        GoldenInt(3) ** 10**9
    with pytest.raises(OverflowError, match="golden integer: a coefficient has more than"):
        GoldenInt(1 << 2**21)
    with pytest.raises(OverflowError, match=r"narrow: .*64 bits.*wide\(\)"):
        GoldenArray([1], [1]) + 2**63
    with pytest.raises(TypeError, match="integers, not"):
        GoldenInt(1.5)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError, match="divisor is zero"):
        1 / GoldenInt()
    with pytest.raises(TypeError):
        pow(PHI, 2, 3)  # type: ignore[misc]


def test_arrays_are_their_elements() -> None:
    draw = random.Random(1)
    points = [[GoldenInt(draw.randrange(-99, 99), draw.randrange(-99, 99)) for _ in range(3)] for _ in range(2)]

    def array(rows: list[list[GoldenInt]]) -> GoldenArray:
        return GoldenArray([[p.a for p in row] for row in rows], [[p.b for p in row] for row in rows])

    x = array(points)
    assert x.shape == (2, 3) and x.ndim == 2 and x.size == 6 and len(x) == 2
    assert x.tolist() == points
    assert (x + x - x).tolist() == points
    assert (x * PHI).tolist() == x.times_phi().tolist() == [[p * PHI for p in row] for row in points]
    assert x.times_phi().over_phi().tolist() == points
    assert (2 - x).tolist() == [[2 - p for p in row] for row in points]
    assert abs(x).tolist() == [[abs(p) for p in row] for row in points]
    assert (x > 0).tolist() == [[p > 0 for p in row] for row in points]
    assert (x == x).tolist() == [[True] * 3] * 2
    assert x.maximum(0).tolist() == [[max(p, GoldenInt()) for p in row] for row in points]
    assert x.norm().tolist() == [[p.norm() for p in row] for row in points]
    assert x.to_float().tolist() == [[float(p) for p in row] for row in points]
    product = x @ x.reshape((3, 2))
    flat = [p for row in points for p in row]
    want = [[sum((points[i][k] * flat[2 * k + j] for k in range(3)), GoldenInt()) for j in range(2)] for i in range(2)]
    assert product.tolist() == want
    assert repr(x.reshape(6)).startswith("GoldenArray([") and "shape=[6]" in repr(x.reshape(6))
    with pytest.raises(ShapeError, match="plus"):
        x + x.reshape(6)
    with pytest.raises(OverflowError, match=r"at \[1\]"):
        GoldenArray([0, 2**63 - 1], [0, 0]) + 1
    with pytest.raises(TypeError):
        hash(x)


def drawn(count: int, seed: int, most: int = 99) -> tuple[list[GoldenInt], GoldenArray]:
    draw = random.Random(seed)
    a, b = ([draw.randrange(-most, most) for _ in range(count)] for _ in range(2))
    return [GoldenInt(*parts) for parts in zip(a, b)], GoldenArray(a, b)


def test_arrays_are_indexed_as_those_of_numpy() -> None:
    points, x = drawn(24, 2)
    x = x.reshape((2, 3, 4))
    numbers = np.arange(24).reshape(2, 3, 4)
    mask = numbers % 5 == 1
    keys: list[Any] = [1, -1, (0, 2), (1, -2, 3), slice(None, None, -1), (slice(0, 2), slice(None, None, 2)), ..., (..., 0), None]
    keys += [(0, None, slice(3, 0, -2)), [1, 0, 1], (slice(None), [2, 0]), (slice(None), [2, 0], [1, 3]), mask, (1, mask[0]), ()]
    for key in keys:
        want = numbers[key]
        found = x[key]
        assert isinstance(found, GoldenArray) and found.shape == want.shape
        assert found.ravel().tolist() == [points[k] for k in want.ravel().tolist()]
    for bad in (2, (0, 3), (0, 0, 0, 0), [5]):
        with pytest.raises(IndexError):
            x[bad]
    assert x[1, 2, 3].item() == points[23] and [row.tolist() for row in x] == x.tolist()
    assert x.T.tolist() == [[[points[numbers[i, j, k]] for i in range(2)] for j in range(3)] for k in range(4)]
    assert x.transpose(1, 0, 2).shape == (3, 2, 4) and x.transpose().tolist() == x.T.tolist()
    assert x[:1].squeeze().shape == x[:1].squeeze(0).shape == (3, 4)
    assert (x[::-1, 1] + x[0, ::2][0]).shape == (2, 4)
    assert exact.stack([x, x], axis=-1).tolist() == [[[[p, p] for p in row] for row in rows] for rows in x.tolist()]
    assert exact.concat([x[1:], x[:1]]).tolist() == x[::-1].tolist()
    with pytest.raises(TypeError, match="sequence of GoldenArray"):
        exact.stack([x, 1])  # type: ignore[list-item]
    with pytest.raises(syntonic.ArgumentError, match="24 elements"):
        x.item()


def test_sums_and_products_are_those_of_the_numbers() -> None:
    points, flat = drawn(24, 3, 9)
    x = flat.reshape((2, 3, 4))
    numbers = np.array(points, dtype=object).reshape(2, 3, 4)
    axes: list[Any] = [None, 0, 1, -1, (0, 2), (2, 1), ()]
    for axis in axes:
        for keep in (False, True):
            want = np.sum(numbers, axis=axis, keepdims=keep)
            found = x.sum(axis=axis, keepdims=keep)
            assert found.shape == np.shape(want) and found.tolist() == (want.tolist() if np.shape(want) else want)
            if axis is not None:
                want = np.prod(numbers, axis=axis, keepdims=keep)
                found = x.prod(axis=axis, keepdims=keep)
                assert found.shape == np.shape(want) and found.tolist() == (want.tolist() if np.shape(want) else want)
    empty = x[:, :0]
    assert empty.sum(1).tolist() == [[0] * 4] * 2 and empty.prod(1).tolist() == [[1] * 4] * 2
    assert empty.sum(0).shape == (0, 4) and empty.prod().item() == 1
    # The sum of all fits, whatever is met on the way.
    most = GoldenArray([2**63 - 1, 5, -(2**63)], [0, 0, 0])
    assert most.sum().item() == 4
    with pytest.raises(OverflowError, match=r"sum.*\(at \[1\]\)"):
        exact.stack([most, most * 0 + 2**62]).sum(1)
    with pytest.raises(OverflowError, match=r"prod.*\(at \[1\]\)"):
        exact.stack([most * 0 + 1, most]).prod(1)
    with pytest.raises(syntonic.SyntonicError):
        x.sum(3)


def test_powers_and_inverses_are_those_of_the_numbers() -> None:
    points, x = drawn(50, 4, 20)
    for exponent in range(6):
        assert (x**exponent).tolist() == [p**exponent for p in points]
    units = GoldenArray([p.a for p in map(phi_power, range(-40, 41))], [p.b for p in map(phi_power, range(-40, 41))])
    assert units.inverse().tolist() == (units**-1).tolist() == units[::-1].tolist()
    assert ((-units) ** -2).tolist() == [phi_power(-2 * n) for n in range(-40, 41)]
    for bad in (2, 2**40, 0):
        with pytest.raises(syntonic.ArgumentError, match=r"inverse: a number whose norm is not 1 or -1.*\(at \[1\]\)"):
            GoldenArray([1, bad, 3], [0, 0, 0]) ** -1
    with pytest.raises(OverflowError, match=r"power.*at \[2\]"):
        GoldenArray([1, 0, 10], [0, 1, 0]) ** 20
    with pytest.raises(TypeError):
        x**0.5  # type: ignore[operator]


def test_sequences_take_arrays() -> None:
    n = np.arange(90).reshape(9, 10)
    assert fibonacci(n).tolist() == [[fibonacci(k) for k in row] for row in n.tolist()]
    assert lucas(syntonic.asarray(n)).tolist() == [[lucas(k) for k in row] for row in n.tolist()]
    assert fibonacci([1, 2, 92]).tolist() == [1, 1, fibonacci(92)]
    for wrong in (-1, 93):
        with pytest.raises(syntonic.ArgumentError, match=r"fibonacci: indices are from 0 to 92.*at \[1\]"):
            fibonacci([5, wrong])
    with pytest.raises(syntonic.DTypeError):
        lucas([1.0])


def test_divisions_and_divisors_are_those_of_the_numbers() -> None:
    points, x = drawn(300, 5)
    others, y = drawn(300, 6)
    others = [p if p != 0 else GoldenInt(1) for p in others]
    y = GoldenArray([p.a for p in others], [p.b for p in others])
    assert (x // y).tolist() == [p // q for p, q in zip(points, others)]
    assert (x % y).tolist() == [p % q for p, q in zip(points, others)]
    quotient, rest = divmod(x, y)
    assert (y * GoldenArray(quotient, quotient * 0) + rest).tolist() == points
    assert (x // PHI).tolist() == [p // PHI for p in points] and (7 % y).tolist() == [7 % q for q in others]
    assert (7 // y).tolist() == [7 // q for q in others] and divmod(7, y)[1].tolist() == (7 % y).tolist()
    assert x.gcd(y).tolist() == [p.gcd(q) for p, q in zip(points, others)]
    assert (x * y).gcd(y * PHI).tolist() == [q.gcd(0) for q in others]
    assert GoldenInt(12).gcd(18) == 6 and GoldenInt(11).gcd(GoldenInt(3, 1)) == GoldenInt(3, 1)
    assert (x[:, None] // y[:3]).shape == (300, 3)
    with pytest.raises(ZeroDivisionError, match=r"at \[1\]"):
        x[:2] % GoldenArray([1, 0], [0, 0])
    with pytest.raises(TypeError, match="gcd"):
        x.gcd(0.5)  # type: ignore[arg-type]


def test_snap_finds_known_points_and_says_what_has_none() -> None:
    points, residual = snap([math.pi, 0.5, 1 / 3, 10.0])
    assert points.tolist() == [GoldenInt(-81, 52), GoldenInt(-27, 17), GoldenInt(78, -48), GoldenInt(10)]
    assert residual.tolist() == [x - float(p) for x, p in zip([math.pi, 0.5, 1 / 3, 10.0], points.tolist())]
    moved = snap_gradient([1.5, 2.5], 4).tolist()
    assert snap_gradient([1.5, 2.5], 4, weights=[1.0, 0.5]).tolist() == [moved[0], moved[1] / 2]
    for wrong in (math.nan, math.inf, 300.0):
        with pytest.raises(syntonic.ArgumentError, match=r"snap.*\(at \[1\]\)"):
            snap([0.0, wrong])
    with pytest.raises(syntonic.SyntonicError):
        snap([1, 2])


def test_states_wake_move_and_crystallize() -> None:
    state = resonant.Crystallized([1.0, 2.0, 3.0, 4.0])
    assert state.points.tolist() == [1, 2, 3, 4] and state.bound == 100 and state.shape == (4,)
    assert state.syntony().item() == pytest.approx(0.13256967866314404, rel=1e-15)
    flux = state.wake()
    drawn = flux.differentiate(flux.syntony()).harmonize(flux.syntony())
    assert drawn.values.tolist() == pytest.approx([1, 2.562087454787366, 4.613790102205587, 7.324966343898677], rel=1e-14)
    cycled, s = state.cycle()
    assert cycled.points.tolist() == drawn.crystallize()[0].points.tolist()
    assert s.item() == cycled.syntony().item()
    stirred = [state.cycle(seed, strength=0.5)[0].points.tolist() for seed in (7, 7, 8)]
    assert stirred[0] == stirred[1] != stirred[2]
    assert state.recur().unrecur().points.tolist() == [1, 2, 3, 4]
    assert drawn.crystallize(10**6)[1] < drawn.crystallize(100)[1]
    kept = resonant.Attractors(least=0.1)
    assert kept.offer(state) and len(kept) == 1
    assert kept.blend(flux).values.tolist() == pytest.approx([1, 2, 3, 4])
    assert resonant.golden_recursion([0, 1, 2, 3, -1, 2584]).tolist() == [0, 1, 3, 4, -2, 4180]
    assert resonant.golden_recursion_inverse([0, 1, 3, 4, -2, 4180]).tolist() == [0, 1, 2, 3, -1, 2584]
    with pytest.raises(syntonic.ArgumentError, match="after 90 steps"):
        state.cycle(dwell=90)
    with pytest.raises(ShapeError, match="one squared norm"):
        resonant.Crystallized([1.0, 2.0], norms=[0.0])
