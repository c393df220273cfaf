"""The wings: packages built on the core, which finds them through entry points; one folder each."""
