"""Exercises on pages: what an address says of one, and the parts of its page."""
