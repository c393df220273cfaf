"""The card of a response: what one score hides, section by section.

Each line of the card is a `Part`: a name and a `Result`, the statistics of a registered metric
document by document, on tables that a section restricts (to some mentions or entities) or completes
(with the mentions or links of the key); no section has a formula of its own. So lines add up, and
are compared as any results are. Characters, and the coverage of a copied text, are counts instead.

``parts.py`` has the constructions and makes results of them; ``linking.py``, ``types.py``,
``long.py``, ``characters.py``, ``answers.py`` and ``documents.py`` are the sections; ``made.py``
makes the card.
"""
