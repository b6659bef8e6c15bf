"""The board room: a game as its address says it, who sits at it, what is known of it."""
