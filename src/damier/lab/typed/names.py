"""The agents of document [S4] by its names (rows A-75 to A-77)."""

from __future__ import annotations

LEARNER = "rl"
AGENTS = {
    "human": "human",
    "random": "random",
    "ai": "perfect:prefer=value,ties=first",
    LEARNER: "mean:preset=morpion",
}
"""As damier writes them: the document's minimax takes the first of the best moves (row A-76)."""
