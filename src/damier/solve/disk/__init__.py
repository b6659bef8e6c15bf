"""Layers that do not fit into memory go to disk."""
