"""Golden products of matrices beside NumPy, their known values and identities, and what is refused."""

import doctest
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import syntonic
from syntonic import State, golden
from syntonic.golden import Structure

PHI = (1 + math.sqrt(5)) / 2
A, B = [[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]
UNITS = {"float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53, "complex64": 2.0**-24, "complex128": 2.0**-53}
NAMES = ("int8", "int32", "int64", "uint16", *UNITS)


def weights(k: int) -> np.ndarray:
    return np.exp(-(np.arange(k) ** 2.0) / PHI)


def turned(x: np.ndarray) -> np.ndarray:
    return x.swapaxes(-1, -2)


def adjoint(x: np.ndarray) -> np.ndarray:
    return turned(x).conj()


PHASE = complex(math.cos(3 * math.pi / PHI), math.sin(3 * math.pi / PHI))
#: Each with its formula, of squares, and whether integers stay integers.
FORMULAS: dict[str, tuple[Callable[..., State], Callable[[np.ndarray, np.ndarray], np.ndarray], bool]] = {
    "mm": (golden.mm, lambda a, b: a @ b, True),
    "mm_tn": (golden.mm_tn, lambda a, b: turned(a) @ b, True),
    "mm_nt": (golden.mm_nt, lambda a, b: a @ turned(b), True),
    "mm_tt": (golden.mm_tt, lambda a, b: turned(a) @ turned(b), True),
    "mm_hn": (golden.mm_hn, lambda a, b: adjoint(a) @ b, True),
    "mm_nh": (golden.mm_nh, lambda a, b: a @ adjoint(b), True),
    "mm_add": (lambda a, b: golden.mm_add(a, b, a, alpha=2, beta=3), lambda a, b: 2 * (a @ b) + 3 * a, True),
    "mm_gemm": (
        lambda a, b: golden.mm_gemm(a, b, "adjoint", "transpose", alpha=0.5, beta=0.25, c=b),
        lambda a, b: 0.5 * (adjoint(a) @ turned(b)) + 0.25 * b,
        False,
    ),
    "mm_phi": (lambda a, b: golden.mm_phi(a, b, -4), lambda a, b: PHI**-4 * (a @ b), False),
    "phi_bracket": (golden.phi_bracket, lambda a, b: a @ b - (b @ a) / PHI, False),
    "phi_antibracket": (golden.phi_antibracket, lambda a, b: a @ b + (b @ a) / PHI, False),
    "mm_corrected": (lambda a, b: golden.mm_corrected(a, b, "G2_dim", -1), lambda a, b: (1 - golden.q / 14) * (a @ b), False),
    "mm_q_corrected": (lambda a, b: golden.mm_q_corrected(a, b, 2.5), lambda a, b: (1 + golden.q / 2.5) * (a @ b), False),
    "mm_golden_phase": (lambda a, b: golden.mm_golden_phase(a, b, 3), lambda a, b: PHASE * (a @ b), False),
    "mm_golden_weighted": (golden.mm_golden_weighted, lambda a, b: (a * weights(a.shape[-1])) @ b, False),
    "projection_sum": (lambda a, b: golden.projection_sum(b, [a, a], [2, 1]), lambda a, b: b + 3 * (a @ b), True),
}
#: Views of a State and an array alike: in order, transposed, strided, reversed, broadcast.
LAYOUTS = {
    "in order": lambda x: x[:, :6, :6],
    "transposed": lambda x: x[:, :6, :6].swapaxes(-1, -2),
    "strided": lambda x: x[:, ::2, ::3],
    "reversed": lambda x: x[:, 5::-1, 5::-1],
    "one matrix": lambda x: x[0, :6, :6],
    "one element": lambda x: x[:1, :1, :1],
    "empty": lambda x: x[:, :0, :0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(name: str, layout: str) -> None:
    run, formula, whole = FORMULAS[name]
    rng = np.random.default_rng(5)
    for dtype in NAMES:
        # Small whole numbers, exact in every type; no sum of products leaves int8.
        drawn = rng.integers(0, 2, (2, 2, 12, 18)) + 1j * (rng.integers(-1, 2, (2, 2, 12, 18)))
        a, b = (drawn if dtype.startswith("complex") else drawn.real).astype(dtype)
        got = run(LAYOUTS[layout](State(a)), LAYOUTS[layout](State(b)))
        wide = "complex128" if dtype.startswith("complex") else "float64"
        x, y = (LAYOUTS[layout](m.astype(wide)) for m in (a, b))
        want = formula(x, y)
        inexact = dtype if dtype in UNITS or whole else "float64"
        if name == "mm_golden_phase":
            inexact = "complex64" if dtype in ("float16", "float32", "complex64") else "complex128"
        assert got.dtype.name == inexact, dtype
        assert got.shape == want.shape
        if inexact not in UNITS:
            np.testing.assert_array_equal(np.asarray(got), want.astype(inexact))
            continue
        # (K + 2) u sum |A||B|, with two terms for each complex one, three products at most, and the same again for NumPy's
        # side; elements are below 2 in magnitude, and so are factors but for 3 and 2.
        k = x.shape[-1]
        limit = 8 * (2 * k + 6) * UNITS[inexact] * 5 * (2 * k + 1)
        np.testing.assert_allclose(np.asarray(got), want, rtol=0, atol=limit)


def test_known_values() -> None:
    near = {"rtol": 4e-16, "atol": 4e-16}
    bracket = [[0.14589803375031546, -1.4721359549995794], [3.381966011250105, 1.7639320225002103]]
    np.testing.assert_allclose(np.asarray(golden.phi_bracket(A, B)), bracket, rtol=0, atol=2e-15)
    more = [[3.8541019662496845, 3.4721359549995794], [4.618033988749895, 4.23606797749979]]
    np.testing.assert_allclose(np.asarray(golden.phi_antibracket(A, B)), more, **near)
    weighted = [[12.546043158136625, 14.624049323584714], [30.09208631627325, 35.24809864716943]]
    np.testing.assert_allclose(np.asarray(golden.mm_golden_weighted(A, [[5, 6], [7, 8]])), weighted, **near)
    phase = golden.mm_golden_phase([[1.0]], [[1.0]]).item()
    assert abs(phase - complex(-0.36237489008048012, 0.93203242381322762)) < 2.3e-16
    assert golden.q == 0.027395146919696147
    for name, plus, minus in (
        ("E8_dim", 1.0001104643020955, 0.9998895356979045),
        ("E8_roots", 1.0001141464454987, 0.9998858535545013),
        ("E8_positive", 1.0002282928909975, 0.9997717071090025),
        ("D4_kissing", 1.0011414644549873, 0.9988585355450127),
        ("E6_positive", 1.0007609763033249, 0.9992390236966751),
        ("G2_dim", 1.0019567962085497, 0.9980432037914503),
        ("E8_rank", 1.003424393364962, 0.996575606635038),
    ):
        assert abs(golden.factor(name) - plus) <= 2.3e-16
        assert abs(golden.factor(Structure(name), -1) - minus) <= 2.3e-16


def test_powers_are_correctly_rounded() -> None:
    """phi^n = (L_n + F_n sqrt(5))/2 with 4000 binary digits; Python rounds fractions to the nearest float."""
    one, digits = State([[1.0]]), 4000
    root = math.isqrt(5 << (2 * digits))
    lucas, following, fibonacci, next_one = 2, 1, 0, 1
    for n in range(1475):
        power = Fraction((lucas << digits) + fibonacci * root, 2 << digits)
        assert golden.mm_phi(one, one, n).item() == float(power), n
        assert golden.mm_phi(one, one, -n).item() == float(1 / power), -n
        lucas, following = following, lucas + following
        fibonacci, next_one = next_one, fibonacci + next_one
    assert golden.mm_phi(one, one, 1475).item() == math.inf
    assert golden.mm_phi(one, one, -(2**63)).item() == 0.0


def test_examples() -> None:
    run = doctest.testmod(golden)
    assert run.failed == 0
    assert run.attempted >= len(golden.__all__) - 2


def test_structures_and_levels() -> None:
    assert [(s.value, s.number) for s in Structure] == syntonic._core.golden_structures()
    levels = golden.levels()
    assert len(levels) == 58 and len({name for name, _ in levels}) == 58
    assert dict(levels)["q^2 phi"] == pytest.approx(golden.q**2 * PHI, rel=1e-15)
    values = [value for _, value in levels]
    assert values[0] == 1.0 and values[1:] == sorted(values[1:])
    assert golden.compound(["E8_dim", 3.0], [Structure.G2_RANK]) == pytest.approx(
        (1 + golden.q / 248) * (1 + golden.q / 3) * (1 - golden.q / 2), rel=1e-15
    )
    assert golden.ratio("E8_rank", 5.0) == pytest.approx((1 + golden.q / 8) / (1 + golden.q / 5), rel=1e-15)


def test_factors_of_arrays_are_those_of_their_elements() -> None:
    names = [s.value for s in Structure]
    numbers = [s.number for s in Structure]
    given: list[Any] = [names, list(Structure), numbers, np.array(numbers), np.array(names), syntonic.asarray(numbers), tuple(names)]
    for n in given:
        assert golden.deficit(n).tolist() == [golden.deficit(k) for k in numbers] == [golden.q / k for k in numbers]
        for sign in (1, -1):
            assert golden.factor(n, sign).tolist() == [golden.factor(k, sign) for k in numbers]
        assert golden.ratio(n, "E6_dim").tolist() == [golden.ratio(k, 78) for k in numbers]
        assert golden.ratio(78.5, n).tolist() == [golden.ratio(78.5, k) for k in numbers]
    square = syntonic.asarray(numbers).reshape(4, 6)
    assert golden.factor(square).shape == (4, 6) and golden.factor(square).dtype == syntonic.float64
    assert golden.factor(syntonic.asarray(248)).item() == golden.factor("E8_dim")
    assert golden.factor(square.astype("float32")).tolist() == golden.factor(square).tolist()
    made = golden.compound(square, ["E8_dim", 3.5])
    assert made.tolist() == [golden.compound(row, [248, 3.5]) for row in square.tolist()]
    assert golden.compound((), square).tolist() == [golden.compound((), row) for row in square.tolist()]
    assert golden.compound(syntonic.asarray(numbers)).item() == golden.compound(numbers) == golden.compound(names)
    with pytest.raises(syntonic.ArgumentError, match=r"N is 0.* at \[1, 0\]"):
        golden.factor([[1.0, 2.0], [0.0, float("nan")]])
    with pytest.raises(syntonic.ArgumentError, match="N is -0.027.*divisor"):
        golden.ratio([1.0], [-golden.q])
    for wrong in ([["E9_dim"]], [1j], [float("inf")], ["E8_dim", None]):
        with pytest.raises(syntonic.SyntonicError):
            golden.factor(wrong)
    # A gradient flows: d(1 + q/N)/dN = -q/N^2.
    slope = syntonic.grad(lambda n: golden.factor(n).sum())(syntonic.asarray([2.0, 4.0]))
    assert slope.tolist() == pytest.approx([-golden.q / 4, -golden.q / 16], rel=1e-15)


def test_a_summand_is_never_written_and_read_only_where_it_counts() -> None:
    c = np.full((2, 2), math.nan)
    assert golden.mm_add(A, B, c, beta=0).tolist() == [[2.0, 1.0], [4.0, 3.0]]
    assert golden.mm_gemm(A, B, beta=0.0, c=c).tolist() == [[2.0, 1.0], [4.0, 3.0]]
    assert np.isnan(c).all()
    psi = np.ones((2, 2))
    golden.projection_sum(psi, [A, A], [1, 1])
    copied = golden.projection_sum(psi, [], [])
    copied += 1
    assert (psi == 1).all()
    x = State(A)
    golden.mm_add(x, x, x, alpha=2)
    assert x.tolist() == A


def test_numbers_of_other_kinds_are_factors() -> None:
    ints = State([[1, 2], [3, 4]])
    assert golden.mm_add(ints, ints, ints, alpha=np.int32(2)).dtype.name == "int64"
    assert golden.mm_add(ints, ints, ints, alpha=np.float32(0.5)).dtype.name == "float64"
    assert golden.mm_gemm(ints, ints, alpha=np.complex64(1j)).dtype.name == "complex128"
    assert golden.mm_gemm(ints, ints, alpha=State(3)).tolist() == [[21, 30], [45, 66]]
    assert golden.mm_gemm(ints, ints, alpha=Fraction(1, 2)).tolist() == [[3.5, 5.0], [7.5, 11.0]]  # type: ignore[arg-type]
    for wrong in ([1.0], None, ints):
        with pytest.raises(TypeError, match="must be a number"):
            golden.mm_gemm(ints, ints, alpha=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"mm_add: alpha is '2'; it must be a number"):
        golden.mm_add(ints, ints, ints, alpha="2")  # type: ignore[arg-type]
    with pytest.raises(OverflowError, match="mm_add"):
        golden.mm_add(ints, ints, ints, alpha=2**64)


def test_what_does_not_fit_is_told_by_name() -> None:
    x = syntonic.ones((2, 3))
    for name, run in FORMULAS.items():
        with pytest.raises(syntonic.ShapeError, match=name):
            run[0](x, syntonic.ones((4, 5)))
        with pytest.raises(syntonic.ShapeError, match=name):
            run[0](syntonic.ones(3), syntonic.ones((3, 3)))
    truth = syntonic.ones((2, 2), dtype="bool")
    with pytest.raises(syntonic.DTypeError, match="phi_bracket"):
        golden.phi_bracket(truth, truth)
    with pytest.raises(syntonic.ShapeError, match="square"):
        golden.phi_bracket(x, x.mT)
    with pytest.raises(syntonic.ArgumentError, match="E8_dim"):
        golden.mm_corrected(A, B, "E8")
    with pytest.raises(syntonic.ArgumentError, match="sign is 0; it must be 1 or -1"):
        golden.mm_q_corrected(A, B, 3.0, 0)  # type: ignore[arg-type]
    for n in (0.0, math.nan, math.inf):
        with pytest.raises(syntonic.ArgumentError, match="N is"):
            golden.factor(n)
    with pytest.raises(syntonic.ArgumentError, match="transpose"):
        golden.mm_gemm(A, B, "turned")  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentError, match="1 projectors and 0 coefficients"):
        golden.projection_sum(A, [B], [])
