"""The papers that metrics come from, each once; metrics name them by their keys (`Metric.papers`).

A metric of another package may name these, or give an entry of BibTeX of its own instead of a key.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Reference(NamedTuple):
    """A paper.

    Attributes
    ----------
    authors
        As "Given Family", in the order of the paper.
    journal, volume, number
        Of an article.
    book
        Of a paper in proceedings.
    """

    authors: tuple[str, ...]
    title: str
    year: int
    pages: str
    journal: str = ""
    volume: str = ""
    number: str = ""
    book: str = ""
    address: str = ""
    doi: str = ""
    url: str = ""


# fmt: off
REFERENCES: dict[str, Reference] = {
    "vilain-etal-1995": Reference(
        ("Marc Vilain", "John Burger", "John Aberdeen", "Dennis Connolly", "Lynette Hirschman"),
        "A Model-Theoretic Coreference Scoring Scheme", 1995, "45–52",
        book="Sixth Message Understanding Conference (MUC-6)", address="Columbia, Maryland",
        url="https://aclanthology.org/M95-1005",
    ),
    "bagga-baldwin-1998": Reference(
        ("Amit Bagga", "Breck Baldwin"),
        "Algorithms for Scoring Coreference Chains", 1998, "563–566",
        book="Proceedings of the Linguistic Coreference Workshop at the First International "
        "Conference on Language Resources and Evaluation", address="Granada, Spain",
    ),
    "luo-2005": Reference(
        ("Xiaoqiang Luo",),
        "On Coreference Resolution Performance Metrics", 2005, "25–32",
        book="Proceedings of Human Language Technology Conference and Conference on Empirical "
        "Methods in Natural Language Processing", address="Vancouver, British Columbia, Canada",
        url="https://aclanthology.org/H05-1004",
    ),
    "recasens-hovy-2011": Reference(
        ("Marta Recasens", "Eduard Hovy"),
        "BLANC: Implementing the Rand index for coreference evaluation", 2011, "485–510",
        journal="Natural Language Engineering", volume="17", number="4",
        doi="10.1017/S135132491000029X",
    ),
    "luo-etal-2014": Reference(
        ("Xiaoqiang Luo", "Sameer Pradhan", "Marta Recasens", "Eduard Hovy"),
        "An Extension of BLANC to System Mentions", 2014, "24–29",
        book="Proceedings of the 52nd Annual Meeting of the Association for Computational "
        "Linguistics (Volume 2: Short Papers)", address="Baltimore, Maryland",
        doi="10.3115/v1/P14-2005", url="https://aclanthology.org/P14-2005",
    ),
    "moosavi-strube-2016": Reference(
        ("Nafise Sadat Moosavi", "Michael Strube"),
        "Which Coreference Evaluation Metric Do You Trust? A Proposal for a Link-based Entity "
        "Aware Metric", 2016, "632–642",
        book="Proceedings of the 54th Annual Meeting of the Association for Computational "
        "Linguistics (Volume 1: Long Papers)", address="Berlin, Germany",
        doi="10.18653/v1/P16-1060", url="https://aclanthology.org/P16-1060",
    ),
    "denis-baldridge-2009": Reference(
        ("Pascal Denis", "Jason Baldridge"),
        "Global joint models for coreference resolution and named entity classification", 2009,
        "87–96", journal="Procesamiento del Lenguaje Natural", volume="42",
    ),
    "pradhan-etal-2012": Reference(
        ("Sameer Pradhan", "Alessandro Moschitti", "Nianwen Xue", "Olga Uryupina", "Yuchen Zhang"),
        "CoNLL-2012 Shared Task: Modeling Multilingual Unrestricted Coreference in OntoNotes", 2012,
        "1–40", book="Joint Conference on EMNLP and CoNLL - Shared Task",
        address="Jeju Island, Korea", url="https://aclanthology.org/W12-4501",
    ),
    "pradhan-etal-2014": Reference(
        (
            "Sameer Pradhan", "Xiaoqiang Luo", "Marta Recasens", "Eduard Hovy", "Vincent Ng",
            "Michael Strube",
        ),
        "Scoring Coreference Partitions of Predicted Mentions: A Reference Implementation", 2014,
        "30–35",
        book="Proceedings of the 52nd Annual Meeting of the Association for Computational "
        "Linguistics (Volume 2: Short Papers)", address="Baltimore, Maryland",
        doi="10.3115/v1/P14-2006", url="https://aclanthology.org/P14-2006",
    ),
    "tuggener-2014": Reference(
        ("Don Tuggener",),
        "Coreference Resolution Evaluation for Higher Level Applications", 2014, "231–235",
        book="Proceedings of the 14th Conference of the European Chapter of the Association for "
        "Computational Linguistics, Volume 2: Short Papers", address="Gothenburg, Sweden",
        doi="10.3115/v1/E14-4045", url="https://aclanthology.org/E14-4045",
    ),
    "webster-etal-2018": Reference(
        ("Kellie Webster", "Marta Recasens", "Vera Axelrod", "Jason Baldridge"),
        "Mind the GAP: A Balanced Corpus of Gendered Ambiguous Pronouns", 2018, "605–617",
        journal="Transactions of the Association for Computational Linguistics", volume="6",
        doi="10.1162/tacl_a_00240", url="https://aclanthology.org/Q18-1042",
    ),
    "zabokrtsky-etal-2022": Reference(
        (
            "Zdeněk Žabokrtský", "Miloslav Konopík", "Anna Nedoluzhko", "Michal Novák",
            "Maciej Ogrodniczuk", "Martin Popel", "Ondřej Pražák", "Jakub Sido", "Daniel Zeman",
            "Yilun Zhu",
        ),
        "Findings of the Shared Task on Multilingual Coreference Resolution", 2022, "1–17",
        book="Proceedings of the CRAC 2022 Shared Task on Multilingual Coreference Resolution",
        address="Gyeongju, Republic of Korea", url="https://aclanthology.org/2022.crac-mcr.1",
    ),
    "paun-etal-2023": Reference(
        ("Silviu Paun", "Juntao Yu", "Nafise Sadat Moosavi", "Massimo Poesio"),
        "Scoring Coreference Chains with Split-Antecedent Anaphors", 2023, "1–48",
        journal="Dialogue & Discourse", volume="14", number="2", doi="10.5210/dad.2023.201",
        url="https://aclanthology.org/2023.dnd-14.3",
    ),
    "yu-etal-2022": Reference(
        (
            "Juntao Yu", "Sopan Khosla", "Nafise Sadat Moosavi", "Silviu Paun", "Sameer Pradhan",
            "Massimo Poesio",
        ),
        "The Universal Anaphora Scorer", 2022, "4873–4883",
        book="Proceedings of the Thirteenth Language Resources and Evaluation Conference",
        address="Marseille, France", url="https://aclanthology.org/2022.lrec-1.521",
    ),
    "yu-etal-2023": Reference(
        (
            "Juntao Yu", "Michal Novák", "Abdulrahman Aloraini", "Nafise Sadat Moosavi",
            "Silviu Paun", "Sameer Pradhan", "Massimo Poesio",
        ),
        "The Universal Anaphora Scorer 2.0", 2023, "183–194",
        book="Proceedings of the 15th International Conference on Computational Semantics",
        address="Nancy, France", url="https://aclanthology.org/2023.iwcs-1.19",
    ),
    "poesio-etal-2018": Reference(
        (
            "Massimo Poesio", "Yulia Grishina", "Varada Kolhatkar", "Nafise Moosavi",
            "Ina Roesiger", "Adam Roussel", "Fabian Simonjetz", "Alexandra Uma", "Olga Uryupina",
            "Juntao Yu", "Heike Zinsmeister",
        ),
        "Anaphora Resolution with the ARRAU Corpus", 2018, "11–22",
        book="Proceedings of the First Workshop on Computational Models of Reference, Anaphora "
        "and Coreference", address="New Orleans, Louisiana", doi="10.18653/v1/W18-0702",
    ),
    "rand-1971": Reference(
        ("William M. Rand",),
        "Objective Criteria for the Evaluation of Clustering Methods", 1971, "846–850",
        journal="Journal of the American Statistical Association", volume="66", number="336",
        doi="10.1080/01621459.1971.10482356",
    ),
    "hubert-arabie-1985": Reference(
        ("Lawrence Hubert", "Phipps Arabie"),
        "Comparing partitions", 1985, "193–218", journal="Journal of Classification", volume="2",
        number="1", doi="10.1007/BF01908075",
    ),
    "rosenberg-hirschberg-2007": Reference(
        ("Andrew Rosenberg", "Julia Hirschberg"),
        "V-Measure: A Conditional Entropy-Based External Cluster Evaluation Measure", 2007,
        "410–420",
        book="Proceedings of the 2007 Joint Conference on Empirical Methods in Natural Language "
        "Processing and Computational Natural Language Learning (EMNLP-CoNLL)",
        address="Prague, Czech Republic", url="https://aclanthology.org/D07-1043",
    ),
    "fowlkes-mallows-1983": Reference(
        ("Edward B. Fowlkes", "Colin L. Mallows"),
        "A Method for Comparing Two Hierarchical Clusterings", 1983, "553–569",
        journal="Journal of the American Statistical Association", volume="78", number="383",
        doi="10.1080/01621459.1983.10478008",
    ),
    "strehl-ghosh-2002": Reference(
        ("Alexander Strehl", "Joydeep Ghosh"),
        "Cluster Ensembles – A Knowledge Reuse Framework for Combining Multiple Partitions", 2002,
        "583–617", journal="Journal of Machine Learning Research", volume="3",
        url="https://www.jmlr.org/papers/v3/strehl02a.html",
    ),
    "vinh-etal-2010": Reference(
        ("Nguyen Xuan Vinh", "Julien Epps", "James Bailey"),
        "Information Theoretic Measures for Clusterings Comparison: Variants, Properties, "
        "Normalization and Correction for Chance", 2010, "2837–2854",
        journal="Journal of Machine Learning Research", volume="11",
        url="https://www.jmlr.org/papers/v11/vinh10a.html",
    ),
    "meila-2007": Reference(
        ("Marina Meilă",),
        "Comparing clusterings – an information based distance", 2007, "873–895",
        journal="Journal of Multivariate Analysis", volume="98", number="5",
        doi="10.1016/j.jmva.2006.11.013",
    ),
    "menestrina-etal-2010": Reference(
        ("David Menestrina", "Steven Euijong Whang", "Hector Garcia-Molina"),
        "Evaluating Entity Resolution Results", 2010, "208–219",
        journal="Proceedings of the VLDB Endowment", volume="3", number="1",
        doi="10.14778/1920841.1920871",
    ),
    "amigo-etal-2009": Reference(
        ("Enrique Amigó", "Julio Gonzalo", "Javier Artiles", "Felisa Verdejo"),
        "A comparison of extrinsic clustering evaluation metrics based on formal constraints", 2009,
        "461–486", journal="Information Retrieval", volume="12", number="4",
        doi="10.1007/s10791-008-9066-8",
    ),
    "passonneau-2004": Reference(
        ("Rebecca J. Passonneau",),
        "Computing Reliability for Coreference Annotation", 2004, "1503–1506",
        book="Proceedings of the Fourth International Conference on Language Resources and "
        "Evaluation (LREC'04)", address="Lisbon, Portugal",
    ),
    "passonneau-2006": Reference(
        ("Rebecca J. Passonneau",),
        "Measuring Agreement on Set-valued Items (MASI) for Semantic and Pragmatic Annotation",
        2006, "831–836",
        book="Proceedings of the Fifth International Conference on Language Resources and "
        "Evaluation (LREC'06)", address="Genoa, Italy", url="https://aclanthology.org/L06-1392",
    ),
    "krippendorff-2004": Reference(
        ("Klaus Krippendorff",),
        "Reliability in Content Analysis: Some Common Misconceptions and Recommendations", 2004,
        "411–433", journal="Human Communication Research", volume="30", number="3",
        doi="10.1111/j.1468-2958.2004.tb00738.x",
    ),
    "bansal-etal-2004": Reference(
        ("Nikhil Bansal", "Avrim Blum", "Shuchi Chawla"),
        "Correlation Clustering", 2004, "89–113", journal="Machine Learning", volume="56",
        number="1", doi="10.1023/B:MACH.0000033116.57574.95",
    ),
}
# fmt: on

#: The papers of what is no metric, by the command that computes it.
OF_COMMANDS = {
    "agree": ("passonneau-2004", "passonneau-2006", "krippendorff-2004"),
    "merge": ("bansal-etal-2004",),
}

#: The marks above letters that names of authors have, in LaTeX.
_MARKS = {"\N{COMBINING ACUTE ACCENT}": "'", "\N{COMBINING CARON}": "v", "\N{COMBINING BREVE}": "u"}


def bibtex(paper: str) -> str:
    """Return the entry of a paper, given by its key; what is an entry already stays as it is.

    Raises
    ------
    KeyError
        For a key that there is not.

    Examples
    --------
    >>> print(bibtex("hubert-arabie-1985"))
    @article{hubert-arabie-1985,
      author = {Lawrence Hubert and Phipps Arabie},
      title = {{Comparing partitions}},
      journal = {Journal of Classification},
      year = {1985},
      volume = {2},
      number = {1},
      pages = {193--218},
      doi = {10.1007/BF01908075},
    }
    """
    if paper.lstrip().startswith("@"):
        return paper.strip()
    of = REFERENCES[paper]
    fields = {
        "author": " and ".join(of.authors),
        "title": f"{{{of.title}}}",
        "journal": of.journal,
        "booktitle": of.book,
        "year": str(of.year),
        "volume": of.volume,
        "number": of.number,
        "pages": of.pages,
        "address": of.address,
        "doi": of.doi,
        "url": of.url,
    }
    lines = [f"  {name} = {{{_latex(value)}}},\n" for name, value in fields.items() if value]
    return f"@{'article' if of.journal else 'inproceedings'}{{{paper},\n{''.join(lines)}}}"


def citation(paper: str) -> str:
    """Return the citation of a paper, given by its key or as a BibTeX entry.

    Examples
    --------
    >>> citation("luo-2005"), citation("moosavi-strube-2016"), citation("luo-etal-2014")
    ('Luo 2005', 'Moosavi & Strube 2016', 'Luo et al. 2014')
    >>> citation("@misc{me-2030, title = {Mine}}")
    'me-2030'
    """
    if paper.lstrip().startswith("@"):
        named = re.search(r"{\s*([^,\s]+)", paper)
        return named[1] if named else paper.strip()
    of = REFERENCES[paper]
    families = [author.rpartition(" ")[2] for author in of.authors]
    names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    return f"{names} {of.year}"


def _latex(text: str) -> str:
    """Text with letters with marks as commands, and dashes, as every BibTeX reads them."""
    from unicodedata import normalize

    return re.sub(
        "(.)([" + "".join(_MARKS) + "])",
        lambda found: f"{{\\{_MARKS[found[2]]}{{{found[1]}}}}}",
        normalize("NFD", text).replace("–", "--"),
    )
