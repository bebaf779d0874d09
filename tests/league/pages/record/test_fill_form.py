"""The form can represent any record, and its fields are parsed back to the same record."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pages.parts.forms import number
from league.pages.record.check import field_of
from league.pages.record.fill_form import spell
from league.pages.record.read_form import (
    Reading,
    UnreadableFieldError,
    cards,
    common_payment,
    read,
)
from rules.documents import catalog
from tests.helpers.laws.records import combinations
from tests.helpers.laws.records import record as random_record
from tests.helpers.laws.runs import with_runs
from tests.helpers.stages import sample

texts = st.text(st.characters(exclude_categories=()), max_size=8)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
card_texts = st.sampled_from(["As", "kd", "10h", "Tc", "*1", "??", "Zz", "A s", ""])
hands = st.lists(card_texts, max_size=4) | values
numbers = st.integers(-5, 10**20) | values
names = st.sampled_from(["ann", "bob", "ann/bob", "Zoë", " ", "=1"]) | texts

like_numbers = st.sampled_from(["3", "-1", "1e5", '"3"', '"', '""', " 3"])

players = st.fixed_dictionaries(
    {},
    optional={
        "name": names | values,
        "paid": numbers,
        "dead": numbers,
        "folded": st.sampled_from([True, False, "late"]) | values,
        "mucked": st.booleans(),
        "all_in": st.booleans() | values,
        "down": hands,
        "up": hands,
        "out": hands,
        "declared": names,
        "colour": values,
    },
)
records = st.fixed_dictionaries(
    {},
    optional={
        "variant": names | values,
        "modifiers": st.lists(names | values, max_size=3) | values,
        "options": st.dictionaries(names, names | like_numbers | numbers, max_size=3) | values,
        "button": numbers,
        "depth": names,
        "players": st.lists(players, max_size=4) | values,
        "board": st.lists(hands, max_size=3) | values,
        "shared": values,
        "carried": numbers,
        "match": st.dictionaries(names, st.dictionaries(names, numbers, max_size=2)) | values,
        "tiebreaks": st.lists(st.dictionaries(names, hands, max_size=3), max_size=2) | values,
        "took": st.dictionaries(names, numbers, max_size=3) | values,
        "colour": values,
    },
)


def same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(records)
def test_record_survives_a_round_trip_through_form_fields(record: dict[str, Any]) -> None:
    assert same(read(spell(record)).record, record)


@given(st.dictionaries(texts, values, max_size=3))
def test_any_object_survives_a_round_trip_through_form_fields(record: dict[str, Any]) -> None:
    assert same(read(spell(record)).record, record)


@pytest.mark.parametrize("seed", range(4))
def test_runs_survive_a_round_trip_through_form_fields(seed: int) -> None:
    """Runs that fit the form are in its own fields, others in `more`."""
    chance = Random(seed)
    fitting = total = 0
    while total < 10:
        slug = chance.choice(catalog.slugs())
        record = with_runs(chance, random_record(chance, slug, chance.choice(combinations(slug))))
        if "runs" not in record:
            continue
        total += 1
        fields = spell(record)
        assert same(read(fields).record, record)
        fitting += "runs" in fields
    assert fitting > 3


names_of_fields = st.sampled_from(
    "variant modifiers options/low button depth players/0/name players/1/name players/1/state "
    "players/0/paid players/1/down players/0/took board/0 board/2 carried tiebreaks/0/1 "
    "winner all_paid showed showed_paid csrfmiddlewaretoken players/x/name".split()
)


@given(st.dictionaries(names_of_fields, st.lists(texts, min_size=1, max_size=2)))
def test_any_form_input_can_be_parsed_to_a_record(fields: dict[str, list[str]]) -> None:
    record = read(fields).record
    assert same(read(spell(record)).record, record)


def one(**fields: str) -> dict[str, list[str]]:
    return {name: [value] for name, value in fields.items()}


TABLE = {"players/0/name": ["ann"], "players/1/name": ["bob"], "players/2/name": ["cat"]}


def test_cards_can_be_typed_in_one_field() -> None:
    assert cards("AsKd7c") == ["As", "Kd", "7c"]
    assert cards(" as, kd  10H ??*1 ") == ["as", "kd", "10H", "??", "*1"]
    assert cards("As Zd7c x") == ["As", "Zd7c", "x"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("40", 40),
        (" 7 ", 7),
        ("-1", -1),
        ("2.5", 2.5),
        ("1e30", 1e30),
        ("ten", "ten"),
        ("٤", "٤"),
        ("1e999", "1e999"),
    ],
)
def test_invalid_number_is_kept_as_typed(typed: str, meant: object) -> None:
    assert number(typed) == meant


def test_players_who_showed_pay_the_common_amount() -> None:
    fields = TABLE | one(all_paid="4", showed_paid="20") | {"showed": ["1"]}
    paid = [player["paid"] for player in read(fields).record["players"]]
    assert paid[1] == 20
    assert {*paid[:1], *paid[2:]} == {4}
    own = read(fields | {"players/1/paid": ["15"]}).record
    assert own["players"][1]["paid"] == 15


@pytest.mark.parametrize(
    ("showed", "state", "paid"),
    [
        (["1"], "mucked", 20),
        (["1"], "all-in", 20),
        (["1"], "folded", 4),
        (["1"], "late", 4),
        (["1"], "", 4),
        ([], "mucked", 4),
    ],
)
def test_player_who_mucks_pays_the_amount_of_players_who_showed(
    showed: list[str], state: str, paid: int
) -> None:
    """A player who mucks stayed to the showdown (docs/record.md). Players ticked fold others."""
    fields = TABLE | one(all_paid="4", showed_paid="20") | {"showed": showed}
    fields |= {"players/2/state": [state]}
    assert read(fields).record["players"][2]["paid"] == paid
    assert common_payment(fields, 2) == ("showed_paid" if paid == 20 else "all_paid")


def test_common_payment_applies_to_players_without_their_own_payment() -> None:
    fields = TABLE | one(all_paid="40") | {"players/1/paid": ["15"]}
    assert [player["paid"] for player in read(fields).record["players"]] == [40, 15, 40]


def test_absent_player_is_not_in_the_record() -> None:
    fields = TABLE | {"players/1/state": ["away"]} | one(button="2")
    reading = read(fields)
    assert [player["name"] for player in reading.record["players"]] == ["ann", "cat"]
    assert reading.record["button"] == 1
    assert field_of("players/1/down/0", reading) == "players/2/down"


@pytest.mark.parametrize(("away", "dealer"), [("1", "cat"), ("2", "ann")])
def test_next_player_deals_for_a_dealer_who_is_not_dealt_in(away: str, dealer: str) -> None:
    record = read(TABLE | {f"players/{away}/state": ["away"]} | one(button=away)).record
    assert record["players"][record["button"]]["name"] == dealer


CARRIED = ["3", '[{"amount": 1, "for": ["ann", "bob"]}, {"amount": 2, "for": ["bob", "cat"]}]']


@pytest.mark.parametrize("carried", CARRIED)
def test_one_tap_selects_the_winner_of_the_entire_pot(carried: str) -> None:
    fields = TABLE | one(all_paid="5", winner="1", depth="result", carried=carried)
    record = read(fields).record
    assert record["took"] == {"bob": 18}
    assert spell(record)["winner"] == ["1"]


@pytest.mark.parametrize("carried", CARRIED)
def test_split_of_the_total_pot_leaves_out_carried_chips(carried: str) -> None:
    record = read(TABLE | one(pot="18", depth="result", carried=carried)).record
    assert [player["paid"] for player in record["players"]] == [5, 5, 5]


def test_winner_with_conflicting_amounts_is_refused() -> None:
    """Correcting a hand used to record the old winner's chips again."""
    both = TABLE | one(all_paid="5", winner="1", depth="result") | {"players/0/took": ["15"]}
    with pytest.raises(UnreadableFieldError) as refused:
        read(both)
    assert refused.value.field == "took"
    agreed = TABLE | one(all_paid="5", winner="0", depth="result") | {"players/0/took": ["15"]}
    assert read(agreed).record["took"] == {"ann": 15}


