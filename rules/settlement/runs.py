"""Deals whose remaining cards were run several times: each run as a separate record.

A record contains the cards before the runs, and its `runs` contain what each run adds
(docs/record.md, "Several runs"). Each run is read and settled as a complete record, with its part
of each pot.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from rules.cards import CARDS, TEXTS, UNSEEN, UNSEEN_TEXT, format_cards, sign
from rules.errors import Problem, path_part, quoted
from rules.game.hand import (
    LEAST_RUNS,
    MOST_CARDS,
    MOST_ROUNDS,
    MOST_RUNS,
    RESULT,
    RUN_KEYS,
    RUN_PLAYER_KEYS,
    Hand,
    Run,
)
from rules.settlement.checks import needs_showdown
from rules.settlement.story.facts import Reason
from rules.showdown.evaluation import MeasuredStrength, measured_strength
from rules.showdown.showdown import Showdown

Record = Mapping[str, Any]
Read = tuple[Hand | None, list[Problem]]
BAD_RUNS = "bad-runs"
ZONES = ("down", "up")
HARMLESS = {"unknown-key", "name-twice"}  # errors that do not prevent a run from being read


def run_records(record: Record) -> list[dict[str, Any]]:
    """Return the complete record of each run, without `took`. The runs must be valid."""
    return [_Completed(record, index).record for index in range(len(record["runs"]))]


def read_runs(record: Record, read_one: Callable[[Record], Read]) -> Read:
    """Return the hand of a record, with its `runs`, and its errors.

    `read_one` reads a single record. It returns the hand even if it has errors, unless its game is
    unknown.
    """
    raw = record["runs"]
    hand, known = read_one({key: value for key, value in record.items() if key != "runs"})
    if not isinstance(raw, list) or not LEAST_RUNS <= len(raw) <= MOST_RUNS:
        text = f"a list of {LEAST_RUNS} to {MOST_RUNS} runs is required"
        others = [problem for problem in known if problem.code != "card-count"]
        return hand, [Problem("runs", BAD_RUNS, text), *others]
    if hand is not None and hand.depth == RESULT:
        text = "a result contains no cards, so it has no runs"
        return hand, [Problem("runs", BAD_RUNS, text), *known]
    problems = [*known] if hand is None else [*_game_problems(hand)]
    hands: list[Hand] = []
    for index, run in enumerate(raw):
        where = f"runs/{index}"
        wrong = [*_shape_problems(where, run)]
        problems += wrong
        if not {problem.code for problem in wrong} <= HARMLESS:
            continue
        completed = _Completed(record, index)
        problems += completed.problems(hand)
        if not _counts(run):
            problems.append(Problem(where, "card-count", "a run must deal at least one card"))
            continue
        run_hand, wrong = read_one(completed.record)
        problems += map(completed.relocated, wrong)
        hands += [] if run_hand is None else [run_hand]
    if len(hands) == len(raw):
        problems += _repeated_cards(raw)
        problems += [] if problems else _unequal_runs(raw)
    if hand is not None and not problems:
        hand.runs = hands
        for index, each in enumerate(hands):
            each.run = Run(index, len(raw), tuple(hand.live), "tiebreaks" in raw[index])
    return hand, [*dict.fromkeys(problems)]


def _game_problems(hand: Hand) -> Iterator[Problem]:
    """Report hands that can't be run several times, because no pot is divided by their cards."""
    game = hand.game
    if game.bank or game.against_pot or game.dues or game.keeps_pot:
        text = "a deal of this game is run once, because its losers pay or its pot may stay"
        yield Problem("runs", BAD_RUNS, text)
        return
    # one player may be left because all others saw the runs and mucked
    unfolded = sum(not (player.folded or player.killed) for player in hand.players)
    all_mucked = game.compares_hands and len(hand.live) == 1 and unfolded > 1
    if not (needs_showdown(hand) or all_mucked):
        text = "there is nothing to run, because no hands are compared"
        yield Problem("runs", BAD_RUNS, text)


# --- the shape of a run -------------------------------------------------------------------------


