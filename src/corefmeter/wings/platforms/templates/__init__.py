"""Templates of the files in bundles."""
