"""Tests that need a GPU are collected where PyTorch sees one."""

import torch

collect_ignore = [] if torch.cuda.is_available() else ["test_torch_gpu.py"]