def _shape_problems(where: str, run: object) -> Iterator[Problem]:
    if not isinstance(run, Mapping):
        yield Problem(where, "wrong-type", "a run must be an object")
        return
    yield from _unknown_keys(where, run, RUN_KEYS)
    board = run.get("board", [])
    if not _is_list(board) or not all(map(_is_list, board)):
        yield Problem(f"{where}/board", "wrong-type", "the board must be a list of rows of cards")
    options = run.get("options", {})
    if not isinstance(options, Mapping) or len(options) > MOST_CARDS:
        yield Problem(f"{where}/options", "wrong-type", "an object of options is required")
    for key, most in (("shared", MOST_CARDS), ("tiebreaks", MOST_ROUNDS)):
        if not _is_list(run.get(key, []), most):
            text = f"a list of at most {most} items is required"
            yield Problem(f"{where}/{key}", "wrong-type", text)
    players = run.get("players", [])
    if not _is_list(players):
        yield Problem(f"{where}/players", "wrong-type", "a list of players is required")
        return
    for index, player in enumerate(players):
        yield from _player_problems(f"{where}/players/{index}", player)
    names = [player["name"] for player in players if _is_named(player)]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield Problem(f"{where}/players/{index}/name", "name-twice", "the run has this player")


def _player_problems(where: str, player: object) -> Iterator[Problem]:
    if not isinstance(player, Mapping):
        yield Problem(where, "wrong-type", "a player must be an object")
        return
    yield from _unknown_keys(where, player, RUN_PLAYER_KEYS)
    if not _is_named(player):
        yield Problem(f"{where}/name", "missing", "the player has no name")
    for zone in ZONES:
        if not _is_list(player.get(zone, [])):
            yield Problem(f"{where}/{zone}", "wrong-type", "a list of cards is required")


def _unknown_keys(where: str, raw: Mapping[str, Any], known: frozenset[str]) -> Iterator[Problem]:
    for key in list(raw)[: MOST_CARDS + 1]:
        if key not in known:
            text = f"there is no such key; the keys are {', '.join(sorted(known))}"
            yield Problem(f"{where}/{path_part(key)}", "unknown-key", text)


def _is_list(value: object, most: int = MOST_CARDS) -> bool:
    return isinstance(value, list) and len(value) <= most


def _is_named(player: object) -> bool:
    return isinstance(player, Mapping) and isinstance(player.get("name"), str)


# --- the record of a run ------------------------------------------------------------------------


