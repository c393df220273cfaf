"""Pictures of the laboratory: F1 of each metric over what was done to a response.

Metrics differ by color (Okabe and Ito's palette), marker and line, so that color-blind readers can
distinguish them, also in print without colors. Markers are hollow and of different sizes, so that
curves that coincide are all seen.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.structures import grouped
from corefmeter.metrics import title
from corefmeter.wings.lab.outcome import Outcome
from corefmeter.wings.lab.pictures import FONT, drawing, plain_text
from corefmeter.wings.lab.sensitivity import Sensitivity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What a style has, as options of matplotlib.
_STYLE = ("color", "marker", "markersize", "linestyle")

#: The styles of metrics by name; others take those of `_MORE_STYLES` in turn.
_STYLES: dict[str, tuple[str, str, float, Any]] = {
    "muc": ("#000000", "s", 5.0, (0, (1, 1.2))),
    "b3": ("#E69F00", "o", 9.5, "-"),
    "ceafm": ("#56B4E9", "D", 7.0, (0, (5, 1.5))),
    "ceafe": ("#0072B2", "v", 6.0, (0, (4, 1.2, 1, 1.2))),
    "blanc": ("#D55E00", "x", 6.0, "-"),
    "lea": ("#009E73", "+", 6.5, (0, (2.5, 1.2))),
}
_MORE_STYLES: list[tuple[str, str, float, Any]] = [
    ("#CC79A7", "^", 6.0, "-"),
    ("#7F7F7F", "p", 6.5, (0, (5, 1.5))),
    ("#8C6D1F", "*", 7.5, (0, (1, 1.2))),
    ("#5B3A8C", "<", 6.0, "-"),
    ("#2F6B2F", ">", 6.0, (0, (5, 1.5))),
    ("#A33B3B", "h", 6.5, (0, (4, 1.2, 1, 1.2))),
    ("#B8A000", "d", 6.5, "-"),
    ("#33808C", "8", 6.0, (0, (2.5, 1.2))),
    ("#D98E73", "1", 7.5, (0, (1, 1.2))),
    ("#4D4D99", "2", 7.5, (0, (4, 1.2, 1, 1.2))),
]

#: Up to this number of points a line has a marker at each.
_MARKED = 20


#: The values of each metric in percent.
_Curves = Mapping[str, Sequence[float]]


def draw_outcome(outcome: Outcome) -> Figure:
    """Draw an experiment: lines if its levels are numbers, otherwise a group of points for each.

    Above the curves of a sweep, each metric has a line with a mark where it is best.
    """
    experiment = outcome.experiment
    curves = {metric: [100 * f1 for f1 in outcome.f1(metric)] for metric in outcome.metrics}
    levels = [response.level for response in outcome.responses]
    places = [response.at for response in outcome.responses if response.at is not None]
    heading = f"{experiment.title}\n{outcome.source}"
    with drawing():
        if len(places) < len(levels):
            width = max(5.6, max(0.62, 0.085 * len(curves)) * len(levels) + 1.4)
            figure, panel = _new_figure(heading, experiment.axis, width)
            _draw_points(panel, levels, curves, outcome.title)
        else:
            figure, panel = _new_figure(heading, experiment.axis)
            _draw_lines(panel, places, curves, outcome.title)
            panel.set_ylabel(plain_text(f"{outcome.values} (%)"), fontsize=FONT)
            if "peaks" in outcome.facts:
                _mark_peaks(panel, outcome, list(curves))
        return _add_legend(figure, panel)


def draw_sensitivity(sensitivity: Sensitivity) -> Figure:
    """Draw metrics over the share of damaged places; see `draw_outcome`."""
    metrics, kind, order = sensitivity.metrics, sensitivity.kind, sensitivity.order
    rows = sorted(sensitivity.rows, key=attrgetter("errors"))
    shares = [100 * row.errors / sensitivity.sites for row in rows if row.metric == metrics[0]]
    curves = grouped((row.metric, 100 * row.f1) for row in rows)
    axis = f"errors (% of {sensitivity.sites} {kind.unit})"
    first = "at random" if order == "random" else f"{order} entities first"
    with drawing():
        figure, panel = _new_figure(f"{kind.title}, {first}", axis)
        _draw_lines(panel, shares, curves, title)
        return _add_legend(figure, panel)


def _new_figure(heading: str, axis: str, width: float = 5.6) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure: Any = Figure((width, 3.6), layout="constrained")
    panel = figure.subplots()
    figure.suptitle(plain_text(heading), fontsize=FONT)
    panel.set_xlabel(plain_text(axis), fontsize=FONT)
    panel.set_ylabel("F1 (%)", fontsize=FONT)
    panel.tick_params(labelsize=FONT - 1, length=2.5)
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color="0.9", linewidth=0.6)
    panel.set_axisbelow(True)
    return figure, panel


def _styles(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    more = cycle(_MORE_STYLES)
    styles = {metric: _STYLES.get(metric) or next(more) for metric in metrics}
    return {
        metric: dict(zip(_STYLE, style, strict=True), markerfacecolor="none")
        for metric, style in styles.items()
    }


def _draw_lines(
    panel: Any, places: Sequence[float], curves: _Curves, name: Callable[[str], str]
) -> None:
    every = max(1, len(places) // _MARKED)
    for metric, style in _styles(list(curves)).items():
        panel.plot(
            places,
            curves[metric],
            **style,
            linewidth=1.2,
            markeredgewidth=1.1,
            markevery=every,
            label=plain_text(name(metric)),
            clip_on=False,
            zorder=3,
        )
    lowest = min(min(values) for values in curves.values())
    panel.set_ylim(min(0, 5 * (lowest // 5)), 100)
    panel.margins(x=0.02)


def _draw_points(
    panel: Any, levels: Sequence[str], curves: _Curves, name: Callable[[str], str]
) -> None:
    """Draw a column for each level, with the metrics next to each other."""
    step = 0.72 / max(1, len(curves))
    for number, (metric, style) in enumerate(_styles(list(curves)).items()):
        shift = (number - (len(curves) - 1) / 2) * step
        style |= {"linestyle": "none", "markersize": min(style["markersize"], 6.5)}
        panel.plot(
            [place + shift for place in range(len(levels))],
            curves[metric],
            **style,
            markeredgewidth=1.2,
            label=plain_text(name(metric)),
            zorder=3,
        )
    for place in range(1, len(levels)):
        panel.axvline(place - 0.5, color="0.9", linewidth=0.6)
    # Wrap the names, so that neighbors do not overlap.
    names = [
        textwrap.fill(level, 13, break_long_words=False, break_on_hyphens=False) for level in levels
    ]
    panel.set_xticks(range(len(levels)), list(map(plain_text, names)))
    panel.tick_params(axis="x", length=0)
    panel.set_xlim(-0.5, len(levels) - 0.5)
    values = [value for curve in curves.values() for value in curve]
    low, high = min(values), max(values)
    margin = 0.06 * (high - low) or 1.0
    panel.set_ylim(low - margin if low else -3, high + margin)


def _mark_peaks(panel: Any, outcome: Outcome, metrics: Sequence[str]) -> None:
    """Mark above the curves where each metric is best; draw a line at the size of the key."""
    key_entities = outcome.facts["true_entities"]
    strip = panel.inset_axes((0, 1.02, 1, 0.045 * len(metrics)), sharex=panel)
    for row, (metric, style) in enumerate(_styles(metrics).items()):
        strip.axhline(row, color="0.92", linewidth=0.6, zorder=1)
        best = outcome.facts["peaks"][metric]["entities"]
        style |= {"linestyle": "none", "markersize": min(style["markersize"], 6)}
        strip.plot([best], [row], **style, markeredgewidth=1.4, zorder=3)
    strip.set(ylim=(len(metrics) - 0.5, -0.5))
    strip.set_yticks([(len(metrics) - 1) / 2], ["best at"], fontsize=FONT - 1)
    strip.tick_params(length=0, labelbottom=False)
    strip.spines[:].set_visible(False)
    for axes in (panel, strip):
        axes.axvline(key_entities, color="0.45", linewidth=0.9, linestyle=(0, (6, 3)), zorder=2)
    is_right = key_entities > sum(panel.get_xlim()) / 2
    panel.annotate(
        f"key: {key_entities} entities",
        (key_entities, 3),
        (-4 if is_right else 4, 0),
        textcoords="offset points",
        fontsize=FONT - 1,
        color="0.25",
        ha="right" if is_right else "left",
        va="bottom",
    )


def _add_legend(figure: Any, panel: Any) -> Figure:
    figure.legend(
        *panel.get_legend_handles_labels(),
        loc="outside right center",
        fontsize=FONT - 1,
        frameon=False,
        handlelength=3.4,
    )
    return figure  # type: ignore[no-any-return]  # matplotlib is imported without its types
