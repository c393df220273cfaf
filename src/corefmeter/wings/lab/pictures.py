"""Pictures of correlations between metrics: a scatter plot of every pair, and a heat map.

Each is a matplotlib Figure, made without pyplot, so that nothing is shown or kept in memory.
`save_figure` writes it in the format of the file's ending. The same scores give the same bytes, and
text stays text. The colors can be distinguished by color-blind readers and in print without colors.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from math import cos, floor, pi, sin
from typing import TYPE_CHECKING, Any

from corefmeter.formats.output import open_output
from corefmeter.problems import OptionError, printable, require
from corefmeter.wings.lab.correlation import METHODS, CorrelationMatrix
from corefmeter.wings.lab.report_correlation import caption_of
from corefmeter.wings.lab.score_table import SCORES, ScoreTable, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Endings of files, with the metadata to leave out because they would differ between two runs.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    ".svg": {"Date": None, "Creator": None},
}

_SYMBOLS = {"kendall": "τ", "spearman": "ρ", "pearson": "r"}

#: The blue of Okabe and Ito's palette for all kinds of color vision.
_BLUE = "#0072B2"

#: Inches: a panel of the scatter plot, a cell of the heat map, and the least width of a picture.
_PANEL, _CELL, _WHOLE = 1.45, 0.62, 4.0

#: With two metrics, the points of up to this number of systems are named.
_NAMED = 40

#: More names, or longer ones, are listed next to the panel, and points get numbers.
_FEW, _SHORT = 12, 16

#: The font size of titles and axes, in points; other text is a little smaller.
FONT = 9
_SMALL = FONT - 2

#: How far labels may be from their points, in pixels of the screen.
_RINGS = (8, 19, 33, 50, 69)


def require_drawable(path: str) -> None:
    """Refuse a picture that cannot be drawn, before any work is done.

    Raises
    ------
    OptionError
        When the file's ending is not .png, .pdf or .svg, or matplotlib is not installed.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in _METADATA:
        raise OptionError(f"{path}: a picture must end in {', '.join(_METADATA)}, not {ending!r}")
    require("matplotlib", "a picture", "plot")


