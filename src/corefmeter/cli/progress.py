"""A progress bar on a terminal, with an estimate, for what takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

#: Seconds before the bar is shown.
_WAIT = 2.0


class Progress:
    """A bar on standard error, if that is a terminal; it is called with what is done and the total.

    `label` says what is done, such as ``reading``.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.start = time.monotonic()
        self._bar: Any = None
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Update the bar; at the end, remove it."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            self._bar = click.progressbar(length=total, label=self.label, file=sys.stderr)
            self._bar.start -= time.monotonic() - self.start
        self._bar.make_step(done - self._bar.pos)
        if done >= total:
            self.clear()
        elif time.monotonic() - self.start > _WAIT:
            self._shown = True
            self._bar.render_progress()

    def clear(self) -> None:
        """Remove the bar; the next call of it is for another series."""
        if self._shown:
            # The bar has hidden the cursor.
            click.echo("\r\x1b[K\x1b[?25h", nl=False, file=sys.stderr)
        self._bar, self._shown, self.start = None, False, time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
