"""Recipes by name: how a shared task, or papers that use a corpus, score."""

from __future__ import annotations

from typing import Any, NamedTuple


class Preset(NamedTuple):
    """The options of a recipe that differ from the default, and their source."""

    title: str
    options: dict[str, Any]
    source: str


#: The scores of the shared task: the three metrics of its average, and the average.
_CONLL = ("mentions", "muc", "b3", "ceafe", "conll")
_CRAFT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")


def _corefud_preset(
    year: int, match: str, variant: str, zeros: str, singletons: str = "drop"
) -> Preset:
    metrics = ["muc", "b3", "ceafe", "ceafm", "blanc", "lea", "conll"]
    if year >= 2023:
        metrics += ["mor", "zero"]
    return Preset(
        f"CRAC {year} shared task on multilingual coreference resolution, {variant}",
        {
            "metrics": tuple(metrics),
            "match": match,
            "zeros": zeros,
            "singletons": singletons,
            # In CorefUD a mention is not its position.
            "repeated": "distinct",
            "blanc": "corefud",
        },
        _CRAC[year],
    )


_CRAC = {
    2022: "README of corefud-scorer in 2022: partial match, singletons left out of both files, the "
    "mean of MUC, B3 and CEAF-e",
    2023: "results page of the task: head match without singletons is primary; partial match, "
    "exact match, and head match with singletons are given beside it",
    2024: "results page of the task: scores as in 2023; its systems predict the empty nodes, which "
    "corefud-scorer matches by dependency unless another option is given",
    2025: "defaults of corefud-scorer of January 2025: head match, zeros by dependency, without "
    "singletons; other scores as in 2024",
    2026: "defaults of corefud-scorer 1.2: head match, zeros by dependency, without singletons; "
    "the task is on long-range entities (Novák et al. 2026) and scored as in 2025",
}


#: The source of the modes of the Universal Anaphora scorer that are named after shared tasks.
_UA = "README of the Universal Anaphora scorer 2.0 (Yu et al. 2023), evaluation modes"


def _corefud_presets(year: int, primary: str, zeros: str) -> dict[str, Preset]:
    """Return by name the recipes of a year: the primary score, and the others of its results."""
    name = f"corefud{year}"
    presets = {name: _corefud_preset(year, primary, "primary score", zeros)}
    for match in ("partial", "exact"):
        if match != primary:
            presets[f"{name}-{match}"] = _corefud_preset(year, match, f"{match} match", zeros)
    singletons = _corefud_preset(year, primary, "with singletons", zeros, "keep")
    return presets | {f"{name}-singletons": singletons}


def _codicrac_presets(year: int, paper: str) -> dict[str, Preset]:
    """Return by name the recipes of a year's tasks: identity, bridging, discourse deixis."""
    name, source = f"codicrac{year}", f"{_UA}; {paper}"
    title = f"CODI-CRAC {year} shared task"
    sets = {"metrics": _CONLL, "split_antecedents": True, "blanc": "corefud"}
    bridging = ("bridging-anaphor", "bridging-mention", "bridging-entity")
    return {
        f"{name}-ar": Preset(
            f"{title}, anaphora resolution",
            sets,
            f"{source}: exact match, with singletons and split antecedents",
        ),
        f"{name}-br": Preset(
            f"{title}, bridging",
            {"metrics": bridging},
            f"{source}: anaphors, and anchors by mention and by entity",
        ),
        f"{name}-dd": Preset(
            f"{title}, discourse deixis",
            {**sets, "layer": "deixis"},
            f"{source}: the metrics of identity, on entities of discourse deixis",
        ),
    }


PRESETS: dict[str, Preset] = {
    "conll2012": Preset(
        "CoNLL-2012 shared task (OntoNotes)",
        {"metrics": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")},
        "official scorer v8.01 (Pradhan et al. 2014): exact match, all mentions of both files; "
        "OntoNotes annotates no singletons, and systems leave them out",
    ),
    "crac2018": Preset(
        "CRAC 2018 shared task, task 1 (ARRAU)",
        {"metrics": (*_CONLL, "nonreferring")},
        f"{_UA}: MUC, B3 and CEAF-e with singletons, exact match; non-referring expressions are "
        "scored separately (Poesio et al. 2018)",
    ),
    "craft2019": Preset(
        "CRAFT 2019 shared task, partial match",
        {"metrics": _CRAFT, "match": "craft"},
        f"{_UA}: a piece within the first piece of the key mention, with singletons; all metrics "
        "of its scorer, v8.01 with discontinuous mentions (Baumgartner et al. 2019)",
    ),
    "craft2019-exact": Preset(
        "CRAFT 2019 shared task, exact match",
        {"metrics": _CRAFT},
        "the scorer of the task without partial matches (Baumgartner et al. 2019)",
    ),
    **_codicrac_presets(2021, "Khosla et al. 2021"),
    **_codicrac_presets(2022, "Yu et al. 2022"),
    **_corefud_presets(2022, "partial", "position"),
    **_corefud_presets(2023, "head", "position"),
    **_corefud_presets(2024, "head", "dependency"),
    **_corefud_presets(2025, "head", "dependency"),
    **_corefud_presets(2026, "head", "dependency"),
    "litbank": Preset(
        "LitBank",
        {"metrics": _CONLL},
        "the corpus annotates singletons, and models published for it are scored with them (model "
        "cards of Maverick, Martinelli et al. 2024); exact match",
    ),
    "preco": Preset(
        "PreCo",
        {"metrics": _CONLL},
        "the corpus annotates singletons (Chen et al. 2018), and models published for it are "
        "scored with them (model cards of Maverick, Martinelli et al. 2024); exact match",
    ),
    "ontogum": Preset(
        "OntoGUM",
        {"metrics": _CONLL},
        "README of the corpus: the scheme of OntoNotes, without singletons; scored as CoNLL-2012 "
        "(Zhu et al. 2021)",
    ),
    "bookcoref": Preset(
        "BookCoref",
        {"metrics": ("muc", "b3", "ceafe", "conll")},
        "evaluate.py of the corpus (Martinelli et al. 2025): MUC, B3, CEAF-e and their mean, exact "
        "match, all entities of both sides, counts summed over books",
    ),
}
