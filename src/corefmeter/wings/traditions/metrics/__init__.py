"""ACE value, CEAF with attributes, one-to-one evaluation of objects, decisions of GAP."""
