"""What all tests share."""

from __future__ import annotations

import os

# Many tests run the program as a process. Without compiled files each of them compiles the whole
# package anew, which takes longer than everything else.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
