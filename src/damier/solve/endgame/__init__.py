"""Endgame tables: the value and the distance of every position with few pieces, built backwards from
the ends, one slice of material after the other (Ken Thompson, 1986 [Thompson86]).
"""
