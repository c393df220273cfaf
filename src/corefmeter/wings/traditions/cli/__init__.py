"""The commands ``ace`` and ``gap``."""
