"""How fast damier is, against C, against its peers and against its own plain Python.

`scripts/bench` runs what is here.
"""
