"""What needs two GPUs is collected where there are two."""

from syntonic import cuda

collect_ignore = [] if cuda.device_count() > 1 else ["test_two_gpus.py"]
