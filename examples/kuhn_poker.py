"""Kuhn poker (Harold Kuhn, 1950 [Kuhn50]): a card each of J Q K, hidden; pass or bet one coin more."""

from collections import namedtuple

from damier import CHANCE, Game, position_of

State = namedtuple("State", "deal line")  # deal: which of DEALS; line: which of LINES
DEALS = ("?", "JQ", "JK", "QJ", "QK", "KJ", "KQ")
LINES = ("", "p", "b", "pb", "pp", "bp", "bb", "pbp", "pbb")  # p pass, b bet; over from the fifth on


def kuhn_poker() -> Game:
    def play(s: State, move: int) -> State:
        m = position_of(move)
        return State(s.deal, LINES.index(LINES[s.line] + "pb"[m])) if s.deal else State(1 + m, 0)

    def payoff(s: State, player: int) -> int:
        ahead = 1 if DEALS[s.deal] in ("QJ", "KJ", "KQ") else -1
        return (1 - 2 * player) * {"pp": ahead, "bp": 1, "pbp": -1}.get(LINES[s.line], 2 * ahead)

    def show(s: State) -> str:  # the mover's own card; both at the end
        return (DEALS[s.deal] if s.line > 3 else DEALS[s.deal][len(LINES[s.line]) % 2]) + " " + LINES[s.line]

    def name_move(s: State, move: int) -> str:
        return (("pass", "bet") if s.deal else DEALS[1:])[position_of(move)]

    rules = {"over": lambda s: s.line > 3, "payoff": payoff, "imperfect_information": True}
    rules |= {"mover": lambda s: len(LINES[s.line]) % 2 if s.deal else CHANCE, "chance": lambda s, m: 1.0}
    rules |= {"show": show, "name_move": name_move}
    return Game("kuhn_poker", State(0, 0), lambda s: 3 if s.deal else 63, play, **rules)
