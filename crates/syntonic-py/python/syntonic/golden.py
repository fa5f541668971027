"""Products of matrices with the golden ratio in them, and the correction factors 1 +- q/N.

All take stacks of matrices, `[.., m, k]` and `[.., k, n]`, whose leading axes broadcast, of every numeric dtype, on one
device. Dtypes promote as everywhere; a factor that is no integer makes float64 of integers, which wrap where all factors are
integers. Transposed and strided operands are read as they lie, a factor is part of the product, and a sum of products is
added up in the memory of its first.

float16 and bfloat16 are multiplied in float32, factors included, and every product is rounded when it is complete: brackets
and sums of projections round once for each of their products.

Every product raises ShapeError where an operand has fewer than two axes, the inner lengths differ or the leading axes do
not broadcast, DTypeError where all operands are bool, and DeviceError where they are on different devices.
"""

from __future__ import annotations

from enum import StrEnum

from syntonic import _core
from syntonic._products import bmm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal, TypeAlias, overload

    from syntonic._core import State
    from syntonic._typing import ArrayLike, Number

    _Op: TypeAlias = Literal["none", "transpose", "adjoint"]
    _Sign: TypeAlias = Literal[1, -1]
    _Numbers: TypeAlias = State | list[Any] | tuple[Any, ...]

__all__ = [
    "Structure",
    "bmm",
    "compound",
    "deficit",
    "factor",
    "levels",
    "mm",
    "mm_add",
    "mm_corrected",
    "mm_gemm",
    "mm_golden_phase",
    "mm_golden_weighted",
    "mm_hn",
    "mm_nh",
    "mm_nt",
    "mm_phi",
    "mm_q_corrected",
    "mm_tn",
    "mm_tt",
    "phi_antibracket",
    "phi_bracket",
    "projection_sum",
    "q",
    "ratio",
]

q: float = _core.Q
"""The deficit q = (2 phi + e/(2 phi^2)) / (phi^4 (e^pi - pi)), 0.0273951469..."""


class Structure(StrEnum):
    """A structure of a Lie algebra or its lattice with a number N.

    >>> Structure.E8_ROOTS.number
    240
    """

    E8_DIM = "E8_dim"
    E8_ROOTS = "E8_roots"
    E8_POSITIVE = "E8_positive"
    E8_COXETER = "E8_coxeter"
    E8_RANK = "E8_rank"
    E7_DIM = "E7_dim"
    E7_ROOTS = "E7_roots"
    E7_POSITIVE = "E7_positive"
    E7_FUNDAMENTAL = "E7_fundamental"
    E7_COXETER = "E7_coxeter"
    E7_RANK = "E7_rank"
    E6_DIM = "E6_dim"
    E6_ROOTS = "E6_roots"
    E6_POSITIVE = "E6_positive"
    E6_FUNDAMENTAL = "E6_fundamental"
    E6_COXETER = "E6_coxeter"
    E6_RANK = "E6_rank"
    F4_DIM = "F4_dim"
    D4_ADJOINT = "D4_adjoint"
    D4_KISSING = "D4_kissing"
    D4_RANK = "D4_rank"
    G2_DIM = "G2_dim"
    G2_ROOTS = "G2_roots"
    G2_RANK = "G2_rank"

    @property
    def number(self) -> int:
        """The number N."""
        return dict(_core.golden_structures())[self.value]


def _several(n: object) -> bool:
    """Whether these are several numbers, or a State, and not one number or name."""
    return isinstance(n, (list, tuple, _core.State)) or (not isinstance(n, (str, float, int)) and getattr(n, "ndim", 0) > 0)


def _numbers(n: Any) -> Any:
    """The numbers N of structures by name, nested as they are; what holds no names stays."""
    if isinstance(n, str):
        return _core.golden_number(n)
    if isinstance(n, (list, tuple)):
        return [_numbers(item) for item in n]
    # NumPy's arrays of text or of objects.
    return _numbers(n.tolist()) if getattr(getattr(n, "dtype", None), "kind", "f") in "UO" else n


if TYPE_CHECKING:

    @overload
    def deficit(n: Structure | str | float) -> float: ...
    @overload
    def deficit(n: _Numbers) -> State: ...


def deficit(n: Any) -> float | State:
    """The deficit q/N, with `n` as of `factor`, or of each element of an array of them.

    >>> deficit(1) == q
    True
    """
    return _core.golden_deficits(_numbers(n)) if _several(n) else _core.golden_deficit(n)


if TYPE_CHECKING:

    @overload
    def factor(n: Structure | str | float, sign: _Sign = 1) -> float: ...
    @overload
    def factor(n: _Numbers, sign: _Sign = 1) -> State: ...


def factor(n: Any, sign: _Sign = 1) -> float | State:
    """1 + q/N for `sign` 1, 1 - q/N for -1; `n` is a structure, its name, or any number but 0.

    Of an array of them each has its factor, with the same bits: `[..] -> [..]`, float64, on the device of a State.

    ArgumentError for a name that is none, another sign, and a number that is 0 or not finite.

    >>> factor("E8_dim")
    1.0001104643020955
    >>> factor(["E8_dim", 120]).tolist() == [factor("E8_dim"), factor(120)]
    True
    """
    return _core.golden_factors(_numbers(n), sign) if _several(n) else _core.golden_factor(n, sign)


