"""Principal variation search: alpha-beta that guesses that the first move is the best, and asks of
every other only whether it is better (T. A. Marsland and M. Campbell, "Parallel search of strongly
ordered game trees", Computing Surveys 14 (1982) [MarslandCampbell82]; A. Reinefeld, "An improvement
to the scout tree search algorithm", ICCA Journal 6 (1983) [Reinefeld83]: NegaScout).

The question is a *null window*: both bounds are what the mover is sure of. There whoever asks must
not cut at equality, or "as good" could not be told from "better"; the others may. Where the answer
is yes, the move is searched again for what it is worth. Without a good order most questions are
asked twice.

The search is that of `transposition`, and asks where this says so.
"""

from __future__ import annotations

from damier.core.compile import Bindings
from damier.search.transposition import asks_first


def all_but_the_first(later_move: bool) -> bool:
    return later_move


NULL_WINDOWS: Bindings = {asks_first: all_but_the_first}
