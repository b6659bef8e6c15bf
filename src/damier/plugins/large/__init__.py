"""Games beyond memory: layers on disk, endgame tables (docs/large_games.md, docs/endgames.md)."""

from damier.core.words import N_
from damier.lab.plugins import Command

TABLES = Command(
    "damier.plugins.large.tables_command:tables",
    N_("every position with few pieces, solved: endgame tables"),
)
