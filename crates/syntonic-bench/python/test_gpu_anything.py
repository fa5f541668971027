"""Random programs as PyTorch is given them, with NumPy in its place."""

import types

import numpy as np
from test_gpu_peers import load

anything = load("anything", "gpu_anything.py")

PROGRAM = {
    "shape": [2, 3],
    "operands": [
        {"dtype": "float32", "low": 1.0, "high": 1.0, "axes": ["Whole", {"Behind": 1}], "order": [1, 0]},
        {"dtype": "float32", "low": 1.0, "high": 1.0, "axes": ["Repeated", "Every2nd"], "order": [0, 1]},
    ],
    "statements": [
        {"Apply": ["multiply", [{"Operand": 0}, {"Number": 0.5}]]},
        {"Fold": ["Sum", {"Earlier": 0}, [1]]},
        {"Apply": ["maximum", [{"Earlier": 1}, {"Number": 0.0}]]},
        {"Apply": ["subtract", [{"Operand": 1}, {"Earlier": 2}]]},
        {"Apply": ["pow", [{"Earlier": 3}, {"Number": 3.0}]]},
    ],
    "gradient": False,
}


def test_a_program_is_written_out() -> None:
    torch = types.SimpleNamespace(
        sum=lambda x, dim, keepdim: x.sum(axis=dim, keepdims=keepdim), clamp_min=np.maximum
    )
    x, y = np.arange(6.0).reshape(2, 3), np.array([[1.0, 2.0, 3.0]])
    got = anything.call_of(torch, PROGRAM)(x, y)
    np.testing.assert_array_equal(got, (y - np.maximum((x * 0.5).sum(1, keepdims=True), 0)) ** 3)


def test_an_operand_lies_as_it_says() -> None:
    class Array(np.ndarray):
        def permute(self, order: list[int]) -> np.ndarray:
            return self.transpose(order)

        def to(self, _: object) -> np.ndarray:
            return self

    dtype = types.SimpleNamespace(is_complex=False)
    torch = types.SimpleNamespace(float32=dtype, bool=None)
    torch.rand = lambda shape, device: np.arange(float(np.prod(shape))).reshape(shape).view(Array)
    # Four columns of two in memory, of which the first is no part.
    first = anything.operand(torch, PROGRAM["operands"][0] | {"low": 0.0, "high": 1.0}, [2, 3])
    np.testing.assert_array_equal(first, [[2.0, 4.0, 6.0], [3.0, 5.0, 7.0]])
    second = anything.operand(torch, PROGRAM["operands"][1] | {"low": 0.0, "high": 1.0}, [2, 3])
    np.testing.assert_array_equal(second, [[0.0, 2.0, 4.0]])
