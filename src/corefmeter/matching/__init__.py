"""Which response mention is which key mention."""