def test_correction_form_selects_the_single_winner() -> None:
    fields = TABLE | one(all_paid="5", winner="1", depth="result")
    again = spell(read(fields).record)
    assert again["winner"] == ["1"]
    assert not any(any(again.get(f"players/{row}/took", [])) for row in range(3))
    corrected = read(again | {"winner": ["0"]}).record
    assert corrected["took"] == {"ann": 15}


def test_carried_pots_are_parsed_as_json() -> None:
    pots = [{"amount": 9, "for": ["ann", "bob"]}]
    assert read(one(carried=json.dumps(pots))).record["carried"] == pots
    assert read(one(carried="[9 for")).record["carried"] == "[9 for"


@pytest.mark.parametrize("name", ["more", "players/0/more"])
@pytest.mark.parametrize("text", ["{", "[1]", "[" * 100_000])
def test_extra_fields_must_form_an_object(name: str, text: str) -> None:
    with pytest.raises(UnreadableFieldError) as refused:
        read(TABLE | {name: [text]})
    assert refused.value.field == name


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ("variant", "variant"),
        ("modifiers/0", "modifiers"),
        ("options/low", "options/low"),
        ("button", "button"),
        ("players", "players"),
        ("players/7", "players"),
        ("players/0", "players/0/name"),
        ("players/1/folded", "players/1/state"),
        ("players/1/up/3", "players/1/up"),
        ("players/1/colour", "players/1/more"),
        ("board", "board"),
        ("board/0/2", "board/0"),
        ("tiebreaks/0", "tiebreaks"),
        ("tiebreaks/0/a~1b/2", "tiebreaks/0/1"),
        ("tiebreaks/0/a~1b", "tiebreaks/0/1"),
        ("took/ann", "players/0/took"),
        ("took/a~1b", "players/1/took"),
        ("took/zoe", "took"),
        ("took", "took"),
        ("colour", "more"),
        ("", "more"),
    ],
)
def test_every_error_is_assigned_to_a_field(where: str, field: str) -> None:
    reading = Reading({"players": [{"name": "ann"}, {"name": "a/b"}]}, (0, 1))
    assert field_of(where, reading) == field


VECTORS = Path(__file__).parents[3] / "vectors"


@pytest.mark.parametrize(
    "path",
    sample(sorted(VECTORS.rglob("*.jsonl")), 60, lambda path: path.stem),
    ids=lambda path: path.stem,
)
def test_every_worked_example_fits_the_form(path: Path) -> None:
    for line in path.read_text().splitlines():
        record = json.loads(line).get("record")
        if isinstance(record, dict):
            assert same(read(spell(record)).record, record)
