"""Evaluation before and beside CoNLL: MUC, ACE, TAC, GAP, MMAX2 and ARRAU.

A wing: it enters the core through the entry points that other packages have, and the core works
without it. Its rooms are called as those of the core.
"""
