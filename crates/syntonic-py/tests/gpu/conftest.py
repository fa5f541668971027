"""What needs two GPUs is collected where there are two; tables that both devices' tests read lie beside this folder or in it."""

import sys
from pathlib import Path

from syntonic import cuda

HERE = Path(__file__).resolve().parent
if not (HERE / "calls.py").is_file():
    sys.path.append(str(HERE.parent))

TWO_GPUS = ["test_two_gpus.py", "test_two_gpus_groups.py"]

collect_ignore = [] if cuda.device_count() > 1 else TWO_GPUS
