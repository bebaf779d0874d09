"""Read a record and collect all errors with their paths.

Nothing is guessed or truncated (docs/record.md, "Errors"). `rules.settlement.checks` checks what a
game requires of a record.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.cards import CARDS, not_a_card
from rules.documents.game_lookup import game_of
from rules.errors import Problem, nearest, path_part, quoted
from rules.game.game import MATCH_KEYS, MOST_COUNTED, MatchState
from rules.game.hand import (
    CARRIED_KEYS,
    MOST_CARDS,
    MOST_CHIPS,
    MOST_NAME,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PLAYER_KEYS,
    RECORD_KEYS,
    RESULT,
    SHARED_KEYS,
    SHOWDOWN,
    USUAL_KEYS,
    Carried,
    Hand,
    Player,
    is_name,
    seen_as,
)
from rules.game.workload import MOST_PROBLEMS
from rules.settlement.checks import BAD_MATCH, hand_problems
from rules.settlement.runs import read_runs

# record keys that contain player names
NAMING_KEYS = ("shared", "carried", "took", "tiebreaks", "match")


def read(record: object) -> tuple[Hand | None, list[Problem]]:
    """Return the hand of a record, or None and every reason why it can't be settled."""
    if type(record) is not dict and not isinstance(record, Mapping):
        return None, [Problem("", "wrong-type", "a record must be an object")]
    hand, problems = read_runs(record, _read) if "runs" in record else _read(record)
    return (None if problems else hand), problems[: MOST_PROBLEMS + 1]


def _read(record: Mapping[str, Any]) -> tuple[Hand | None, list[Problem]]:
    """Return the hand of a record without runs, even if it has errors, unless its game does."""
    reader = Reader(record)
    if not record.keys() <= RECORD_KEYS:
        reader.unknown_keys("", record, RECORD_KEYS)
    dealt = game_of(record)
    reader.problems += dealt.problems
    players = reader.players()
    button = reader.button(len(players))
    depth = reader.depth()
    board = reader.board()
    seats: dict[str, int] = {}
    if not record.keys().isdisjoint(NAMING_KEYS):
        seats = {player.name: seat for seat, player in enumerate(players)}
    shared = reader.shared(players, seats) if "shared" in record else []
    carried = reader.carried(seats) if "carried" in record else []
    took = reader.took(seats) if "took" in record else None
    tiebreaks = reader.tiebreaks(seats) if "tiebreaks" in record else []
    match = reader.match(seats) if "match" in record else None
    if dealt.game is None:
        return None, reader.problems
    odd_chip, unit = dealt.game.table_options
    hand = Hand(
        *(dealt.game, dealt.variant, depth, button, players, board, carried, took, tiebreaks),
        odd_chip=odd_chip,
        unit=unit,
        match=match,
    )
    reader.problems += hand_problems(hand, shared, reader.problems)
    return hand, reader.problems


