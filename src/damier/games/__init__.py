"""One file a game.

Every public function here that returns a `Game` is a game of that name; adding a file edits no
list.
"""
