"""Changes that do not affect the answer: names, seats, card order, and how it is called."""

import json
import re
from collections import defaultdict
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules import settle, settle_many
from tests.helpers.laws.answers import essence
from tests.helpers.laws.records import Record, document_of, form_of, records

SEEDS = st.integers(0, 2**32)
OTHER_NAMES = ["Ωmega", "a", "took", "players/0", "10h", "ann smith", "0", "  x", "both", "?"]


def renamed(record: Record, names: dict[str, str]) -> Record:
    """Return the record with different names in every field that contains a name."""
    data = json.loads(json.dumps(record))
    for player in data["players"]:
        player["name"] = names[player["name"]]
    for item in [*data.get("shared", []), *_carried_pots(data)]:
        if "for" in item:
            item["for"] = [names[name] for name in item["for"]]
    if "took" in data:
        data["took"] = {names[name]: chips for name, chips in data["took"].items()}
    for key, counts in data.get("match", {}).items():
        if key in {"legs", "lives"}:
            data["match"][key] = {names[name]: count for name, count in counts.items()}
    if "tiebreaks" in data:
        rounds = data["tiebreaks"]
        data["tiebreaks"] = [{names[n]: cards for n, cards in one.items()} for one in rounds]
    return data


def _carried_pots(record: Record) -> list[dict[str, Any]]:
    carried = record.get("carried", [])
    return carried if isinstance(carried, list) else []


@given(records(), SEEDS)
def test_renaming_players_changes_only_their_names_in_the_answer(record: Record, seed: int) -> None:
    names = OTHER_NAMES.copy()
    Random(seed).shuffle(names)
    naming = {player["name"]: new for player, new in zip(record["players"], names, strict=False)}
    answer = settle(record)
    assert essence(settle(renamed(record, naming))) == essence(answer, naming.__getitem__)


@given(records(), st.integers(1, 9))
def test_rotating_seats_and_button_together_does_not_change_the_answer(
    record: Record, by: int
) -> None:
    """Seats are counted from the dealer, so the seats may rotate together with the button."""
    players = record["players"]
    by %= len(players)
    turned = record | {
        "players": players[by:] + players[:by],
        "button": (record["button"] - by) % len(players),
    }
    assert essence(settle(turned)) == essence(settle(record))


def _alike(record: Record) -> list[list[tuple[int, int]]]:
    """Group board slots that no rule distinguishes.

    Such slots are in the same row and on the same lines, and patterns refer to them in the same
    quantities.
    """
    form, document = form_of(record), document_of(record)
    patterns = "|".join([*document.get("hand", []), *document.get("shares", [])])
    quantities = [quantity.split() for quantity in re.split(r"[+|]", patterns)]
    groups: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for number, row in enumerate(form["board"]):
        for place, slot in enumerate(row["slots"]):
            lines = tuple(slot in line for line in form["lines"])
            named = tuple(slot in quantity for quantity in quantities)
            groups[number, lines, named].append((number, place))
    return list(groups.values())


def _order_counts(record: Record) -> bool:
    """Return whether the order of cards may matter, for example because of a wild rank or dues."""
    document = document_of(record)
    chosen = [choice for choices in document.get("options", {}).values() for choice in choices]
    rules = " ".join([*document.get("wild", []), *document.get("bug", []), *chosen])
    symmetric = {"middle", "lowest", "highest"}
    words = rules.split()
    of = [word for before, word in pairwise(words) if before == "of"]
    return bool(document.get("dues")) or any(word not in symmetric for word in of)


@given(records(), SEEDS)
def test_order_of_cards_does_not_change_the_answer_where_it_is_irrelevant(
    record: Record, seed: int
) -> None:
    """Shuffles down and up cards, and cards in a row that are on the same lines.

    If cards are turned over one by one, the up cards keep their order.
    """
    if _order_counts(record):
        return
    chance = Random(seed)
    other = json.loads(json.dumps(record))
    zones = ("down",) if form_of(record)["dealt"] is not None else ("down", "up")
    for player in other["players"]:
        for zone in zones:
            chance.shuffle(player.get(zone, []))
    for places in _alike(record):
        cards = [other["board"][row][place] for row, place in places]
        chance.shuffle(cards)
        for (row, place), card in zip(places, cards, strict=True):
            other["board"][row][place] = card
    assert essence(settle(other)) == essence(settle(record))


@given(records())
def test_complete_document_as_variant_settles_like_its_slug(record: Record) -> None:
    """docs/record.md: `variant` is a slug or a complete game document.

    In a document, the modifiers are already applied.
    """
    document = document_of({"variant": record["variant"]})
    assert essence(settle(record | {"variant": document})) == essence(settle(record))
    changed = {key: value for key, value in record.items() if key != "modifiers"}
    dealt = settle(changed | {"variant": document_of(record)})
    assert essence(dealt) == essence(settle(record))


@given(st.lists(records(), min_size=1, max_size=12))
def test_records_settled_together_get_the_same_answers_as_alone(sent: list[Record]) -> None:
    assert settle_many(sent) == [settle(record) for record in sent]
    assert settle_many(sent, brief=True) == [settle(record, brief=True) for record in sent]


@given(records())
def test_brief_answer_omits_only_hands_and_story(record: Record) -> None:
    answer = settle(record)
    assert answer.keys() >= {"hands", "story", "reasons"}
    left = {key: value for key, value in answer.items() if key not in {"hands", "story", "reasons"}}
    assert settle(record, brief=True) == left


@given(records())
def test_settling_returns_plain_json_and_leaves_the_record_unchanged(record: Record) -> None:
    before = json.dumps(record)
    answer = settle(record)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert json.dumps(record) == before


@given(records())
def test_story_mentions_every_share_of_a_pot(record: Record) -> None:
    """docs/record.md: `story` states in plain sentences why each winner gets a share."""
    answer = settle(record)
    assert all(isinstance(line, str) and line.strip() == line != "" for line in answer["story"])
    story = " ".join(answer["story"])
    for name, chips in answer["won"].items():
        assert not chips or name in story
