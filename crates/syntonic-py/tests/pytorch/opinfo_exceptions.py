"""What may differ from PyTorch or be refused: each with its reason, and where the documentation says so."""

from dataclasses import dataclass

import torch

INTEGERS = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


@dataclass
class Row:
    """`kind` is `documented`, `theirs` (PyTorch is less exact), or `fault` (ours is wrong: to be mended, and the row removed)."""

    kind: str
    reason: str
    page: str
    operators: tuple
    when: object


def said(text):
    """Results that are refused or differ with this in the message."""
    return lambda dtype, found, sample: text in found.said


def differs(dtypes, text=""):
    return lambda dtype, found, sample: found.kind == "different" and dtype in dtypes and text in found.said


def fractions(dtype, found, sample):
    """A number with a fraction meets integers."""
    numbers = [*sample.args, *sample.kwargs.values(), sample.input]
    return found.kind == "different" and dtype in INTEGERS and any(isinstance(n, float) for n in numbers)


EXCEPTIONS = {
    "a number that does not fit": Row(
        "documented",
        "A Python number takes the type of the array; one that does not fit is an IntegerOverflowError as in NumPy 2, where PyTorch wraps.",
        "guides/from-numpy, What differs",
        ("add", "sub", "rsub", "arange", "index_add", "full_like", "scalar_tensor", "new_full", "full", "fill"),
        said("does not fit"),
    ),
    "a fraction with integers": Row(
        "documented",
        "Integers and a number with a fraction make float64 as in NumPy, where these operators of PyTorch cut the fraction off first.",
        "guides/from-numpy, What differs",
        ("addmm", "addmm@decomposed", "addmv", "addbmm", "baddbmm", "addr"),
        fractions,
    ),
    "an integer with bool": Row(
        "documented",
        "bool and the number 3 make int64, where addr of PyTorch stays bool.",
        "guides/from-numpy, What differs",
        ("addr",),
        differs([torch.bool], "dtype"),
    ),
    "a range of fractions in integers": Row(
        "documented",
        "Each number of the range is cut to an integer, as in NumPy; PyTorch cuts the start, too.",
        "arange",
        ("arange", "linspace"),
        fractions,
    ),
    "no half complex": Row(
        "documented",
        "There is no complex32; two float16 make complex64.",
        "complex",
        ("complex", "polar"),
        differs([torch.float16], "complex32"),
    ),
    "none times over": Row(
        "documented",
        "What is differenced is `prepend`, `x` and `append` joined, also no times; PyTorch then leaves them out.",
        "diff",
        ("diff",),
        lambda dtype, found, sample: found.kind == "different" and 0 in (*sample.args[:1], sample.kwargs.get("n", 1)),
    ),
    "truth is bool": Row(
        "documented",
        "all and any are bool for every type, as in the Array API; PyTorch's are uint8 for uint8.",
        "all, any",
        ("all", "any"),
        differs([torch.uint8], "dtype"),
    ),
    "the square of bool": Row(
        "documented",
        "bool squared is int8, as in NumPy; in PyTorch int64.",
        "guides/from-numpy: types are those that NumPy 2 has",
        ("square",),
        differs([torch.bool], "dtype"),
    ),
    "a sum of letters": Row(
        "documented",
        "einsum keeps the type, as NumPy's; PyTorch's has that of sum where nothing is multiplied.",
        "einsum",
        ("einsum",),
        differs(INTEGERS, "dtype"),
    ),
    "axes under dots": Row(
        "documented",
        "Axes under `...` stay in the result, as in NumPy; PyTorch sums them where the result does not name them.",
        "einsum",
        ("einsum",),
        said("the operands have axes under `...`"),
    ),
    "summed axes of different lengths": Row(
        "documented",
        "Summed axes have the same length, as in NumPy; PyTorch repeats those of length 1.",
        "tensordot",
        ("tensordot",),
        said("the summed axes have lengths"),
    ),
    "real numbers alone": Row(
        "documented",
        "The function is not defined for complex numbers.",
        "logaddexp, normalize",
        ("logaddexp", "nn.functional.normalize"),
        lambda dtype, found, sample: found.kind == "refused" and dtype.is_complex and "DTypeError" in found.said,
    ),
    "no halves in decompositions": Row(
        "documented",
        "Linear algebra beyond products takes float32 and float64, real or complex.",
        "linalg",
        ("matrix_exp",),
        lambda dtype, found, sample: dtype in (torch.float16, torch.bfloat16) and "DTypeError: expm" in found.said,
    ),
    "a negative eps": Row(
        "documented",
        "eps is not negative: the root would be of a negative number.",
        "layer_norm",
        ("nn.functional.layer_norm",),
        said("eps is -0.5"),
    ),
    "the sign of bool": Row(
        "documented",
        "bool has no sign, as in NumPy.",
        "sign",
        ("sign", "sgn"),
        lambda dtype, found, sample: dtype == torch.bool and "sign takes every dtype but bool" in found.said,
    ),
    "sums of bool in place": Row(
        "documented",
        "bool has no addition where positions occur often; PyTorch's is logical or.",
        "scatter_add",
        ("scatter_add", "scatter"),
        said("bool has no addition"),
    ),
    "options that are not there": Row(
        "documented",
        "embedding of PyTorch also scales rows of the table in place, which take does not.",
        "take",
        ("nn.functional.embedding",),
        said("unexpected keyword argument"),
    ),
    "the tail of the normal distribution": Row(
        "theirs",
        "PyTorch computes 1/2 + erf/2, which loses the tail: at -8 the value is 6.220960574271785e-16, ours to 14 digits, theirs 6.106e-16.",
        "erfc: exact for large x",
        ("special.ndtr",),
        lambda dtype, found, sample: found.kind == "different",
    ),
}


def excepted(name, dtype, found, sample):
    """The name of the exception that an outcome is, if it is one."""
    for title, row in EXCEPTIONS.items():
        if name in row.operators and row.when(dtype, found, sample):
            return title
    return None
