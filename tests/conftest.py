"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

from .provoked import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

# Many tests run the program as a process. Without compiled files each of them compiles the whole
# package anew, which takes longer than everything else.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The quick tests try properties on fewer examples; .ci/run asks for the profile "thorough".
settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("thorough", max_examples=100, deadline=None)
settings.load_profile("quick")
