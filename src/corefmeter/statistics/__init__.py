"""What can be concluded from scores: significance, ranks, and whether metrics agree."""
