"""A class: its students, their keys, and the files that they hand in, beside the tournament that
they play.
"""
