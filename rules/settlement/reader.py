"""Reads one record, piece by piece, and keeps every problem with a path to it.

Nothing is guessed away and nothing is cut short (docs/record.md, "Errors"). What the game asks of a
record stands in `rules.settlement.checks`.
"""

from collections.abc import Mapping
from typing import Any

from rules.cards import CARDS, not_a_card
from rules.error_text import path_part, quoted
from rules.game.hand import (
    CARRIED_KEYS,
    MOST_CARDS,
    MOST_NAME,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PLAYER_KEYS,
    RESULT,
    SHARED_KEYS,
    SHOWDOWN,
    USUAL_KEYS,
    Carried,
    Player,
    is_name,
    seen_as,
)
from rules.settlement.field_reader import FieldReader


class Reader(FieldReader):
    """Reads one record, keeping every problem."""

    def name(self, where: str, raw: Mapping[str, Any], seen: dict[str, int]) -> str:
        name = raw.get("name")
        if type(name) is str and is_name(name):
            if seen_as(name) not in seen:
                seen[seen_as(name)] = len(seen)
                return name
            self.problem(f"{where}/name", "name-twice", f"{name} sits at the table already")
        elif name is None:
            self.problem(f"{where}/name", "missing", "the player has no name")
        else:
            reason = f"a name is a text of 1 to {MOST_NAME} printable characters"
            self.problem(f"{where}/name", "wrong-type", reason)
        return ""

    def player(self, index: int, raw: object, seen: dict[str, int]) -> Player:
        where = f"players/{index}"
        if not isinstance(raw, dict):
            self.problem(where, "wrong-type", "a player is an object")
            return Player("", folded=True)  # asked for no cards beside that
        if not raw.keys() <= PLAYER_KEYS:
            self.unknown_keys(where, raw, PLAYER_KEYS)
        player = Player(self.name(where, raw, seen))
        if "paid" in raw:
            player.paid_told = True
            player.paid = self.chips(where, raw["paid"], "paid")
        if "down" in raw:
            player.down = self.cards(where, raw["down"], "down")
        if "up" in raw:
            player.up = self.cards(where, raw["up"], "up")
        if not raw.keys() <= USUAL_KEYS:
            self._unusual(where, raw, player)
        return player

    def _unusual(self, where: str, raw: Mapping[str, Any], player: Player) -> None:
        """What most players of most hands do not have."""
        dead = raw.get("dead", 0)
        if dead != 0 or type(dead) is not int:
            player.dead = self.chips(where, dead, "dead")
            if player.dead > player.paid and type(raw.get("paid", 0)) is int:
                self.problem(f"{where}/dead", "bad-chips", "dead chips are part of those paid")
        folded = raw.get("folded", False)
        if folded == "late":
            player.folded = player.late = True
        elif folded is not False:
            player.folded = self.truth(where, folded, "folded")
        if "mucked" in raw:
            player.mucked = self.truth(where, raw["mucked"], "mucked")
        if "all_in" in raw:
            player.all_in = self.truth(where, raw["all_in"], "all_in")
        if "out" in raw:
            player.out = self.cards(where, raw["out"], "out")
        if "piles" in raw:
            player.piles = self._piles(f"{where}/piles", raw["piles"])
        declared = raw.get("declared")
        if declared is None or type(declared) is str:
            player.declared = declared
        else:
            self.problem(f"{where}/declared", "wrong-type", "a declaration is a text")

    def _piles(self, where: str, raw: object) -> dict[str, list[int]]:
        if not isinstance(raw, Mapping):
            self.problem(where, "wrong-type", "piles are an object, name to cards")
            return {}
        return {str(pile): self.cards(where, raw[pile], pile) for pile in list(raw)[:MOST_CARDS]}

    def players(self) -> list[Player]:
        raw = self.record.get("players")
        if raw is None:
            self.problem("players", "missing", "the record names no players")
        elif type(raw) is not list:
            self.problem("players", "wrong-type", "a list of players is needed here")
        elif not raw:
            self.problem("players", "no-players", "nobody sits at the table")
        elif len(raw) > MOST_PLAYERS:
            self.problem("players", "wrong-type", f"at most {MOST_PLAYERS} players")
        else:
            seen: dict[str, int] = {}
            return [self.player(index, player, seen) for index, player in enumerate(raw)]
        return []

    def button(self, players: int) -> int:
        button = self.record.get("button")
        if button is None:
            self.problem("button", "missing", "the record does not say who deals")
        elif type(button) is not int:
            self.problem("button", "wrong-type", "the button is the index of a player")
        elif players and not 0 <= button < players:
            self.problem("button", "bad-button", f"there is no player {button}, counted from 0")
        else:
            return button
        return 0

    def depth(self) -> str:
        depth = self.record.get("depth", SHOWDOWN)
        if depth not in (SHOWDOWN, RESULT):
            self.problem("depth", "wrong-type", "the depth is showdown or result")
            return SHOWDOWN
        return str(depth)

    def board(self) -> list[list[int]]:
        raw = self.record.get("board", [])
        if type(raw) is not list or not set(map(type, raw)) <= {list}:
            self.problem("board", "wrong-type", "the board is a list of rows of cards")
            return []
        if len(raw) > MOST_CARDS:
            self.problem("board", "card-count", f"{len(raw)} rows are more than any board has")
            return []
        return [self.cards("board", row, index) for index, row in enumerate(raw)]

    # --- chips beside the players -----------------------------------------------------------------

    def carried(self, names: Mapping[str, int]) -> list[Carried]:
        raw = self.record.get("carried", 0)
        if type(raw) is not list:
            amount = self.chips("carried", raw)
            return [Carried(amount)] if amount else []
        pots = self.items("carried", raw, "pots")
        return [self._carry(index, item, names) for index, item in enumerate(pots)]

    def _carry(self, index: int, raw: object, names: Mapping[str, int]) -> Carried:
        where = f"carried/{index}"
        if not isinstance(raw, Mapping):
            self.problem(where, "wrong-type", "an amount and whom it is for are needed here")
            return Carried(0)
        self.unknown_keys(where, raw, CARRIED_KEYS)
        if "amount" not in raw:
            self.problem(f"{where}/amount", "missing", "how many chips were carried?")
        amount = self.chips(where, raw.get("amount", 0), "amount")
        if raw.get("for") is None:
            return Carried(amount)
        return Carried(amount, self.seats(f"{where}/for", raw["for"], names))

    def shared(self, players: list[Player], names: Mapping[str, int]) -> list[int]:
        """Cards that only some hold together, given to each of them; every such card once."""
        raw = self.items("shared", self.record.get("shared", []), "shared cards", MOST_CARDS)
        found = []
        for index, item in enumerate(raw):
            where = f"shared/{index}"
            if not isinstance(item, Mapping) or not {"card", "for"} <= item.keys():
                self.problem(where, "wrong-type", "a card and whom it is for are needed here")
                continue
            self.unknown_keys(where, item, SHARED_KEYS)
            cards = self._shared_card(f"{where}/card", item["card"])
            for seat in self.seats(f"{where}/for", item["for"], names):
                players[seat].shared = [*players[seat].shared, *cards]
            found += cards
        return found

    def _shared_card(self, where: str, raw: object) -> list[int]:
        if type(raw) is str and raw in CARDS:
            return [CARDS[raw]]
        code = "bad-card" if type(raw) is str else "wrong-type"
        text = not_a_card(raw) if type(raw) is str else f"{quoted(raw)} is no card"
        self.problem(where, code, text)
        return []

    def took(self, names: Mapping[str, int]) -> dict[str, int] | None:
        raw = self.record.get("took")
        if raw is None:
            return None
        if not isinstance(raw, Mapping) or len(raw) > MOST_PLAYERS:
            self.problem("took", "wrong-type", "an object, name to chips, is needed here")
            return None
        found = {}
        for name, amount in raw.items():
            if name not in names:
                where = f"took/{path_part(name)}"
                self.problem(where, "unknown-player", f"{quoted(name)} is not at the table")
            found[name] = self.chips("took", amount, name)
        return found

    def tiebreaks(self, names: Mapping[str, int]) -> list[dict[str, list[int]]]:
        raw = self.items("tiebreaks", self.record.get("tiebreaks", []), "rounds", MOST_ROUNDS)
        return [self._round(index, item, names) for index, item in enumerate(raw)]

    def _round(self, index: int, raw: object, names: Mapping[str, int]) -> dict[str, list[int]]:
        where = f"tiebreaks/{index}"
        if not isinstance(raw, Mapping):
            self.problem(where, "wrong-type", "a round is an object, name to cards")
            return {}
        found = {}
        for name, cards in raw.items():
            if name not in names:
                place = f"{where}/{path_part(name)}"
                self.problem(place, "unknown-player", f"{quoted(name)} is not at the table")
            found[name] = self.cards(where, cards, name)
        return found
