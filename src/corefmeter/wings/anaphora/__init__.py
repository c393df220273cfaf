"""Anaphora beyond identity: the CONLLUA format of the Universal Anaphora tasks."""
