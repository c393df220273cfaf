"""The commands ``ace`` and ``conll-scorer``."""
