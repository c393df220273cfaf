"""The fixture that writes files, as for readers."""

from __future__ import annotations

from ..formats.conftest import file

__all__ = ["file"]
