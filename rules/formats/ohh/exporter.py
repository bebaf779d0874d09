"""Export Open Hand History for games with a code."""

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from rules.cards import UNSEEN, format_cards
from rules.errors import Problem
from rules.formats.amounts import Chip, chip_of
from rules.formats.games import Code, fitting_code, missing_code
from rules.formats.hands import run_problems
from rules.formats.ohh.importer import RUN_FLAG
from rules.formats.toml import LITERAL
from rules.history import Table, act, begin
from rules.history.actions import DEALER, Action, read_action, read_cards, read_deal
from rules.history.replay import final_record
from rules.history.table import board_rows
from rules.settlement import reading
from rules.settlement.settle import settle_hands

Record = Mapping[str, Any]
Json = dict[str, Any]
STREETS = ("Preflop", "Flop", "Turn", "River")
STREET_ENDS = {"Flop": 3, "Turn": 4, "River": 5}  # cards on the board
POSTS = {
    "ante": "Post Ante",
    "straddle": "Straddle",
    "dead": "Post Dead",
    "post": "Post Extra Blind",
}
VERSION = "1.4.7"


def write_ohh(record: Record) -> tuple[str | None, list[Problem]]:
    """Write one hand as JSON, or return the reasons why the format can't represent it."""
    table, problems = begin(record)
    if table is None:
        return None, problems
    code = fitting_code(table, "ohh")
    problems = [missing_code(record, "ohh")] if code is None else [*run_problems(record)]
    if code is None or problems:
        return None, problems
    return json.dumps({"ohh": _Writer(record, table, code).hand_json()}, default=float), []


