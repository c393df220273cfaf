"""What bundles are made of."""
