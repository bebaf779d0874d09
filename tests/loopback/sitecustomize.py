"""Loaded by every Python process that tests start, since this folder is on their PYTHONPATH."""

import os
import runpy
from pathlib import Path

if "LOOPBACK_GUARD_FILE" in os.environ:
    runpy.run_path(str(Path(__file__).with_name("guard.py")))["install"]()