if TYPE_CHECKING:

    @overload
    def compound(plus: State, minus: State | Iterable[Structure | str | float] = ()) -> State: ...
    @overload
    def compound(plus: Iterable[Structure | str | float] = (), minus: Iterable[Structure | str | float] = ()) -> float: ...


def compound(plus: Any = (), minus: Any = ()) -> float | State:
    """The product of all 1 + q/N of `plus` and all 1 - q/N of `minus`; 1 where there are none. Errors as `factor`.

    Where one of them is a State, it is along the last axes: `[.., i], [.., j] -> [..]`, whose leading axes broadcast, float64.

    >>> compound(["E8_dim"]) == factor("E8_dim")
    True
    >>> compound(_core.asarray([[248], [120]]), ["E8_rank"]).shape
    (2,)
    """
    if isinstance(plus, _core.State) or isinstance(minus, _core.State):
        return _core.golden_compounds(_numbers(plus), _numbers(minus))
    return _core.golden_compound(plus, minus)


if TYPE_CHECKING:

    @overload
    def ratio(a: Structure | str | float, b: Structure | str | float) -> float: ...
    @overload
    def ratio(a: _Numbers, b: Structure | str | float | _Numbers) -> State: ...
    @overload
    def ratio(a: Structure | str | float, b: _Numbers) -> State: ...


def ratio(a: Any, b: Any) -> float | State:
    """(1 + q/N_a) / (1 + q/N_b), of each element where one is an array; they broadcast. Errors as `factor`, and where the divisor is 0.

    >>> ratio(248, "E8_dim")
    1.0
    >>> ratio(["E8_dim", "E7_dim"], "E6_dim").shape
    (2,)
    """
    if _several(a) or _several(b):
        return _core.golden_ratios(_numbers(a), _numbers(b))
    return _core.golden_ratio(a, b)


def levels() -> list[tuple[str, float]]:
    """The 58 levels of correction by number, each with its name and value: 1, then from q^3 on upward to q phi^5.

    >>> levels()[17][0]
    'q^2'
    """
    return _core.golden_levels()


def mm(a: ArrayLike, b: ArrayLike) -> State:
    """AB: `[.., m, k], [.., k, n] -> [.., m, n]`, in the common dtype. Errors as of every product here.

    >>> mm([[1, 2], [3, 4]], [[0, 1], [1, 0]]).tolist()
    [[2, 1], [4, 3]]
    """
    return _core.mm(a, b)


def mm_add(a: ArrayLike, b: ArrayLike, c: ArrayLike, *, alpha: Number = 1, beta: Number = 1) -> State:
    """alpha AB + beta C, where C broadcasts to the product: `[.., m, k], [.., k, n], C -> [.., m, n]`.

    With `beta` 0, C is not read: NaN and infinities in it do not matter. Factors raise the kind of the dtype, never its
    width. Errors as of every product here, ShapeError where C does not broadcast, and OverflowError where an integer type
    cannot hold a factor.

    >>> mm_add([[1, 2], [3, 4]], [[0, 1], [1, 0]], [10, 20], alpha=2).tolist()
    [[14, 22], [18, 26]]
    """
    return _core.mm_add(a, b, c, alpha, beta)


def mm_tn(a: ArrayLike, b: ArrayLike) -> State:
    """The transpose of A times B: `[.., k, m], [.., k, n] -> [.., m, n]`. Dtype and errors as `mm`.

    >>> mm_tn([[1, 2, 3]], [[4, 5]]).tolist()
    [[4, 5], [8, 10], [12, 15]]
    """
    return _core.mm_tn(a, b)


def mm_nt(a: ArrayLike, b: ArrayLike) -> State:
    """A times the transpose of B: `[.., m, k], [.., n, k] -> [.., m, n]`. Dtype and errors as `mm`.

    >>> mm_nt([[1, 2, 3]], [[4, 5, 6]]).tolist()
    [[32]]
    """
    return _core.mm_nt(a, b)


def mm_tt(a: ArrayLike, b: ArrayLike) -> State:
    """The product of both transposes: `[.., k, m], [.., n, k] -> [.., m, n]`. Dtype and errors as `mm`.

    >>> mm_tt([[1], [2]], [[3, 4]]).tolist()
    [[11]]
    """
    return _core.mm_tt(a, b)


def mm_hn(a: ArrayLike, b: ArrayLike) -> State:
    """The adjoint of A, its transpose conjugated, times B: `[.., k, m], [.., k, n] -> [.., m, n]`. Dtype and errors as `mm`.

    >>> mm_hn([[1j]], [[1j]]).tolist()
    [[(1+0j)]]
    """
    return _core.mm_hn(a, b)


