"""Scores of clusterings that are tables: one row for each item, with the cluster that it is in."""
