"""The definition of a game, and the few things that every room needs. Imports nothing else of damier."""
