"""Pictures of correlations between metrics: a scatter plot of every pair, and a heat map.

Each is a matplotlib Figure, made without pyplot, so that nothing is shown or kept by itself.
`save_figure` writes it in the format of the file's ending: the same scores give the same file, to
the byte, and text is text. Colors are told apart by readers who are color-blind, and by a printer
that has none.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
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

#: Endings of files, with what would make two files of the same picture differ.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    ".svg": {"Date": None, "Creator": None},
}

_SYMBOLS = {"kendall": "τ", "spearman": "ρ", "pearson": "r"}

#: The blue of Okabe and Ito's palette for all kinds of color vision.
_BLUE = "#0072B2"

#: Inches: a panel of the scatter plot, a cell of the heat map, and the least of all of them.
_PANEL, _CELL, _WHOLE = 1.45, 0.62, 4.0

#: With two metrics, up to this number of systems are named.
_NAMED = 40

#: More names, or longer ones, would cover each other: points have numbers, and a list the names.
_FEW, _SHORT = 12, 16


#: The font size of titles and axes, in points; other text is a little smaller.
FONT = 9


def require_drawable(path: str) -> None:
    """Refuse a picture that cannot be drawn, before any work is done.

    Raises
    ------
    OptionError
        When the file's ending is not .png, .pdf or .svg, or matplotlib is not installed.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in _METADATA:
        raise OptionError(f"{path}: a picture ends in {', '.join(_METADATA)}, not {ending!r}")
    require("matplotlib", "a picture", "plot")


def draw_scatter(table: ScoreTable, matrix: CorrelationMatrix) -> Figure:
    """Return the scores by each pair of metrics against each other, as Luo et al. 2014, Figure 1.

    A point is a system; with two metrics, it is labeled with its name, or with its number in a list
    of names. The title of each panel is the correlation.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    columns, rows = matrix.metrics[:-1], matrix.metrics[1:]
    size, small = len(rows), FONT - 2
    named = list(table.scores) if size == 1 and len(table.scores) <= _NAMED else []
    longest = max(map(len, named), default=0)
    is_listed = len(named) > _FEW or longest > _SHORT
    width = max(_PANEL * size, _WHOLE)
    height = width + 1.0
    if is_listed:
        height = max(height, len(named) * small / 52)
    with drawing():
        from matplotlib.figure import Figure

        list_width = 0.5 + longest * small / 110 if is_listed else 0.0
        figure: Any = Figure((width + 0.8 + list_width, height), layout="constrained")
        panels = figure.subplots(size, size, squeeze=False)
        for (i, y), (j, x) in product(enumerate(rows), enumerate(columns)):
            panel = panels[i, j]
            if j > i:
                panel.remove()
                continue
            _draw_panel(panel, table, matrix, x, y)
            panel.tick_params(
                labelsize=small, length=2, labelbottom=i == size - 1, labelleft=j == 0
            )
            if i == size - 1:
                panel.set_xlabel(_axis_label(table, x), fontsize=FONT)
            if j == 0:
                panel.set_ylabel(_axis_label(table, y), fontsize=FONT)
        heading = plain_text(caption_of(table, matrix))
        if size == 1 and heading:
            # A list of names would be next to the panel, but over a title of the figure.
            above = f"{heading}\n{panels[0, 0].get_title()}"
            panels[0, 0].set_title(above, fontsize=FONT, pad=4)
        else:
            figure.suptitle(heading, fontsize=FONT + 1)
        if named:
            x, y = matrix.metrics
            names = {system: system for system in named}
            if is_listed:
                ordered = sorted(named, key=lambda system: -table.scores[system][x])
                names = {system: str(number) for number, system in enumerate(ordered, 1)}
                _list_names(figure, names, small)
            _name_points(figure, panels[0, 0], table, names, (x, y), small)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


def _draw_panel(panel: Any, table: ScoreTable, matrix: CorrelationMatrix, x: str, y: str) -> None:
    """Draw the scores by two metrics, with their correlation as the title."""
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
    shown = f"{symbol} undefined" if value is None else f"{symbol} = {_number(value)}"
    panel.set_title(shown, fontsize=FONT - 1, pad=3)
    panel.set(xlim=_limits(table, x), ylim=_limits(table, y))
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 2.5, 5, 10]))
    panel.grid(color="0.9", linewidth=0.6, zorder=0)


def draw_heatmap(table: ScoreTable, matrix: CorrelationMatrix) -> Figure:
    """Return the matrix of correlations as colored cells with their numbers.

    Undefined correlations are hatched. The colors run from the smallest correlation to 1; where
    some are below 0, from -1 to 1 with white at 0.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    values = matrix.values()
    lowest = min((value for row in values for value in row if value is not None), default=0.0)
    names = [plain_text(title(metric)) for metric in matrix.metrics]
    size = len(names)
    with drawing():
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize
        from matplotlib.figure import Figure

        least, colors = (-1, "PuOr") if lowest < 0 else (floor(10 * lowest - 1) / 10, "Blues")
        scale: Any = ScalarMappable(Normalize(least, 1), colormaps[colors])
        width = max(_CELL * size, _WHOLE)
        figure: Any = Figure((width + 1.6, width + 0.8), layout="constrained")
        panel = figure.subplots()
        _draw_cells(panel, values, scale)
        panel.set(xlim=(0, size), ylim=(size, 0), aspect="equal")
        panel.set_xticks([k + 0.5 for k in range(size)], names, fontsize=FONT)
        panel.set_yticks([k + 0.5 for k in range(size)], names, fontsize=FONT)
        panel.tick_params(length=0)
        if max(map(len, names)) > 6:
            panel.tick_params(axis="x", rotation=45)
            for label in panel.get_xticklabels():
                label.set(ha="right", rotation_mode="anchor")
        panel.spines[:].set_visible(False)
        bar = figure.colorbar(scale, ax=panel, shrink=0.85, aspect=18, pad=0.03)
        bar.set_label(METHODS[matrix.method], fontsize=FONT)
        bar.ax.tick_params(labelsize=FONT - 1, length=2)
        bar.outline.set_visible(False)
        figure.suptitle(plain_text(caption_of(table, matrix)), fontsize=FONT + 1)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


