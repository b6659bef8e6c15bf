"""Ceilings of what a page may ask of an agent that searches: said beside the field before anybody
asks, and refused at once where it is more.

Numbers alone bound no time, since a ply of chess costs what a game of Nim does: so the clock has a say
in every search of a page, and stops it with the best that it has found.
"""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.words import FormattedNumber, _, grouped, message

THINKING = 2
"""Seconds that an agent thinks about a move at most."""
LEAST = 0.25
"""Seconds that it may think about one, however many wait."""
BY_CLOCK = ("alphabeta", "expectimax", "maxn", "mcts", "minimax", "selective")
"""Searches that can be told how long to think."""
BY_NODES = ("andor", "bfs", "dfs")
"""Searches of document [S1], which only a number of positions bounds."""
LIMITS = ("plies", "rounds", "nodes", "seconds", "simulations")
SECONDS, NODES = "seconds", "nodes"
CEILINGS = {SECONDS: THINKING, "simulations": 100_000, NODES: 1_000_000, "plies": 200, "rounds": 100}
"""The most of each limit that a page may ask for."""
EXPANDED = 100_000
"""The most positions of a search that the clock does not stop: about as many as plain Python expands
in THINKING seconds.
"""


def shared(others: int) -> float:
    """Seconds that an agent may think about a move while so many others wait for theirs, or are being
    answered: nobody waits long behind many, also while nothing is compiled yet.

    >>> shared(0), shared(3), shared(30)
    (2.0, 0.5, 0.25)
    """
    return max(LEAST, THINKING / (1 + others))


def limited(text: str) -> str:
    """An agent as it is written; one that would search without end gets a limit.

    >>> limited("alphabeta"), limited("alphabeta:plies=3"), limited("mcts")
    ('alphabeta:seconds=2', 'alphabeta:plies=3', 'mcts')
    """
    name, options = parts(text)
    # Monte Carlo tree search and the selective one have a limit of their own
    endless = name in BY_CLOCK and name not in ("mcts", "selective")
    if endless and not any(option in LIMITS for option in named(options)):
        return written(name, [*options, f"{SECONDS}={THINKING}"])
    return text


def held_to_ceilings(text: str, thinking: float = THINKING) -> str:
    """An agent as it is written, which no move of a page keeps at work for longer than `thinking` seconds.

    Raises BadInput for more than a page may ask for.

    >>> held_to_ceilings("alphabeta:seconds=2,plies=3", 0.25), held_to_ceilings("mcts:seconds=0.1", 0.25)
    ('alphabeta:seconds=0.25,plies=3', 'mcts:seconds=0.1')
    >>> held_to_ceilings("mcts"), held_to_ceilings("alphabeta:plies=3,seconds=0.5"), held_to_ceilings("bfs")
    ('mcts:simulations=1000,seconds=2', 'alphabeta:plies=3,seconds=0.5', 'bfs:nodes=100000')
    >>> held_to_ceilings("perfect:ties=first")
    'perfect:ties=first'
    """
    name, options = parts(text)
    if name not in (*BY_CLOCK, *BY_NODES):
        return text
    refuse_more(name, options)
    given = named(options)
    if name in BY_NODES:
        return text if NODES in given else written(name, [*options, f"{NODES}={EXPANDED}"])
    if SECONDS in given:
        return written(name, [sooner(option, thinking) for option in options])
    if name == "mcts" and "simulations" not in given:  # its own number is for who gives no limit at all
        from damier.lab.searchers import SIMULATIONS  # all searches, which it plays by anyway

        options.append(f"simulations={SIMULATIONS}")
    return written(name, [*options, f"{SECONDS}={thinking:g}"])


def sooner(option: str, thinking: float) -> str:
    """An option of an agent, its seconds no more than `thinking`."""
    name, _equals, value = option.partition("=")
    return f"{SECONDS}={thinking:g}" if name == SECONDS and is_more(value, thinking) else option


def refuse_more(name: str, options: list[str]) -> None:
    """Raises BadInput for an option above its ceiling; what is no number is refused where it is read."""
    for option, value in named(options).items():
        most = EXPANDED if name in BY_NODES else CEILINGS.get(option)
        if most is not None and is_more(value, most):
            raise BadInput(
                message(
                    "{name}: {option}={value}; from a page it is at most {most}",
                    name=name,
                    option=option,
                    value=value,
                    most=FormattedNumber(most, ","),
                )
            )


def lowered(name: str, options: str) -> str:
    """The options of an agent, its limits no higher than a page may ask for."""
    if name not in BY_NODES:
        return options
    return ",".join(
        f"{NODES}={EXPANDED}" if option.startswith(f"{NODES}=") else option for option in options.split(",")
    )


def is_more(value: str, most: float) -> bool:
    """Return whether an option, as it is written, is above its ceiling."""
    try:
        return float(value) > most
    except ValueError:
        return False


def ceiling_in_words(name: str) -> str:
    """The ceilings of an agent in words; nothing where it has none."""
    if name in BY_NODES:
        return _("at most {n} positions", n=grouped(EXPANDED))
    if name == "mcts":
        return _(
            "at most {n} simulations and {seconds} seconds a move",
            n=grouped(CEILINGS["simulations"]),
            seconds=THINKING,
        )
    if name in BY_CLOCK:
        return _("at most {seconds} seconds a move, whatever the other limits", seconds=THINKING)
    return ""


def parts(text: str) -> tuple[str, list[str]]:
    """The name of an agent, and its options."""
    name, _colon, options = text.partition(":")
    return name, options.split(",") if options else []


def named(options: list[str]) -> dict[str, str]:
    """The values of options by their names."""
    return {name: value for name, _equals, value in (option.partition("=") for option in options)}


def written(name: str, options: list[str]) -> str:
    return f"{name}:{','.join(options)}" if options else name
