"""The web lab: the pages of `damier serve`.

The hub (`app`) holds connections and nothing else; all that one reads is made by workers.
"""
