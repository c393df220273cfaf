"""The card of a response: what one score hides, section by section.

Each line of the card is a `Part`: a name and a `Result`, the statistics of a registered metric
document by document. So the lines of a card add up, go by document or genre, and are compared as
any results are. The statistics come from `Prepared` alone, on tables that a section restricts (to
mentions of both sides, to a window, to some entities) or completes (with the mentions or links of
the key); no section has a formula of its own. What is a fact of one entity or of one text, and no
score, is a row of counts beside them: characters, and the coverage of a copied text.

``parts.py``
    From the entities of both sides to what is scored instead, and from that to results.
``linking.py``, ``types.py``, ``long.py``, ``characters.py``, ``answers.py``, ``documents.py``
    The sections; each opens with what its lines are.
``made.py``
    The card of a response: all of them.
"""
