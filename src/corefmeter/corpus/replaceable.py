"""Records that are changed by copying them."""

from __future__ import annotations

from copy import copy
from typing import Any, Self


class Replaceable:
    """A record with slots that can be copied with some values changed."""

    __slots__ = ()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed."""
        made = copy(self)
        for name, value in changes.items():
            setattr(made, name, value)
        return made
