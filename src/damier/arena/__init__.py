"""Players against players: games shown, matches counted."""