class _Completed:
    """The record of a deal with the cards of one run, and where each part of it comes from."""

    def __init__(self, whole: Record, index: int) -> None:
        self.whole, self.runs, self.where = whole, whole["runs"], f"runs/{index}"
        self.run: Record = self.runs[index]
        # maps paths in the completed record to paths in the whole record, for single values and for
        # parts
        self.moved: dict[str, str] = {}
        self.moved_parts: dict[str, str] = {}
        self.record = {key: value for key, value in whole.items() if key not in ("runs", "took")}
        self._add_board(whole.get("board", []), self.run.get("board", []))
        self._add_players(whole.get("players"), self.run.get("players", []))
        shared, added = whole.get("shared", []), self.run.get("shared", [])
        if added and isinstance(shared, list):
            self.record["shared"] = [*shared, *added]
            for at in range(len(added)):
                self.moved_parts[f"shared/{len(shared) + at}"] = f"{self.where}/shared/{at}"
        if "tiebreaks" in self.run:
            self.record["tiebreaks"] = self.run["tiebreaks"]
            self.moved_parts["tiebreaks"] = f"{self.where}/tiebreaks"
        options, changed = whole.get("options", {}), self.run.get("options", {})
        if changed and isinstance(options, Mapping):
            self.record["options"] = {**options, **changed}
            for key in changed:
                place = f"options/{path_part(key)}"
                self.moved_parts[place] = f"{self.where}/{place}"

    def _add_board(self, board: Any, added: list[list[Any]]) -> None:
        if added and isinstance(board, list):
            empty: list[Any] = []
            rows = enumerate(zip_longest(board, added, fillvalue=empty))
            self.record["board"] = [
                self._filled(row, more, f"board/{at}", f"{self.where}/board/{at}")
                for at, (row, more) in rows
            ]

    def _add_players(self, players: Any, added: list[Record]) -> None:
        if not added or not isinstance(players, list):
            return
        self.record["players"] = players = list(players)
        seats = {each["name"]: seat for seat, each in enumerate(players) if _is_named(each)}
        for index, adds in enumerate(added):
            seat, new = seats.get(adds["name"]), f"{self.where}/players/{index}"
            if seat is None:
                continue
            player = players[seat] = dict(players[seat])
            for zone in ZONES:
                if adds.get(zone):
                    there = f"players/{seat}/{zone}", f"{new}/{zone}"
                    player[zone] = self._filled(player.get(zone, []), adds[zone], *there)
            if "declared" in adds:
                player["declared"] = adds["declared"]
                self.moved[f"players/{seat}/declared"] = f"{new}/declared"

    def _filled(self, before: Any, added: list[Any], old: str, new: str) -> Any:
        """Return a list of cards with the run's cards, which first replace unseen cards."""
        if not added or not isinstance(before, list):
            return before
        cards = list(before)
        gaps = [at for at, card in enumerate(before) if card == UNSEEN_TEXT][: len(added)]
        further = range(len(before), len(before) + len(added) - len(gaps))
        for place, at in enumerate([*gaps, *further]):
            cards[at : at + 1] = [added[place]]
            self.moved[f"{old}/{at}"] = f"{new}/{place}"
        self.moved[old] = new
        return cards

    def problems(self, hand: Hand | None) -> Iterator[Problem]:
        """Report players who aren't in the record, and options that apply to the whole deal."""
        players = self.whole.get("players")
        there = players if isinstance(players, list) else []
        names = {each["name"] for each in there if _is_named(each)}
        for index, added in enumerate(self.run.get("players", [])):
            if added["name"] not in names:
                text = f"{quoted(added['name'])} is not at the table"
                yield Problem(f"{self.where}/players/{index}/name", "unknown-player", text)
        facts = {option.name for option in hand.game.options if option.asked} if hand else set()
        for key in self.run.get("options", {}):
            if hand is not None and key not in facts:
                text = "a run can only state a fact of its cards, such as the rank that is wild"
                yield Problem(f"{self.where}/options/{path_part(key)}", "unknown-option", text)

    def relocated(self, problem: Problem) -> Problem:
        """Return an error of the completed record with its path in the whole record."""
        where = self.moved.get(problem.where)
        parts = problem.where.split("/")
        if where is None:
            for length in (1, 2):
                if place := self.moved_parts.get("/".join(parts[:length])):
                    where = "/".join([place, *parts[length:]])
        if where is None and problem.code == "card-count" and self._is_dealt(parts):
            where = f"{self.where}/{parts[0]}"
        return problem if where is None else replace(problem, where=where)

    def _is_dealt(self, parts: list[str]) -> bool:
        """Return whether any run deals cards to this place."""
        if parts[0] == "board":
            return any(isinstance(run, Mapping) and run.get("board") for run in self.runs)
        if parts[0] != "players" or len(parts) < 2:
            return False
        name = self.whole["players"][int(parts[1])].get("name")
        return any(
            each["name"] == name
            for run in self.runs
            for each in (run.get("players", ()) if isinstance(run, Mapping) else ())
            if _is_named(each)
        )


# --- runs compared with each other --------------------------------------------------------------


def _repeated_cards(runs: Sequence[Record]) -> Iterator[Problem]:
    """Report cards of a run that an earlier run has dealt."""
    dealt: dict[int, int] = {}
    for index, run in enumerate(runs):
        dealt_here: list[tuple[str, object]] = []  # the path and the text of each card
        for number, row in enumerate(run.get("board", [])):
            dealt_here += [(f"board/{number}/{at}", card) for at, card in enumerate(row)]
        for number, player in enumerate(run.get("players", [])):
            for zone in ZONES:
                cards = enumerate(player.get(zone, []))
                dealt_here += [(f"players/{number}/{zone}/{at}", card) for at, card in cards]
        for at, item in enumerate(run.get("shared", [])):
            if isinstance(item, Mapping) and "card" in item:
                dealt_here.append((f"shared/{at}/card", item["card"]))
        own = {}
        for where, word in dealt_here:
            card = CARDS.get(word, UNSEEN) if isinstance(word, str) else UNSEEN
            if card in dealt:
                text = f"{sign(TEXTS[card])} is already in run {dealt[card] + 1}"
                yield Problem(f"runs/{index}/{where}", "card-twice", text)
            elif card != UNSEEN:
                own[card] = index
        dealt |= own


