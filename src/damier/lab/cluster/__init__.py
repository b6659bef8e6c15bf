"""Work that several machines share, through Ray (docs/decisions/0063)."""