def _draw_cells(panel: Any, values: Sequence[Sequence[float | None]], scale: Any) -> None:
    """Draw the cells of a heat map with their numbers."""
    from matplotlib.patches import Rectangle

    for (i, row), j in product(enumerate(values), range(len(values))):
        value = row[j]
        color, hatch, shown = (0.93, 0.93, 0.93, 1.0), "////", "undef."
        if value is not None:
            color, hatch, shown = scale.to_rgba(value), "", _number(value)
        panel.add_patch(
            Rectangle((j, i), 1, 1, facecolor=color, edgecolor="white", hatch=hatch or None)
        )
        panel.text(
            j + 0.5,
            i + 0.5,
            shown,
            ha="center",
            va="center",
            fontsize=FONT - 1,
            color=_readable_on(color),
        )


@contextmanager
def drawing() -> Iterator[None]:
    """Set matplotlib so that text stays text, and the same data give the same file."""
    require("matplotlib", "a picture", "plot")
    import matplotlib

    settings: Any = {
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "corefmeter",
        "hatch.color": "0.75",
    }
    with matplotlib.rc_context():
        matplotlib.rcParams.update(settings)
        yield


def _axis_label(table: ScoreTable, metric: str) -> str:
    """Return the metric, its score and unit where they are known."""
    unit = f" {SCORES[table.score]}" if table.score else ""
    name = plain_text(textwrap.fill(title(metric), 16))
    return f"{name}{unit} (%)" if table.is_fraction else f"{name}{unit}"


def _list_names(figure: Any, numbers: Mapping[str, str], font_size: float) -> None:
    """Write the legend of numbers and systems next to the panel."""
    from matplotlib.lines import Line2D

    figure.legend(
        [Line2D([], [], linestyle="none") for _ in numbers],
        [f"{number}  {plain_text(system)}" for system, number in numbers.items()],
        loc="outside right upper",
        fontsize=font_size,
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
        figure.savefig(
            stream,
            format=ending[1:],
            dpi=200,
            metadata=_METADATA[ending],
            bbox_inches="tight",
            pad_inches=0.05,
        )


def _name_points(
    figure: Any,
    panel: Any,
    table: ScoreTable,
    names: Mapping[str, str],
    metrics: tuple[str, str],
    font_size: float,
) -> None:
    """Write system names next to their points, each where nothing is covered yet.

    Places are tried in rings around the point; a name that is not next to its point gets a line.
    """
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    points = {
        system: (table.scale * values[metrics[0]], table.scale * values[metrics[1]])
        for system, values in table.scores.items()
    }
    covered = []
    for point in points.values():
        at_x, at_y = panel.transData.transform(point)
        covered.append(Bbox.from_extents(at_x - 4, at_y - 4, at_x + 4, at_y + 4))
    places = list(product((6, 14, 24, 36, 50), (direction * pi / 8 for direction in range(16))))
    for system, point in points.items():
        best = None
        for distance, angle in places:
            right, up = cos(angle), sin(angle)
            line = {"arrowstyle": "-", "color": "0.6", "linewidth": 0.5, "shrinkB": 3}
            label = panel.annotate(
                plain_text(names[system]),
                point,
                (distance * right, distance * up),
                textcoords="offset points",
                fontsize=font_size,
                ha="left" if right > 0.3 else "right" if right < -0.3 else "center",
                va="bottom" if up > 0.3 else "top" if up < -0.3 else "center",
                arrowprops=line if distance > 6 else None,
            )
            box = label.get_tightbbox()
            # What sticks out of the panel is as bad as what lies on something else.
            hidden = sum(_overlap(other, box) for other in covered)
            hidden += box.width * box.height - _overlap(box, panel.bbox)
            if best is not None and hidden >= best[0]:
                label.remove()
            else:
                if best is not None:
                    best[1].remove()
                best = hidden, label, box
            if not hidden:
                break
        if best is not None:
            covered.append(best[2])


def _overlap(one: Any, other: Any) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(width, 0) * max(height, 0))


def _limits(table: ScoreTable, metric: str) -> tuple[float, float]:
    """Return the range of a metric's scores with a margin on both sides."""
    values = [table.scale * scores[metric] for scores in table.scores.values()]
    # If all values are equal the range is theirs by 5 %, and by 1 if they are 0.
    margin = 0.1 * (max(values) - min(values)) or 0.05 * abs(values[0]) or 1.0
    return min(values) - margin, max(values) + margin


def _readable_on(color: tuple[float, ...]) -> str:
    """Return black or white, whichever has more contrast, by the luminance of WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "black" if luminance > 0.179 else "white"


def _number(value: float) -> str:
    """Return two decimals, with the minus sign that the axes have too."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def plain_text(text: str) -> str:
    """Escape a name, so that a dollar sign begins no formula and SVG has no control codes."""
    return "\n".join(map(printable, text.split("\n"))).replace("$", r"\$")
