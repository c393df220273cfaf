"""Formats of annotation tools and annotated corpora."""
