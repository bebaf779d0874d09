"""A record described in one line is parsed as the same record (docs/one-line.md)."""

from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.spoken import LONGEST, Entry, read_hand
from tests.helpers.laws.records import records
from tests.helpers.rules.speaker import Speaker

Record = dict[str, Any]
STATES = {
    "folded": {"folded": True},
    "mucked": {"mucked": True},
    "all-in": {"all_in": True},
    "": {},
}


def sayable(record: Record) -> Record:
    """Return the parts of a record that can be described: cards, states, declarations, chips."""
    players = []
    for player in record["players"]:
        fields = {key: player[key] for key in ("name", "paid") if key in player}
        fields |= {key: True for key in ("folded", "mucked", "all_in") if player.get(key)}
        fields |= {
            key: player[key] for key in ("down", "up", "piles", "declared") if player.get(key)
        }
        players.append(fields)
    return {"board": [row for row in record.get("board", ()) if row], "players": players}


def record_of(entry: Entry, names: list[str]) -> Record:
    """Return the record that the fields of a form contain (docs/record.md)."""
    players = []
    for name in names:
        part = entry.player(name)
        piles = {z.removeprefix("piles/"): c for z, c in part.cards.items() if "/" in z}
        zones = {zone: cards for zone, cards in part.cards.items() if "/" not in zone}
        player = {"name": name, "paid": entry.all_paid if part.paid is None else part.paid}
        player |= STATES[part.state] | zones | ({"piles": piles} if piles else {})
        players.append(player | ({"declared": part.declared} if part.declared else {}))
    return {"board": [row for row in entry.board if row], "players": players}


def numbered_jokers(record: Record) -> Record:
    """Return a record whose jokers are all the same, because words do not distinguish them."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        return "*" if isinstance(value, str) and value.startswith("*") else value

    return dict(plain(record))


def is_sayable(record: Record) -> bool:
    cards = [c for p in record["players"] for zone in ("down", "up") for c in p.get(zone, ())]
    return "shared" not in record and "??" not in cards


@settings(max_examples=150, deadline=None)
@given(records(), st.integers(0, 2**32))
def test_record_survives_a_round_trip_through_a_sentence(record: Record, seed: int) -> None:
    assume(is_sayable(record))
    spoken = sayable(record)
    text = Speaker(Random(seed)).say(spoken)
    assume(len(text) <= LONGEST)
    names = [player["name"] for player in spoken["players"]]
    # there is a form for the players at the table even if none of them folds or pays
    entry = read_hand(
        text, names, record["variant"], record.get("modifiers", ()), record.get("options")
    )
    assert not entry.marks, (text, entry.marks)
    assert numbered_jokers(record_of(entry, names)) == numbered_jokers(spoken), text
