"""The wings: what is built on the core and enters it through entry points only, one folder each."""
