"""The training room: two players, each with its own table, and every step of an episode."""
