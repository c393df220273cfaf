"""Draw the pictures of the README from what the program prints: ``python docs/images/make.py``."""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
#: Size of a character cell and of the margin, in pixels.
WIDTH, HEIGHT, MARGIN = 8.43, 19, 18


def picture(command: list[str], lines: int | None = None) -> str:
    """The command and what it prints, as SVG."""
    shown = subprocess.run(
        [sys.executable, "-m", "corefmeter", *command],
        capture_output=True, check=True, cwd=EXAMPLES, text=True, encoding="utf-8",
    ).stdout.splitlines()[:lines]  # fmt: skip
    rows = [f"$ corefmeter {' '.join(command)}", "", *shown]
    width = MARGIN * 2 + WIDTH * max(map(len, rows))
    height = MARGIN * 2 + HEIGHT * len(rows)
    text = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * (i + 0.8):.1f}" '
        f'fill="{"#8fd18f" if i == 0 else "#e6e6e6"}">{escape(row)}</text>'
        for i, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{escape(rows[0])}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1d232b"/>\n'
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
        f'xml:space="preserve">\n{text}\n</g>\n</svg>\n'
    )


def main() -> None:
    """Write every picture."""
    score = picture(["score", "key.conll", "system-a.conll", "system-b.conll"], 13)
    (HERE / "score.svg").write_text(score, encoding="utf-8")


if __name__ == "__main__":
    main()