def mm_nh(a: ArrayLike, b: ArrayLike) -> State:
    """A times the adjoint of B: `[.., m, k], [.., n, k] -> [.., m, n]`. Dtype and errors as `mm`.

    >>> mm_nh([[2]], [[1j]]).tolist()
    [[-2j]]
    """
    return _core.mm_nh(a, b)


def mm_gemm(
    a: ArrayLike,
    b: ArrayLike,
    op_a: _Op = "none",
    op_b: _Op = "none",
    *,
    alpha: Number = 1,
    beta: Number = 1,
    c: ArrayLike | None = None,
) -> State:
    """alpha op_a(A) op_b(B), plus beta C where C is given: one product. An op is "none", "transpose" or "adjoint".

    Shapes are those of `mm` after the ops. C, the factors and the errors are those of `mm_add`; ArgumentError for another op, and for a
    `beta` but 0 or 1 without a C.

    >>> mm_gemm([[1, 2]], [[3, 4]], "transpose", alpha=10).tolist()
    [[30, 40], [60, 80]]
    """
    return _core.mm_gemm(a, b, op_a, op_b, alpha, beta, c)


def mm_phi(a: ArrayLike, b: ArrayLike, n: int = 1) -> State:
    """phi^n AB for any whole n: `[.., m, k], [.., k, n] -> [.., m, n]`. Integers become float64.

    The factor is correctly rounded; it is infinite from n = 1475 on, from 185 on in float32, and zeros of AB are then NaN.
    Errors as of every product here.

    >>> mm_phi([[1.0]], [[1.0]], 10).item()
    122.99186938124421
    """
    return _core.mm_phi(a, b, n)


def phi_bracket(a: ArrayLike, b: ArrayLike) -> State:
    """The phi-commutator AB - BA/phi of square matrices: `[.., n, n], [.., n, n] -> [.., n, n]`. Integers become float64.

    Two products and nothing else. Errors as of every product here, and ShapeError where the matrices are not square.

    >>> phi_bracket([[2.0]], [[0.5]]).item()
    0.3819660112501051
    """
    return _core.phi_bracket(a, b)


def phi_antibracket(a: ArrayLike, b: ArrayLike) -> State:
    """AB + BA/phi; otherwise as `phi_bracket`.

    >>> phi_antibracket([[2.0]], [[0.5]]).item()
    1.618033988749895
    """
    return _core.phi_antibracket(a, b)


def mm_corrected(a: ArrayLike, b: ArrayLike, structure: Structure | str, sign: _Sign = 1) -> State:
    """(1 + q/N) AB, or (1 - q/N) AB for `sign` -1, with the N of a structure: `[.., m, k], [.., k, n] -> [.., m, n]`.

    One product. Integers become float64. Errors as of every product here, and ArgumentError as `factor`.

    >>> mm_corrected([[1.0]], [[1.0]], Structure.E8_RANK).item()
    1.003424393364962
    """
    return _core.mm_corrected(a, b, structure, sign)


def mm_q_corrected(a: ArrayLike, b: ArrayLike, n: float, sign: _Sign = 1) -> State:
    """As `mm_corrected` with any number N but 0.

    >>> mm_q_corrected([[1.0]], [[1.0]], 8.0, -1).item() == factor(8.0, -1)
    True
    """
    return _core.mm_q_corrected(a, b, n, sign)


def mm_golden_phase(a: ArrayLike, b: ArrayLike, n: int = 1) -> State:
    """e^(i pi n/phi) AB, complex: `[.., m, k], [.., k, n] -> [.., m, n]`.

    Half types and float32 give complex64, float64 and integers complex128. Errors as of every product here.

    >>> mm_golden_phase([[1.0]], [[1.0]], 0).item()
    (1+0j)
    """
    return _core.mm_golden_phase(a, b, n)


def mm_golden_weighted(a: ArrayLike, b: ArrayLike) -> State:
    """C_ij = sum over k of A_ik e^(-k^2/phi) B_kj, k from 0: `[.., m, k], [.., k, n] -> [.., m, n]`. Integers become float64.

    Weights from k = 13 on are 0 in float32, which half types are computed in, and from 35 on in float64: what they meet is
    not read, so that NaN and infinities there do not matter. Errors as of every product here.

    >>> mm_golden_weighted([[3.0]], [[2.0]]).item()
    6.0
    """
    return _core.mm_golden_weighted(a, b)


def projection_sum(psi: ArrayLike, projectors: Sequence[ArrayLike], coefficients: Sequence[Number]) -> State:
    """psi + sum of coefficients[k] projectors[k] psi: psi `[.., m, n]`, projectors `[.., m, m]`, `-> [.., m, n]`.

    One product for each projector; a copy of psi without any. Factors raise the kind of the dtype. Errors as of every
    product here, ShapeError where a projector is not square, and ArgumentError where the numbers of projectors and
    coefficients differ.

    >>> projection_sum([[1.0], [2.0]], [[[1.0, 0.0], [0.0, 0.0]]], [3]).tolist()
    [[4.0], [2.0]]
    """
    return _core.projection_sum(psi, projectors, coefficients)
