"""``corefmeter leaderboard``: a static site that compares systems on one or more data sets."""