class Reader:
    """Reads one record and collects its errors."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.problems: list[Problem] = []

    def problem(self, where: str, code: str, text: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(where, code, text))
        elif len(self.problems) == MOST_PROBLEMS:
            text = f"the record has more than {MOST_PROBLEMS} errors, and the others are not listed"
            self.problems.append(Problem(where, code, text))

    # --- values; the last part of a path is added only if there is an error -----------------------

    def chips(self, where: str, value: object, *key: object) -> int:
        """Read a whole number of chips from 0 to 10^12. Report any other value and return 0."""
        if type(value) is int and 0 <= value <= MOST_CHIPS:
            return value
        where = _path(where, key)
        if type(value) is int or type(value) is float:
            self.problem(where, "bad-chips", "chips must be whole numbers from 0 to 10^12")
        else:
            self.problem(where, "wrong-type", "a number of chips is required")
        return 0

    def truth(self, where: str, value: object, key: str) -> bool:
        if type(value) is not bool:
            self.problem(_path(where, (key,)), "wrong-type", "true or false is required")
            return False
        return value

    def cards(self, where: str, raw: object, *key: object) -> list[int]:
        """Read a list of cards. Invalid cards are reported and omitted."""
        try:
            if type(raw) is list:
                return [CARDS[card] for card in raw]
        except (KeyError, TypeError):
            pass
        where = _path(where, key)
        if not isinstance(raw, list):
            self.problem(where, "wrong-type", "a list of cards is required")
            return []
        if len(raw) > MOST_CARDS:
            self.problem(where, "card-count", f"the list has {len(raw)} cards, more than any deck")
            return []
        cards = []
        for index, card in enumerate(raw):
            if type(card) is not str:
                self.problem(f"{where}/{index}", "wrong-type", 'a card must be a string like "As"')
            elif card not in CARDS:
                self.problem(f"{where}/{index}", "bad-card", not_a_card(card))
            else:
                cards.append(CARDS[card])
        return cards

    def unknown_keys(self, where: str, raw: Mapping[str, Any], known: Iterable[str]) -> None:
        for key in raw:
            if key not in known and len(self.problems) <= MOST_PROBLEMS:
                path = f"{where}/{path_part(key)}" if where else path_part(key)
                near = nearest(str(key), known)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                self.problem(path, "unknown-key", f"there is no such key{hint}")

    def items(self, where: str, raw: object, what: str, most: int = MOST_PLAYERS) -> list[Any]:
        """Read a list of at most `most` items."""
        if type(raw) is list and len(raw) <= most:
            return raw
        self.problem(where, "wrong-type", f"a list of at most {most} {what} is required")
        return []

    def seats(self, where: str, raw: object, names: Mapping[str, int]) -> tuple[int, ...]:
        listed = self.items(where, raw, "names")
        if raw == []:
            self.problem(where, "wrong-type", "the list must name at least one player")
        seats = set()
        for index, name in enumerate(listed):
            if type(name) is str and name in names:
                seats.add(names[name])
            else:
                text = f"{quoted(name)} is not at the table"
                self.problem(f"{where}/{index}", "unknown-player", text)
        return tuple(sorted(seats))

    # --- players ----------------------------------------------------------------------------------

    def players(self) -> list[Player]:
        raw = self.record.get("players")
        if raw is None:
            self.problem("players", "missing", "the record names no players")
        elif type(raw) is not list:
            self.problem("players", "wrong-type", "a list of players is required")
        elif not raw:
            self.problem("players", "no-players", "the record needs at least one player")
        elif len(raw) > MOST_PLAYERS:
            self.problem(
                "players", "wrong-type", f"the record has more than {MOST_PLAYERS} players"
            )
        else:
            seen: set[str] = set()
            return [self.player(index, player, seen) for index, player in enumerate(raw)]
        return []

    def player(self, index: int, raw: object, seen: set[str]) -> Player:
        """Read a player. `seen` contains the names of the previous players."""
        where = f"players/{index}"
        if not isinstance(raw, dict):
            self.problem(where, "wrong-type", "a player must be an object")
            # counts as folded, so that missing cards are not reported
            return Player("", folded=True)
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
            self.read_rare_keys(where, raw, player)
        return player

    def name(self, where: str, raw: Mapping[str, Any], seen: set[str]) -> str:
        name = raw.get("name")
        if type(name) is str and is_name(name):
            if seen_as(name) not in seen:
                seen.add(seen_as(name))
                return name
            self.problem(f"{where}/name", "name-twice", f"{name} is already at the table")
        elif name is None:
            self.problem(f"{where}/name", "missing", "the player has no name")
        else:
            reason = f"a name must be a string of 1 to {MOST_NAME} printable characters"
            self.problem(f"{where}/name", "wrong-type", reason)
        return ""

    def read_rare_keys(self, where: str, raw: Mapping[str, Any], player: Player) -> None:
        """Read the keys that most players do not have."""
        dead = raw.get("dead", 0)
        if dead != 0 or type(dead) is not int:
            player.dead = self.chips(where, dead, "dead")
            if player.dead > player.paid and type(raw.get("paid", 0)) is int:
                self.problem(
                    f"{where}/dead", "bad-chips", "dead chips must be part of the chips paid"
                )
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
            player.piles = self.piles(f"{where}/piles", raw["piles"])
        declared = raw.get("declared")
        if declared is None or type(declared) is str:
            player.declared = declared
        else:
            self.problem(f"{where}/declared", "wrong-type", "a declaration must be a string")

    def piles(self, where: str, raw: object) -> dict[str, list[int]]:
        if not isinstance(raw, Mapping):
            self.problem(where, "wrong-type", "piles must be an object of names and cards")
            return {}
        return {str(pile): self.cards(where, raw[pile], pile) for pile in list(raw)[:MOST_CARDS]}

    # --- the table --------------------------------------------------------------------------------

    def button(self, players: int) -> int:
        button = self.record.get("button")
        if button is None:
            self.problem("button", "missing", "the record does not name the dealer")
        elif type(button) is not int:
            self.problem("button", "wrong-type", "the button must be the index of a player")
        elif players and not 0 <= button < players:
            self.problem("button", "bad-button", f"there is no player {button}; the first is 0")
        else:
            return button
        return 0

    def depth(self) -> str:
        depth = self.record.get("depth", SHOWDOWN)
        if depth not in (SHOWDOWN, RESULT):
            self.problem("depth", "wrong-type", "the depth must be showdown or result")
            return SHOWDOWN
        return str(depth)

    def board(self) -> list[list[int]]:
        raw = self.record.get("board", [])
        if type(raw) is not list or not set(map(type, raw)) <= {list}:
            self.problem("board", "wrong-type", "the board must be a list of rows of cards")
            return []
        if len(raw) > MOST_CARDS:
            self.problem(
                "board", "card-count", f"the board has {len(raw)} rows, more than any game"
            )
            return []
        return [self.cards("board", row, index) for index, row in enumerate(raw)]

    def shared(self, players: list[Player], names: Mapping[str, int]) -> list[int]:
        """Read cards that several players share, and add them to each. Return each card once."""
        raw = self.items("shared", self.record.get("shared", []), "shared cards", MOST_CARDS)
        cards = []
        for index, item in enumerate(raw):
            where = f"shared/{index}"
            if not isinstance(item, Mapping) or not {"card", "for"} <= item.keys():
                self.problem(
                    where, "wrong-type", "a card and the names of its players are required"
                )
                continue
            self.unknown_keys(where, item, SHARED_KEYS)
            text = item["card"]
            card = [CARDS[text]] if type(text) is str and text in CARDS else []
            if not card and type(text) is str:
                self.problem(f"{where}/card", "bad-card", not_a_card(text))
            elif not card:
                self.problem(f"{where}/card", "wrong-type", f"{quoted(text)} is not a card")
            for seat in self.seats(f"{where}/for", item["for"], names):
                players[seat].shared = [*players[seat].shared, *card]
            cards += card
        return cards

    def carried(self, names: Mapping[str, int]) -> list[Carried]:
        raw = self.record.get("carried", 0)
        if type(raw) is not list:
            amount = self.chips("carried", raw)
            return [Carried(amount)] if amount else []
        pots = []
        for index, item in enumerate(self.items("carried", raw, "pots")):
            where = f"carried/{index}"
            if not isinstance(item, Mapping):
                self.problem(
                    where, "wrong-type", "an amount and the names of its players are required"
                )
                pots.append(Carried(0))
                continue
            self.unknown_keys(where, item, CARRIED_KEYS)
            if "amount" not in item:
                self.problem(f"{where}/amount", "missing", "the amount is missing")
            amount = self.chips(where, item.get("amount", 0), "amount")
            named = item.get("for")
            seats = None if named is None else self.seats(f"{where}/for", named, names)
            pots.append(Carried(amount, seats))
        return pots

    def took(self, names: Mapping[str, int]) -> dict[str, int] | None:
        raw = self.record.get("took")
        if raw is None:
            return None
        if not isinstance(raw, Mapping) or len(raw) > MOST_PLAYERS:
            self.problem("took", "wrong-type", "an object of names and chips is required")
            return None
        took = {}
        for name, amount in raw.items():
            if name not in names:
                where = f"took/{path_part(name)}"
                self.problem(where, "unknown-player", f"{quoted(name)} is not at the table")
            took[name] = self.chips("took", amount, name)
        return took

    def tiebreaks(self, names: Mapping[str, int]) -> list[dict[str, list[int]]]:
        raw = self.items("tiebreaks", self.record.get("tiebreaks", []), "rounds", MOST_ROUNDS)
        rounds: list[dict[str, list[int]]] = []
        for index, item in enumerate(raw):
            where = f"tiebreaks/{index}"
            rounds.append({})
            if not isinstance(item, Mapping):
                self.problem(where, "wrong-type", "a round must be an object of names and cards")
                continue
            for name, cards in item.items():
                if name not in names:
                    place = f"{where}/{path_part(name)}"
                    self.problem(place, "unknown-player", f"{quoted(name)} is not at the table")
                rounds[-1][name] = self.cards(where, cards, name)
        return rounds

    def match(self, names: Mapping[str, int]) -> MatchState | None:
        """Read the match: the number of this deal, and the legs and lives before the deal."""
        raw = self.record.get("match")
        if raw is None:
            return None
        if not isinstance(raw, Mapping):
            self.problem("match", "wrong-type", "a match must be an object")
            return None
        self.unknown_keys("match", raw, MATCH_KEYS)
        named = raw.get("id")
        if named is not None and not (type(named) is str and 0 < len(named) <= MOST_NAME):
            self.problem(
                "match/id",
                "wrong-type",
                f"the id of a match must be a string of 1 to {MOST_NAME} characters",
            )
            named = None
        deal = raw.get("deal", 1)
        if type(deal) is not int or not 1 <= deal <= MOST_COUNTED:
            self.problem(
                "match/deal",
                BAD_MATCH,
                f"the number of the deal must be from 1 to {MOST_COUNTED:,}",
            )
            deal = 1
        legs, lives = (self.counts(key, raw.get(key), names) for key in ("legs", "lives"))
        return MatchState(named, deal, legs, lives)

    def counts(self, key: str, raw: object, names: Mapping[str, int]) -> dict[int, int]:
        """Read legs or lives, keyed by seat."""
        if raw is None:
            return {}
        if not isinstance(raw, Mapping) or len(raw) > MOST_PLAYERS:
            text = "an object of names and numbers is required"
            self.problem(f"match/{key}", "wrong-type", text)
            return {}
        counts = {}
        for name, count in raw.items():
            where = f"match/{key}/{path_part(name)}"
            if name not in names:
                self.problem(where, "unknown-player", f"{quoted(name)} is not at the table")
            elif type(count) is not int or not 0 <= count <= MOST_COUNTED:
                text = f"{key} must be whole numbers from 0 to {MOST_COUNTED:,}"
                self.problem(where, BAD_MATCH, text)
            else:
                counts[names[name]] = count
        return counts


def _path(where: str, key: tuple[object, ...]) -> str:
    """Return the path of a value. The last part may have any length and any characters."""
    return "/".join((where, *[path_part(part) for part in key]))
