"""How stores of tournaments came to be as they are: Alembic runs what a store lacks."""
