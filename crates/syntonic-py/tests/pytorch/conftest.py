"""Tests that need a GPU are collected where PyTorch sees one, its database of operators where it opens: it needs `expecttest`."""

from importlib.util import find_spec

import torch

collect_ignore = [] if torch.cuda.is_available() else ["test_torch_gpu.py"]
collect_ignore += [] if find_spec("expecttest") else ["test_torch_opinfo.py"]
