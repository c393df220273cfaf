"""Pictures of correlations between metrics: a scatter plot of every pair, and a heat map.

Each is a matplotlib Figure, made without pyplot, so that nothing is shown or kept by itself.
`save_figure` writes it in the format of the file's ending: the same scores give the same file, to
the byte, and text is text. Colours are told apart by readers who are colour-blind, and by a printer
that has none.
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

#: Endings of files, with what would make two files of the same picture differ.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    ".svg": {"Date": None, "Creator": None},
}

_SYMBOLS = {"kendall": "τ", "spearman": "ρ", "pearson": "r"}

#: The blue of Okabe and Ito's palette for all kinds of colour vision.
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

    A point is a system; with two metrics, its name or its number in a list of names stands beside
    it. Above each panel stands the correlation.

    Parameters
    ----------
    table
        The scores.
    matrix
        Their correlations; its metrics are drawn.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    columns, rows = matrix.metrics[:-1], matrix.metrics[1:]
    size, font = len(rows), FONT
    with drawing():
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator

        width = max(_PANEL * size, _WHOLE)
        named = list(table.scores) if size == 1 and len(table.scores) <= _NAMED else []
        listed = len(named) > _FEW or max(map(len, named), default=0) > _SHORT
        tall = max(width + 1.0, len(named) * (font - 2) / 52) if listed else width + 1.0
        wide = width + 0.8 + listed * (0.5 + max(map(len, named), default=0) * (font - 2) / 110)
        figure: Any = Figure((wide, tall), layout="constrained")
        panels = figure.subplots(size, size, squeeze=False)
        for i, y in enumerate(rows):
            for j, x in enumerate(columns):
                panel = panels[i, j]
                if j > i:
                    panel.remove()
                    continue
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
                panel.set_title(_coefficient(matrix, x, y), fontsize=font - 1, pad=3)
                panel.set_xlim(_limits(table, x))
                panel.set_ylim(_limits(table, y))
                panel.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 2.5, 5, 10]))
                panel.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 2.5, 5, 10]))
                panel.grid(color="0.9", linewidth=0.6, zorder=0)
                panel.tick_params(
                    labelsize=font - 2, length=2, labelbottom=i == size - 1, labelleft=j == 0
                )
                if i == size - 1:
                    panel.set_xlabel(_axis(table, x), fontsize=font)
                if j == 0:
                    panel.set_ylabel(_axis(table, y), fontsize=font)
        heading = plain_text(caption_of(table, matrix))
        if size == 1 and heading:
            # A list of names would be next to the panel, but over a title of the figure.
            above = f"{heading}\n{panels[0, 0].get_title()}"
            panels[0, 0].set_title(above, fontsize=font, pad=4)
        else:
            figure.suptitle(heading, fontsize=font + 1)
        if named:
            x, y = matrix.metrics
            names = {system: system for system in named}
            if listed:
                ordered = sorted(named, key=lambda system: -table.scores[system][x])
                names = {system: str(number) for number, system in enumerate(ordered, 1)}
                _list_names(figure, names, font - 2)
            _name_points(figure, panels[0, 0], table, names, (x, y), font - 2)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


def draw_heatmap(table: ScoreTable, matrix: CorrelationMatrix) -> Figure:
    """Return the matrix of correlations as coloured cells with their numbers.

    Undefined correlations are hatched. The colours run from the smallest correlation to 1; where
    some are below 0, from -1 to 1 with white at 0.

    Parameters
    ----------
    table
        The scores.
    matrix
        Their correlations.

    Raises
    ------
    OptionError
        When matplotlib is not installed.
    """
    values = matrix.values()
    defined = [value for row in values for value in row if value is not None]
    names = [plain_text(title(metric)) for metric in matrix.metrics]
    size = len(names)
    font = FONT
    with drawing():
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle

        lowest = min(defined, default=0.0)
        scale: Any
        if lowest < 0:
            scale = ScalarMappable(Normalize(-1, 1), colormaps["PuOr"])
        else:
            scale = ScalarMappable(Normalize(floor(10 * lowest - 1) / 10, 1), colormaps["Blues"])
        width = max(_CELL * size, _WHOLE)
        figure: Any = Figure((width + 1.6, width + 0.8), layout="constrained")
        panel = figure.subplots()
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                colour = (0.93, 0.93, 0.93, 1.0) if value is None else scale.to_rgba(value)
                hatch = "////" if value is None else None
                panel.add_patch(
                    Rectangle((j, i), 1, 1, facecolor=colour, edgecolor="white", hatch=hatch)
                )
                panel.text(
                    j + 0.5,
                    i + 0.5,
                    "undef." if value is None else _number(value),
                    ha="center",
                    va="center",
                    fontsize=font - 1,
                    color=_readable_on(colour),
                )
        panel.set(xlim=(0, size), ylim=(size, 0), aspect="equal")
        panel.set_xticks([k + 0.5 for k in range(size)], names, fontsize=font)
        panel.set_yticks([k + 0.5 for k in range(size)], names, fontsize=font)
        panel.tick_params(length=0)
        if max(map(len, names)) > 6:
            panel.tick_params(axis="x", rotation=45)
            for label in panel.get_xticklabels():
                label.set(ha="right", rotation_mode="anchor")
        panel.spines[:].set_visible(False)
        bar = figure.colorbar(scale, ax=panel, shrink=0.85, aspect=18, pad=0.03)
        bar.set_label(METHODS[matrix.method], fontsize=font)
        bar.ax.tick_params(labelsize=font - 1, length=2)
        bar.outline.set_visible(False)
        figure.suptitle(plain_text(caption_of(table, matrix)), fontsize=font + 1)
        return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types


@contextmanager
def drawing() -> Iterator[None]:
    """Settings that make text in a picture text, and two pictures of the same data the same."""
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


def _axis(table: ScoreTable, metric: str) -> str:
    """Return the metric, its score and unit where they are known."""
    unit = f" {SCORES[table.score]}" if table.score else ""
    return _wrapped(title(metric)) + unit + " (%)" * table.is_fraction


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
    """Write a figure in the format of the file's ending.

    Raises
    ------
    OptionError
        As `require_drawable`.
    DataError
        When the file cannot be written.
    """
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
    for system, point in points.items():
        best = None
        for distance, direction in product((6, 14, 24, 36, 50), range(16)):
            angle = direction * pi / 8
            right, up = cos(angle), sin(angle)
            label = panel.annotate(
                plain_text(names[system]),
                point,
                (distance * right, distance * up),
                textcoords="offset points",
                fontsize=font_size,
                ha="left" if right > 0.3 else "right" if right < -0.3 else "center",
                va="bottom" if up > 0.3 else "top" if up < -0.3 else "center",
                arrowprops={"arrowstyle": "-", "color": "0.6", "linewidth": 0.5, "shrinkB": 3}
                if distance > 6
                else None,
            )
            box = label.get_tightbbox()
            hidden = sum(map(_overlap, covered, [box] * len(covered)))
            # What sticks out of the panel is as bad as what lies on something else.
            hidden += box.width * box.height - _overlap(box, panel.bbox)
            if best is None or hidden < best[0]:
                if best is not None:
                    best[1].remove()
                best = hidden, label, box
            else:
                label.remove()
            if not hidden:
                break
        if best is not None:
            covered.append(best[2])


def _overlap(one: Any, other: Any) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(width, 0) * max(height, 0))


def _coefficient(matrix: CorrelationMatrix, a: str, b: str) -> str:
    value = matrix[a, b].value
    symbol = _SYMBOLS[matrix.method]
    return f"{symbol} undefined" if value is None else f"{symbol} = {_number(value)}"


def _limits(table: ScoreTable, metric: str) -> tuple[float, float]:
    """Return the range of a metric's scores with some air around them."""
    values = [table.scale * scores[metric] for scores in table.scores.values()]
    air = 0.1 * (max(values) - min(values)) or 0.05 * abs(values[0]) or 1.0
    return min(values) - air, max(values) + air


def _readable_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever has more contrast, by the relative luminance of WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "black" if luminance > 0.179 else "white"


def _number(value: float) -> str:
    """Two decimals, with the sign that the axes use too."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _wrapped(text: str) -> str:
    """Return a name in lines that are no longer than the side of a panel."""
    return plain_text(textwrap.fill(text, 16))


def plain_text(text: str) -> str:
    """A name in which a dollar sign begins no formula, and nothing commands a reader of SVG."""
    return "\n".join(map(printable, text.split("\n"))).replace("$", r"\$")
