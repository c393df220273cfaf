"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings
from hypothesis.internal.conjecture import engine

from .entry_points import use_declared
from .provoked import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

use_declared()

# Many tests run the program as a process. Without compiled files each of them compiles the whole
# package anew, which takes longer than everything else.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The quick tests try properties on a few examples. `.ci/run` asks for the profile "slow", and each
# night for "thorough".
settings.register_profile("quick", max_examples=10, deadline=None)
settings.register_profile("slow", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=200, deadline=None)
settings.load_profile("quick")

# A property that fails is shrunk for some seconds, not for the five minutes of Hypothesis.
engine.MAX_SHRINKING_SECONDS = 20
