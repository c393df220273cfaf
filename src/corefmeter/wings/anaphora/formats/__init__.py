"""Formats with bridging, discourse deixis and split antecedents."""
