"""Names become things: `hexapawn:blocked=loss` a Game, `perfect:ties=first` a Player.

Where a job needs two rooms, this one calls both.
"""
