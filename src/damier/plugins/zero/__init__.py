"""AlphaZero: a network that learns from games of self-play, guided by a search, graded exactly while it
learns (docs/zero.md).
"""

from damier.core.words import N_
from damier.lab.plugins import AgentKind

ZERO = AgentKind(
    "damier.plugins.zero.agent:zero",
    "AlphaZero",
    N_("a network and the search that it guides: file=FOLDER of damier train GAME zero, simulations="),
)
