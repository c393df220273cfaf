"""The commands `agree`, `merge` and `stitch`."""
