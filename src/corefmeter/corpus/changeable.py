"""Records that are changed by making another one."""

from __future__ import annotations

from copy import copy
from typing import Any, Self


class Changeable:
    """A record with slots, of which a copy with some other values can be made."""

    __slots__ = ()

    def but(self, **changes: Any) -> Self:
        """The same with some values changed; whatever is not named stays as it is.

        Raises
        ------
        AttributeError
            For a value that there is not.
        """
        made = copy(self)
        for name, value in changes.items():
            setattr(made, name, value)
        return made
