"""Where shared tasks run: bundles for their platforms, and the scoring program in them."""