def _unequal_runs(runs: Sequence[Record]) -> Iterator[Problem]:
    """Report runs that deal different numbers of cards than the first run with the same facts."""
    first, facts = _counts(runs[0]), runs[0].get("options", {})
    for index, run in enumerate(runs[1:], start=1):
        if _counts(run) != first and run.get("options", {}) == facts:
            text = f"run {index + 1} must deal as many cards in each place as run 1"
            yield Problem(f"runs/{index}", "card-count", text)


def _counts(run: Record) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, row in enumerate(run.get("board", [])):
        counts[f"board/{number}"] = len(row)
    for player in run.get("players", []):
        for zone in ZONES:
            counts[f"{zone}/{player['name']}"] = len(player.get(zone, []))
    counts["shared"] = len(run.get("shared", []))
    return {place: count for place, count in counts.items() if count}


Answer = Mapping[str, Any]


def joined_carries(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """Return the chips that all runs carry. Chips for the same players are one amount."""
    amounts: Counter[tuple[str, ...]] = Counter()
    for answer in answers:
        for carry in answer["carries"]:
            amounts[tuple(carry["for"])] += carry["amount"]
    return [{"amount": amount, "for": [*names]} for names, amount in amounts.items()]


def joined_pots(answers: Iterable[Answer]) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Return the pots of the whole deal, and, for each run, the positions of its pots in that list.

    If a card kills hands in some runs, the runs may have different pots.
    """
    pots: dict[object, dict[str, Any]] = {}
    places: list[list[int]] = []
    for answer in answers:
        count: Counter[tuple[str, ...]] = Counter()
        places.append([])
        for part in answer["pots"]:
            names = tuple(part["for"])
            key = names, count[names]
            count[names] += 1
            pot = pots.setdefault(key, {"amount": 0, "for": [*names], "shares": []})
            pot["amount"] += part["amount"]
            by_way = {share["way"]: share for share in pot["shares"]}
            for added in part["shares"]:
                share = by_way.get(added["way"])
                if share is None:
                    pot["shares"].append({**added, "winners": dict(added["winners"])})
                    continue
                share["amount"] += added["amount"]
                for name, chips in added["winners"].items():
                    share["winners"][name] = share["winners"].get(name, 0) + chips
            places[-1].append([*pots].index(key))
    return [*pots.values()], places


def best_hands(
    hands: Sequence[Hand], showdowns: Sequence[Showdown], answers: Sequence[Answer]
) -> dict[str, Any]:
    """Return the best hand that each player showed in any run, for each way."""
    best: dict[str, dict[str, Any]] = {}
    strongest: dict[tuple[str, str], MeasuredStrength] = {}
    for hand, showdown, answer in zip(hands, showdowns, answers, strict=True):
        seats = {player.name: seat for seat, player in enumerate(hand.players)}
        for name, ways in answer["hands"].items():
            shown = best.setdefault(name, {})
            for way, made in ways.items():
                measures = showdown.strengths[hand.game.share_names.index(way)]
                strength = measured_strength(
                    strengths.get(seats[name], -1) for strengths in measures
                )
                if way not in shown or strength > strongest[name, way]:
                    strongest[name, way], shown[way] = strength, made
    return best


def explain_runs(
    hand: Hand, answers: Sequence[Mapping[str, Any]], places: Sequence[Sequence[int]]
) -> list[Reason]:
    """Return the reasons for all runs.

    `places` has the indices of each run's pots in the answer. Reasons that apply to the whole deal,
    such as uncalled chips, come first and only once. The number of runs and the cards that each run
    dealt to the board follow.
    """
    own = [answer["reasons"] for answer in answers]
    common = [
        reason
        for reason in own[0]
        if "pots" not in reason and all(reason in others for others in own[1:])
    ]
    before = {card for row in hand.board for card in row}
    boards = [
        format_cards([card for row in run.board for card in row if card not in before])
        for run in hand.runs
    ]
    runs: Reason = {"code": "runs", "number": len(hand.runs)}
    reasons = [*common, runs | {"boards": boards} if all(boards) else runs]
    for number, (run_reasons, pots) in enumerate(zip(own, places, strict=True), start=1):
        for reason in run_reasons:
            if reason not in common:
                moved = {"pots": [pots[at] for at in reason["pots"]]} if "pots" in reason else {}
                reasons.append({**reason, **moved, "run": number})
    return reasons
