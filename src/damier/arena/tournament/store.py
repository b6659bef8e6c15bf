"""Where tournaments are kept: every game once, whatever is killed, and as it can be replayed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from sqlalchemy import Engine, case, func, insert, select, update
from sqlalchemy.orm import Session

from damier.arena.tournament.database import (
    EntrantRow,
    GameRow,
    PairingRow,
    SubmissionRow,
    TournamentRow,
    blaming,
    damaged,
    engine_of,
    require_whole,
    shown,
)
from damier.arena.tournament.pairing import Pair, Pairing
from damier.arena.tournament.plan import Entrant, TournamentPlan
from damier.arena.tournament.schedule import PlayedGame, seed_of_pair
from damier.arena.tournament.standings import Tally
from damier.core.errors import BadFile, BadInput, UnknownName
from damier.core.json_data import parse_json, to_json
from damier.core.record import GameRecord
from damier.core.words import Text, _, message, packed, unpacked


class GameOfAgent(TypedDict):
    """A game as one of the two sees it: `result` is 1 for a win, 0, or -1; `seat` from 1 on."""

    game: int
    opponent: str
    seat: int
    result: int
    plies: int
    fault: str


class ListedGame(NamedTuple):
    """A game of an entrant as a page lists it: its number in the store, the place of the other, the
    seat from 1 on, 1 for a win, 0, or -1, the moves, and the fault by which one lost.
    """

    game: int
    opponent: int
    seat: int
    result: int
    moves: list[str]
    fault: str


@dataclass(frozen=True)
class Store:
    """A database of tournaments; `place` is its path or URL."""

    place: str
    engine: Engine

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it is kept, or nothing."""
        with blaming(self.place), Session(self.engine) as session, session.begin():
            yield session

    def enter(self, plan: TournamentPlan) -> int:
        """The number of a tournament: of the one that is there already, if it is the same."""
        with self.writing() as session:
            known = session.scalar(select(TournamentRow.id).where(TournamentRow.digest == plan.digest))
            if known is not None:
                longer = (TournamentRow.id == known) & (TournamentRow.games < plan.games)
                session.execute(update(TournamentRow).where(longer).values(games=plan.games))
                return known
            row = TournamentRow(
                digest=plan.digest,
                game=plan.game,
                options=to_json(dict(plan.options)),
                game_sha256=plan.game_sha256,
                seed=plan.seed,
                games=plan.games,
                max_plies=plan.max_plies,
                is_open=plan.is_open,
            )
            session.add(row)
            session.flush()
            session.add_all(
                EntrantRow(tournament_id=row.id, place=place, **entrant._asdict())
                for place, entrant in enumerate(plan.entrants)
            )
            return row.id

    def tournaments(self) -> list[int]:
        """The numbers of all tournaments, the latest last."""
        with self.writing() as session:
            return list(session.scalars(select(TournamentRow.id).order_by(TournamentRow.id)))

    def plan(self, tournament: int) -> TournamentPlan:
        """Raises BadInput where there is no such tournament, BadFile for one that is damaged."""
        with self.writing() as session:
            row = session.get(TournamentRow, tournament)
            if row is None:
                raise BadInput(
                    message("{place} has no tournament {n}", place=shown(self.place), n=tournament)
                )
            chosen = select(EntrantRow).where(EntrantRow.tournament_id == tournament)
            entrants = session.scalars(chosen.order_by(EntrantRow.place)).all()
            try:
                options = parse_json(row.options, shown(self.place))
                plan = TournamentPlan(
                    game=row.game,
                    options=options if isinstance(options, dict) else {},
                    game_sha256=row.game_sha256,
                    entrants=tuple(Entrant(e.name, e.text, e.sha256) for e in entrants),
                    seed=row.seed,
                    games=row.games,
                    max_plies=row.max_plies,
                    is_open=row.is_open,
                )
                if plan.digest != row.digest or [e.place for e in entrants] != list(range(len(entrants))):
                    raise ValueError(row.digest)
            except (BadInput, ValueError):  # also what no plan can be, whatever it is
                raise damaged(
                    self.place, _("the plan of tournament {n} is not what was entered", n=tournament)
                ) from None
            return plan

    def require_consistent(self) -> None:
        """Raises BadFile where rows contradict the plan of their tournament: what is damaged is told before
        anything is made of it.
        """
        for tournament in self.tournaments():
            self._require_as_planned(tournament, self.plan(tournament))

    def _require_as_planned(self, tournament: int, plan: TournamentPlan) -> None:
        mine, system = PairingRow.tournament_id == tournament, plan.system
        entrants = len(plan.entrants)
        with self.writing() as session:
            sizes = session.execute(
                select(PairingRow.round, func.count(), func.max(PairingRow.second))
                .where(mine)
                .group_by(PairingRow.round)
                .order_by(PairingRow.round)
            ).all()
            beyond = session.scalar(
                select(func.count())
                .select_from(GameRow)
                .join(PairingRow, PairingRow.id == GameRow.pairing_id)
                .where(mine, GameRow.number >= plan.games)
            )
            # those of a class are of its one tournament
            unknown = plan.is_open and session.scalar(
                select(func.count()).select_from(SubmissionRow).where(SubmissionRow.place >= entrants)
            )
        each = system.pairings // system.rounds
        for number, (round, count, last) in enumerate(sizes):
            if round != number or last >= entrants or (count != each and not plan.is_open):
                said = _("round {n} of tournament {of} is not what was planned", n=round + 1, of=tournament)
                raise damaged(self.place, said)
        if len(sizes) > system.rounds or beyond or unknown:
            said = _("tournament {n} has more than was planned", n=tournament)
            raise damaged(self.place, said)

    def pair(self, tournament: int, round: int, pairs: Iterable[Pair]) -> list[Pairing]:
        """The pairings of a round, in the order of their numbers: they are entered once."""
        with self.writing() as session:
            mine = (PairingRow.tournament_id == tournament) & (PairingRow.round == round)
            if not session.scalar(select(func.count()).where(mine)):
                rows = [
                    {"tournament_id": tournament, "round": round, "first": first, "second": second}
                    for first, second in pairs
                ]
                session.execute(insert(PairingRow), rows)
            return [
                pairing_of(row)
                for row in session.scalars(select(PairingRow).where(mine).order_by(PairingRow.id))
            ]

    def pairings(self, tournament: int) -> list[Pairing]:
        """All pairings so far."""
        with self.writing() as session:
            mine = select(PairingRow).where(PairingRow.tournament_id == tournament).order_by(PairingRow.id)
            return [pairing_of(row) for row in session.scalars(mine)]

    def keep(self, played: Iterable[tuple[Pairing, PlayedGame]]) -> None:
        """Keeps some games, all of them or none."""
        rows = [
            {
                "pairing_id": pairing.id,
                "number": game.number,
                "moves": to_json(game.moves),
                "payoff_first": game.payoffs[0],
                "payoff_second": game.payoffs[1],
                "finished": game.finished,
                "resigned": game.resigned,
                "fault": to_json(packed(game.fault)) if game.fault else "",
            }
            for pairing, game in played
        ]
        if rows:
            with self.writing() as session:
                session.execute(insert(GameRow), rows)

    def numbers(self, tournament: int, round: int) -> dict[int, set[int]]:
        """The numbers of the games of a round that are kept, by the number of the pairing."""
        with self.writing() as session:
            found: dict[int, set[int]] = {}
            rows = session.execute(
                select(GameRow.pairing_id, GameRow.number)
                .join(PairingRow, PairingRow.id == GameRow.pairing_id)
                .where(PairingRow.tournament_id == tournament, PairingRow.round == round)
            )
            for pairing, number in rows:
                found.setdefault(pairing, set()).add(number)
            return found

    def played(self, pairing: int) -> set[int]:
        """The numbers of the games of a pairing that are kept."""
        with self.writing() as session:
            return set(session.scalars(select(GameRow.number).where(GameRow.pairing_id == pairing)))

    def tallies(self, tournament: int, round: int, games: int) -> list[Tally]:
        """What was played in the rounds before `round` and, in it, of the first `games` games of each
        pairing: a line a pairing.
        """
        first, second = GameRow.payoff_first, GameRow.payoff_second
        at_fault = GameRow.fault != ""
        counts = [
            func.sum(case((condition, 1), else_=0))
            for condition in (
                first > 0,
                first == 0,
                first < 0,
                at_fault & (first < 0),
                at_fault & (second < 0),
            )
        ]
        chosen = (
            select(PairingRow.first, PairingRow.second, *counts)
            .join(GameRow, GameRow.pairing_id == PairingRow.id)
            .where(
                PairingRow.tournament_id == tournament,
                (PairingRow.round < round) | ((PairingRow.round == round) & (GameRow.number < games)),
            )
            .group_by(PairingRow.id, PairingRow.first, PairingRow.second)
            .order_by(PairingRow.id)
        )
        with self.writing() as session:
            return [Tally((a, b), *map(int, ends)) for a, b, *ends in session.execute(chosen)]

    def first_fault(self, tournament: int) -> str:
        """What the first agent that lost by a fault did; empty where none has."""
        with self.writing() as session:
            chosen = (
                select(GameRow.fault)
                .join(PairingRow, PairingRow.id == GameRow.pairing_id)
                .where(PairingRow.tournament_id == tournament, GameRow.fault != "")
                .order_by(GameRow.pairing_id, GameRow.number)
            )
            return str(fault_of(session.scalar(chosen.limit(1)) or ""))

    def games_of(self, tournament: int, names: list[str], agent: str) -> list[GameOfAgent]:
        """All games of an agent, of those that take part by these names. Raises UnknownName."""
        if agent not in names:
            raise UnknownName(
                message("no agent {agent} takes part; there are: {names}", agent=agent, names=" ".join(names))
            )
        place = names.index(agent)
        chosen = (
            select(GameRow, PairingRow)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(
                PairingRow.tournament_id == tournament,
                (PairingRow.first == place) | (PairingRow.second == place),
            )
            .order_by(PairingRow.id, GameRow.number)
        )
        with self.writing() as session:
            return [
                game_of(game, pairing, names, place, self.place) for game, pairing in session.execute(chosen)
            ]

    def last_game(self) -> int:
        """The number of the game that was kept last, 0 where there is none: another whenever there are
        more.
        """
        with self.writing() as session:
            return session.scalar(select(func.max(GameRow.id))) or 0

    def replays(self, tournament: int, place: int, opponents: Collection[int], most: int) -> list[ListedGame]:
        """The games of the entrant at a place with some others, the first `most` of them."""
        mine, other = PairingRow.first == place, PairingRow.second == place
        chosen = (
            select(GameRow, PairingRow)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(
                PairingRow.tournament_id == tournament,
                (mine & PairingRow.second.in_(opponents)) | (other & PairingRow.first.in_(opponents)),
            )
            .order_by(PairingRow.id, GameRow.number)
            .limit(most)
        )
        with self.writing() as session:
            return [replay_of(game, pairing, place, self.place) for game, pairing in session.execute(chosen)]

    def record(self, game: int) -> GameRecord:
        """A game by its number in the store, as a record. Raises BadInput, BadFile."""
        with self.writing() as session:
            row = session.get(GameRow, game)
            if row is None:
                raise BadInput(message("{place} has no game {n}", place=shown(self.place), n=game))
            pairing = session.get_one(PairingRow, row.pairing_id)
            kept = row.number, row.moves, row.finished, row.resigned, row.fault
            payoffs, pair, tournament = (
                (row.payoff_first, row.payoff_second),
                (pairing.first, pairing.second),
                pairing.tournament_id,
            )
        number, written, finished, resigned, fault = kept
        plan = self.plan(tournament)
        moves = moves_of(game, written, self.place)
        names = [plan.entrants[entrant].name for entrant in pair]
        seed = seed_of_pair(plan.seed, *names)
        if number & 1:  # seats are changed
            names.reverse()
            payoffs = payoffs[::-1]
        return GameRecord(
            game=plan.game,
            options=plan.options,
            players=tuple(names),
            moves=tuple(moves),
            payoffs=payoffs,
            seed=seed,
            number=number,
            finished=finished,
            resigned=resigned,
            fault=fault_of(fault),
        )


