"""The laboratory: invented keys and deliberate damage, to see what a metric does with them."""
