"""Readers of the older traditions, and their writers where there are any."""
