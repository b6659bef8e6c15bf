"""The matchboxes: a machine, its games, its boxes."""
