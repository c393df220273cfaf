"""Which response mention is which key mention: exact, head, partial, overlap, minimum span, zeros.

`stages.align` brings the mentions of two documents together, one to one and in stages; one file for
each way of comparing them. Positions are those of `corpus.positions`.
"""
