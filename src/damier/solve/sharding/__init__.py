"""Layers of positions shared among shards, which may be on different machines (docs/decisions/0063)."""