@contextlib.contextmanager
def opened(place: str, *, create: bool = True) -> Iterator[Store]:
    """The store at a path or a URL, looked through from end to end. Raises BadInput, BadFile."""
    engine = engine_of(place, create=create)
    try:
        require_whole(engine, place)
        store = Store(place, engine)
        store.require_consistent()
        yield store
    finally:
        engine.dispose()


def pairing_of(row: PairingRow) -> Pairing:
    return Pairing(row.id, row.round, (row.first, row.second))


def replay_of(game: GameRow, pairing: PairingRow, place: int, where: str) -> ListedGame:
    """A game as the entrant at `place` sees it; one whose moves are damaged has none, and says so."""
    is_first = pairing.first == place
    payoff = game.payoff_first if is_first else game.payoff_second
    try:
        moves = moves_of(game.id, game.moves, where)
        fault = str(fault_of(game.fault))
    except BadFile:
        moves, fault = [], _("its moves are damaged in the store")
    return ListedGame(
        game.id,
        pairing.second if is_first else pairing.first,
        1 + (game.number + (not is_first)) % 2,
        (payoff > 0) - (payoff < 0),
        moves,
        fault,
    )


def fault_of(kept: str) -> Text:
    """The fault that a store keeps of a game; empty where there was none."""
    try:
        return unpacked(parse_json(kept, "")) if kept else ""
    except (BadFile, ValueError):  # of another damier, or damaged
        return message("what was found was kept by another damier, which has to read it")


def moves_of(game: int, written: str, where: str) -> list[str]:
    """The names of the moves of a game. Raises BadFile."""
    moves = parse_json(written, shown(where))
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadFile(message("{place}: the moves of game {n} are damaged", place=shown(where), n=game))
    return moves


def game_of(game: GameRow, pairing: PairingRow, names: list[str], place: int, where: str) -> GameOfAgent:
    """A game as the entrant at `place` sees it. Raises BadFile for moves that are damaged."""
    is_first = pairing.first == place
    payoff = game.payoff_first if is_first else game.payoff_second
    return {
        "game": game.id,
        "opponent": names[pairing.second if is_first else pairing.first],
        "seat": 1 + (game.number + (not is_first)) % 2,
        "result": (payoff > 0) - (payoff < 0),
        "plies": len(moves_of(game.id, game.moves, where)),
        "fault": str(fault_of(game.fault)),
    }
