"""The trees: which one is meant, and the order of its moves."""
