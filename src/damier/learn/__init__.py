"""Learn from games: tables, lists and matchboxes, one algorithm a file."""