def draw_scatter(table: ScoreTable, matrix: CorrelationMatrix) -> Figure:
    """Plot the scores by each pair of metrics against each other, as Luo et al. 2014, Figure 1.

    A point is a system; with two metrics, it is labeled with its name, or with its number in a list
    of names. The title of each panel is the correlation.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    x_metrics, y_metrics = matrix.metrics[:-1], matrix.metrics[1:]
    size = len(y_metrics)
    names = list(table.scores) if size == 1 and len(table.scores) <= _NAMED else []
    longest = max(map(len, names), default=0)
    is_listed = len(names) > _FEW or longest > _SHORT
    width = max(_PANEL * size, _WHOLE)
    height = width + 1.0
    list_width = 0.0
    if is_listed:
        list_width = 0.5 + longest * _SMALL / 110
        height = max(height, len(names) * _SMALL / 52)
    with drawing():
        from matplotlib.figure import Figure

        figure: Any = Figure((width + 0.8 + list_width, height), layout="constrained")
        panels = figure.subplots(size, size, squeeze=False)
        for (i, y), (j, x) in product(enumerate(y_metrics), enumerate(x_metrics)):
            if j > i:
                panels[i, j].remove()
            else:
                _draw_panel(panels[i, j], table, matrix, x, y)
        heading = plain_text(caption_of(table, matrix))
        if size == 1:
            # A list of names would be next to the panel, but over a title of the figure.
            (panel,) = panels.flat
            panel.set_title(f"{heading}\n{panel.get_title()}", fontsize=FONT, pad=4)
        else:
            figure.suptitle(heading, fontsize=FONT + 1)
        if names:
            labels = dict(zip(names, names, strict=True))
            if is_listed:
                names.sort(key=lambda system: -table.scores[system][x_metrics[0]])
                labels = {system: str(number) for number, system in enumerate(names, 1)}
                _list_names(figure, labels)
            _label_points(figure, panels[0, 0], table, matrix.metrics, labels)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


def _draw_panel(panel: Any, table: ScoreTable, matrix: CorrelationMatrix, x: str, y: str) -> None:
    """Plot the scores by two metrics, with their correlation as the title."""
    from matplotlib.ticker import MaxNLocator

    panel.scatter(
        [table.scale * values[x] for values in table.scores.values()],
        [table.scale * values[y] for values in table.scores.values()],
        s=20,
        color=_BLUE,
        alpha=0.75,
        edgecolors="white",
        linewidths=0.5,
        zorder=2,
    )
    value, symbol = matrix[x, y].value, _SYMBOLS[matrix.method]
    coefficient = f"{symbol} undefined" if value is None else f"{symbol} = {_format(value)}"
    panel.set_title(coefficient, fontsize=FONT - 1, pad=3)
    panel.set(xlim=_limits(table, x), ylim=_limits(table, y))
    for axis, metric in ((panel.xaxis, x), (panel.yaxis, y)):
        axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 2.5, 5, 10]))
        axis.set_label_text(_axis_label(table, metric), fontsize=FONT)
    panel.tick_params(labelsize=_SMALL, length=2)
    panel.label_outer()
    panel.grid(color="0.9", linewidth=0.6, zorder=0)


def draw_heatmap(table: ScoreTable, matrix: CorrelationMatrix) -> Figure:
    """Return the matrix of correlations as colored cells with their numbers.

    Undefined correlations are hatched. The colors run from the smallest correlation to 1; if some
    are below 0, from -1 to 1 with white at 0.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    names = [plain_text(title(metric)) for metric in matrix.metrics]
    size = len(names)
    width = max(_CELL * size, _WHOLE)
    with drawing():
        from matplotlib.figure import Figure

        figure: Any = Figure((width + 1.6, width + 0.8), layout="constrained")
        panel = figure.subplots()
        cells = _draw_cells(panel, matrix.values())
        panel.set(xlim=(0, size), ylim=(size, 0), aspect="equal")
        panel.set_xticks([k + 0.5 for k in range(size)], names, fontsize=FONT)
        panel.set_yticks([k + 0.5 for k in range(size)], names, fontsize=FONT)
        panel.tick_params(length=0)
        if max(map(len, names)) > 6:
            panel.tick_params(axis="x", rotation=45)
            for label in panel.get_xticklabels():
                label.set(ha="right", rotation_mode="anchor")
        panel.spines[:].set_visible(False)
        bar = figure.colorbar(cells, ax=panel, shrink=0.85, aspect=18, pad=0.03)
        bar.set_label(METHODS[matrix.method], fontsize=FONT)
        bar.ax.tick_params(labelsize=FONT - 1, length=2)
        bar.outline.set_visible(False)
        figure.suptitle(plain_text(caption_of(table, matrix)), fontsize=FONT + 1)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


def _draw_cells(panel: Any, values: list[list[float | None]]) -> Any:
    import numpy as np

    numbers = np.ma.masked_invalid(np.array(values, dtype=float))
    lowest = float(numbers.min()) if numbers.count() else 0.0
    least, colors = (-1, "PuOr") if lowest < 0 else (floor(10 * lowest - 1) / 10, "Blues")
    # Undefined cells are left out, so that the panel below is seen.
    panel.patch.set(facecolor="0.93", edgecolor="0.75", linewidth=0, hatch="////")
    cells = panel.pcolormesh(numbers, cmap=colors, vmin=least, vmax=1, edgecolors="white")
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            color, text = "black", "undef."
            if value is not None:
                color, text = _readable_on(cells.to_rgba(value)), _format(value)
            at = {"ha": "center", "va": "center", "fontsize": FONT - 1}
            panel.text(j + 0.5, i + 0.5, text, color=color, **at)
    return cells


@contextmanager
def drawing() -> Iterator[None]:
    """Configure matplotlib so that text stays text, and the same data give the same file."""
    require("matplotlib", "a picture", "plot")
    import matplotlib

    settings: Any = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "corefmeter"}
    settings |= {"savefig.dpi": 200, "savefig.bbox": "tight", "savefig.pad_inches": 0.05}
    with matplotlib.rc_context(settings):
        yield


