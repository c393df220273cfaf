"""Annotation projects: formats of annotation tools, agreement, merged annotations, windows of one text."""