class _Writer:
    """Replays a hand and writes its events."""

    def __init__(self, record: Record, table: Table, code: Code) -> None:
        self.record, self.table, self.code = record, table, code
        self.about = (
            record.get("about", {}) if record.get("about", {}).get("format") == "ohh" else {}
        )
        self.chip = chip_of(record.get("about")) or Chip()
        self.rounds: list[Json] = []
        self.unfinished = False

    def chips(self, chips: int) -> Any:
        return self.chip.amount(chips)

    def hand_json(self) -> Json:
        kind, _, bets = self.code.code.partition(" ")
        blinds = self.record.get("stakes", {}).get("blinds", [])
        header: Json = {
            "spec_version": VERSION,
            "site_name": "",
            "network_name": "",
            "internal_version": "1",
            "tournament": False,
            "game_number": "",
            "start_date_utc": "",
            "table_name": "",
            "game_type": kind,
            "bet_limit": {"bet_type": bets, "bet_cap": 0},
            "table_size": len(self.table.seats),
            "currency": "",
            "dealer_seat": self.seat(self.record["button"]),
            "small_blind_amount": self.chips(blinds[0] if blinds else 0),
            "big_blind_amount": self.chips(blinds[1] if len(blinds) > 1 else 0),
            "ante_amount": self.chips(self.table.stakes.ante),
            "hero_player_id": self.id(0),
        }
        original_fields = {
            key: _plain(value) for key, value in self.about.get("fields", {}).items()
        }
        if self.record.get("runs"):
            flags = [*(original_fields.get("flags") or ()), RUN_FLAG]
            original_fields["flags"] = list(dict.fromkeys(flags))
        players = [self.player(at) for at in range(len(self.table.seats))]
        self.play()
        return {
            **header,
            **original_fields,
            "players": players,
            "rounds": self.rounds,
            "pots": self.pots(),
        }

    def player_fields(self, at: int) -> Json:
        listed = self.about.get("players", ())
        return {key: _plain(value) for key, value in listed[at].items()} if listed else {}

    def id(self, at: int) -> Any:
        return self.player_fields(at).get("id", at)

    def seat(self, at: int) -> Any:
        return self.player_fields(at).get("seat", at + 1)

    def player(self, at: int) -> Json:
        seat = self.table.seats[at]
        own = {"id": at, "seat": at + 1}
        return (
            own
            | self.player_fields(at)
            | {
                "name": seat.name,
                "starting_stack": self.chips(seat.start or 0),
            }
        )

    # --- rounds ---------------------------------------------------------------------------------

    def play(self) -> None:
        self.street([])
        for seat in self.table.order:
            self.posted(seat)
        for text in self.record["actions"]:
            action = read_action(text)
            at, before = self.table.at, [(seat.paid, seat.bet) for seat in self.table.seats]
            act(self.table, text)
            if isinstance(action, Action) and action.verb:
                self.write(action, before, at)
        board = [card for row in board_rows(self.table) for card in format_cards(row)]
        for run in self.record.get("runs", ()):
            self.run(board, run["board"][0])

    def run(self, board: list[str], cards: list[str]) -> None:
        """Add the streets of a run, which have the same names in each run."""
        dealt = [*board, *cards]
        before = len(board)
        for name, count in STREET_ENDS.items():
            if count > before:
                self.street(dealt[before:count], name)
                before = count

    def street(self, cards: list[str], name: str = "") -> None:
        name = name or STREETS[min(len(self.rounds), len(STREETS) - 1)]
        self.rounds.append({"id": len(self.rounds), "street": name, "cards": cards, "actions": []})

    def posted(self, at: int) -> None:
        """Post the antes and blinds of the stakes, which come before the first action."""
        seat = self.table.seats[at]
        if seat.paid > seat.bet:
            self.add(at, "Post Ante", seat.paid - seat.bet)
        if seat.bet:
            self.add(at, self.blind(seat.bet), seat.bet)

    def blind(self, amount: int) -> str:
        blinds = self.record.get("stakes", {}).get("blinds", [0, 0])
        return "Post SB" if amount == blinds[0] and amount < max(blinds) else "Post BB"

    def add(self, at: int, what: str, amount: int = 0, cards: tuple[int, ...] = ()) -> None:
        actions = self.rounds[-1]["actions"]
        written: Json = {"action_number": len(actions), "player_id": self.id(at), "action": what}
        if amount:
            written["amount"] = self.chips(amount)
            written["is_allin"] = self.table.seats[at].all_in
        if cards:
            written["cards"] = format_cards(list(cards))
        actions.append(written)

    def write(self, action: Action, before: list[tuple[int, int]], stage: int) -> None:
        if action.seat == DEALER:
            self.dealt(action, stage)
            return
        at, verb = action.seat, action.verb
        if at >= len(before):
            return
        moved = self.table.seats[at].paid - before[at][0]
        if verb in POSTS or verb == "blind":
            self.add(at, POSTS.get(verb) or self.blind(moved), moved)
        elif verb == "cc":
            self.add(at, "Call" if moved else "Check", moved)
        elif verb == "cbr":
            raised = any(bet for _, bet in before)
            self.add(at, "Raise" if raised else "Bet", moved)
        elif verb == "f":
            self.add(at, "Fold")
        elif verb == "sm":
            cards = read_cards("".join(action.words)) or ()
            self.add(at, "Shows Cards" if action.words else "Mucks Cards", cards=cards)

    def dealt(self, action: Action, stage: int) -> None:
        cards = read_cards("".join(action.words[1 if action.verb == "dh" else 0 :])) or ()
        if action.verb == "db":
            if self.unfinished:  # the cards of the street were dealt one at a time
                self.rounds[-1]["cards"] += format_cards(list(cards))
            else:
                self.street(format_cards(list(cards)))
            self.unfinished = self.table.at == stage
        elif action.verb == "dh" and UNSEEN not in cards:
            index, _ = read_deal(action.words)
            if 0 <= index < len(self.table.seats):
                self.add(index, "Dealt Cards", cards=cards)

    # --- pots -----------------------------------------------------------------------------------

    def pots(self) -> list[Json]:
        final, wrong = final_record(self.record)
        hand = reading.read(final)[0] if final is not None and not wrong else None
        answer = next(settle_hands([hand], brief=True)) if hand is not None else {}
        names = {seat.name: at for at, seat in enumerate(self.table.seats)}
        pots = []
        for number, pot in enumerate(answer.get("pots", ())):
            won: Counter[str] = Counter()
            for share in pot["shares"]:
                won.update(share["winners"])
            wins = [
                {"player_id": self.id(names[name]), "win_amount": self.chips(chips)}
                for name, chips in won.items()
            ]
            amount = self.chips(pot["amount"])
            pots.append({"number": number, "amount": amount, "rake": 0, "player_wins": wins})
        return pots


def _plain(value: object) -> Any:
    if isinstance(value, dict):
        if set(value) == {LITERAL}:
            return Decimal(value[LITERAL])
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