def _axis_label(table: ScoreTable, metric: str) -> str:
    """Return the metric with its score and unit, if these are known."""
    unit = f" {SCORES[table.score]}" if table.score else ""
    name = plain_text(textwrap.fill(title(metric), 16))
    return f"{name}{unit} (%)" if table.is_fraction else f"{name}{unit}"


def _list_names(figure: Any, numbers: Mapping[str, str]) -> None:
    """Write the legend of numbers and systems next to the panel."""
    from matplotlib.lines import Line2D

    figure.legend(
        [Line2D([], [], linestyle="none") for _ in numbers],
        [f"{number}  {plain_text(system)}" for system, number in numbers.items()],
        loc="outside right upper",
        fontsize=_SMALL,
        frameon=False,
        handlelength=0,
        handletextpad=0,
        labelspacing=0.25,
    )


def save_figure(figure: Any, path: str) -> None:
    """Write a figure in the format of the file's ending; see `require_drawable`."""
    require_drawable(path)
    ending = os.path.splitext(path)[1].lower()
    with drawing(), open_output(path, binary=True) as stream:
        figure.savefig(stream, format=ending[1:], metadata=_METADATA[ending])


def _label_points(
    figure: Any, panel: Any, table: ScoreTable, metrics: tuple[str, ...], labels: Mapping[str, str]
) -> None:
    """Write a label next to each point, at the place where it hides least.

    Places are tried in rings around the point; a label beyond the first ring gets a line.
    """
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    points = {
        system: panel.transData.transform([table.scale * values[metric] for metric in metrics])
        for system, values in table.scores.items()
    }
    covered = [Bbox.from_bounds(x - 4, y - 4, 8, 8) for x, y in points.values()]

    def hidden(box: Any) -> float:
        """Return the area of a label that is outside of the panel or over something else."""
        outside: float = box.width * box.height - _overlap(box, panel.bbox)
        return outside + sum(_overlap(box, other) for other in covered)

    line = {"arrowstyle": "-", "color": "0.6", "linewidth": 0.5, "shrinkB": 3}
    for system, (x, y) in points.items():
        point = panel.transData.inverted().transform((x, y))
        style = {"ha": "center", "va": "center", "fontsize": _SMALL, "textcoords": "offset points"}
        label = panel.annotate(plain_text(labels[system]), point, (0, 0), **style)
        width, height = label.get_window_extent().size
        boxes = {}
        for distance, direction in product(_RINGS, range(16)):
            right = cos(direction * pi / 8) * (distance + width / 2)
            up = sin(direction * pi / 8) * (distance + height / 2)
            box = Bbox.from_bounds(x + right - width / 2, y + up - height / 2, width, height)
            boxes[distance, right, up] = box
        distance, right, up = best = min(boxes, key=lambda place: hidden(boxes[place]))
        covered.append(boxes[best])
        label.xyann = right * 72 / figure.dpi, up * 72 / figure.dpi
        if distance > _RINGS[0]:
            panel.annotate("", point, label.xyann, textcoords="offset points", arrowprops=line)


def _overlap(box: Any, other: Any) -> float:
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return float(max(width, 0) * max(height, 0))


def _limits(table: ScoreTable, metric: str) -> tuple[float, float]:
    """Return the range of a metric's scores with a margin on both sides."""
    values = [table.scale * scores[metric] for scores in table.scores.values()]
    # If all values are equal, the margin is 5 % of them, or 1 if they are 0.
    margin = 0.1 * (max(values) - min(values)) or 0.05 * abs(values[0]) or 1.0
    return min(values) - margin, max(values) + margin


def _readable_on(color: tuple[float, ...]) -> str:
    """Return black or white, whichever has more contrast, by the luminance of WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "black" if luminance > 0.179 else "white"


def _format(value: float) -> str:
    """Format a number with two decimals, and with the minus sign that the axes have too."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def plain_text(text: str) -> str:
    """Escape a name, so that a dollar sign starts no formula and SVG has no control codes."""
    return "\n".join(map(printable, text.split("\n"))).replace("$", r"\$")
