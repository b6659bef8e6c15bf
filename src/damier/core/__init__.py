"""What a game is, and the few things that every room needs. Imports nothing else of damier."""
