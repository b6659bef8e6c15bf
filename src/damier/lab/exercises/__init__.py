"""Exercises of every kind behind one interface: a task, its answers, their marking. Those with a tree
are made in `damier.trees`; the others join rooms.
"""
