"""Annotation projects: formats of annotation tools, agreement, merging, windows of one text."""
