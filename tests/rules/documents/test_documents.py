"""Game documents: the whole grammar, the check, and error messages (docs/games.md)."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules import settle
from rules.documents import documents, toml_text
from rules.errors import bad_game
from rules.game import shape
from tests.helpers.rules.comparing import differences
from tests.helpers.rules.tables import deal, seat, wins
from tests.helpers.rules.vectors import FILES, lines_of

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.toml"))

# A game with two rows, piles, options and cards both up and down, in which every word has a
# meaning.
BASE: dict[str, Any] = {
    "name": "Everything",
    "players": [2, 4],
    "deal": ["5 down 2 up", "1 to kitty", "board a b c", "board d e f"],
    "board": ["a b c", "d e f"],
    "hand": ["5 own"],
    "shares": ["high"],
    "options": {"low": ["best", "worst"], "speed": ["slow", "fast = quick"], "count": ["1-3"]},
    "asked": {"die": ["none", "2", "9"]},
}
PRODUCTIONS: dict[str, tuple[str, ...]] = {
    "aliases": ("Big O", "Hold'em"),
    "deck": ("52", "52 without 2 3", "52 without 2-5", "52 + 1 joker", "52 without 2-4 + 4 jokers"),
    "direction": ("clockwise", "counter-clockwise"),
    "declare": ("cards-speak",),
    "both_ways": ("outright", "unbeaten"),
    "alone": ("wins", "must-qualify"),
    "unwon": ("carry", "split"),
    "ties": ("split", "first", "deal 5: high", "deal 5: high pair-or-better else highest"),
    "deal": (
        "ante", "blinds", "bomb", "bring-in low", "bring-in high", "bet", "bet pot-limit", "burn",
        "1 down", "1 up", "1 down 1 up", "2 to kitty", "discard 1", "discard 0-1", "draw 0-3",
        "draw 0-1 any", "draw 0-1 down", "draw 0-1 up", "draw 1 plus 1", "draw 0-2 less 1",
        "draw 0-1 any for 2", "buy 0-1", "buy 1 for fee", "pass 1 left", "pass 1 right",
        "pass 2 across", "turn 1", "turn 0-1", "draw for 4 up", "set front 2 back 3",
        "replace board 1", "remove row", "roll die", "choose die", "declare", "in-or-out",
        "shuffle", "1 blind",
        "bring-in low ace-low", "bring-in high ace-high", "pass 1 second left",
        "pass 1 third right", "discard matching a b", "discard matching row 2 any",
        "discard matching board up", "extra 0-1", "extra 1 up for fee", "match pot for 3 up",
        "pay 5 for red up", "push 1 left", "push 2 right down for 3", "swap 0-3 with row 2",
        "swap 1 with row 1 any for 2", "bid for seat", "bid for die", "hit 0-2",
        "hit 1-3 up for 2 frozen after 1", "swap hand left", "swap hand right unless K up",
    ),
    "lines": ("a b c", "a e", "c d"),
    "hand": (
        "any 5", "5 down", "5 own", "2 down + 3 board", "2 down + 1 up + 2 board",
        "all up + 3 down",
        "rest down + all line", "rest down + 2 line 1", "2 down + all line 2", "1-5 own",
        "all down", "2 up + 3 row 1", "3 down + 2 row 2", "3 down + 2 a b c", "4 down + 1 a",
        "4 down + 1 kitty", "3 down or up + 2 board", "3 down + 2 row 1 or row 2",
        "5 down when speed fast", "5 down when not low worst", "5 down when down red 5",
        "5 down when up 2 and not row 1 black 0-1 and low best",
    ),
    "wild": (
        "3", "10", "Kh", "3 down", "Kh up", "s", "hearts", "red", "black up",
        "rank of middle down", "rank of lowest down", "rank of highest up", "rank of last up",
        "rank of last board", "rank of a", "{die}",
    ),
    "bug": ("2", "As", "rank of lowest down"),
    "kill": ("Kh up", "Qs", "Q up", "red down"),
    "points": ("A 1 11", "J Q K 10", "black minus", "red minus", "2 50"),
    "top": ("Jh Js", "As", "Kd 2c"),
    "order": ("flush full-house", "two-pair four-flush pair", "straight trips"),
    "shares": (
        "low: {low}", "low: best", "low: worst 9-or-better", "low: ace-to-six", "low: 8-or-better",
        "low: 7-or-better else best", "x: badugi of 4 down", "x: badugi-ace-high of 4 down",
        "x: hidugi of 4 down", "x: badugi four-cards-or-better of 4 down",
        "x: most points of all down", "x: least points of 2 up", "x: closest 21 of all down",
        "x: highest of all down", "x: highest s of 2 down", "x: lowest of 1 down",
        "x: highest s down of 5 down", "x: highest red of all up", "x: holds As Js of all own",
        "x: holds As of all own else closest 21 of all down else highest of all down",
        "x: high pair-or-better else highest", "x: high 99-or-better", "x: high 777-or-better",
        "x: high flush-or-better", "x: high of 5 down", "x: high of 2 down + 3 board | 5 down",
        "row: high of 3 down + 2 line on line 1", "row: high of 2 down + all line on line 2",
        "x: high when speed fast", "x: high when not speed fast and low best",
        "x: high when down red 5", "x: high when row 1 black 2-3",
        "x: most points 10-or-better of all down",
    ),
}  # fmt: skip
DUES = (
    "put 1 2 3 row 1", "take 5 0 5 row 2", "put rank row 1", "take rank row 2", "bank dealer",
    "leftover dealer", "leftover carry", "losers match pot",
)  # fmt: skip
OPTIONS = (["a"], ["a", "b = text"], ["1-9"], ["a b c", "1 2 3 = x"], ["spaced word = "])


def with_word(key: str, text: str) -> dict[str, Any]:
    match key:
        case "deal":
            return BASE | {"deal": [*BASE["deal"], text]}
        case "shares":
            return BASE | {"shares": ["high", text]}
        case "deck":
            return BASE | {"deck": text, "players": [2, 3], "wild": ["joker"]}
        case _ if key in shape.LISTS:
            return BASE | {key: [text]}
        case _:
            return BASE | {key: text}


@pytest.mark.parametrize(
    ("key", "text"), [(key, text) for key, texts in PRODUCTIONS.items() for text in texts]
)
def test_every_grammar_rule_is_parsed(key: str, text: str) -> None:
    """Tests each word of the grammar in docs/games.md in a game where the word has a meaning."""
    faults = documents.check(with_word(key, text))
    assert [str(fault) for fault in faults] == []


@pytest.mark.parametrize("text", DUES)
def test_every_due_is_parsed(text: str) -> None:
    assert documents.check(BASE | {"dues": [text]}) == []


@pytest.mark.parametrize("choices", OPTIONS, ids=str)
def test_every_kind_of_choice_is_parsed(choices: list[str]) -> None:
    assert documents.check(BASE | {"options": BASE["options"] | {"more": choices}}) == []


@pytest.mark.parametrize("declare", ["high-low", "row"])
def test_declaring_with_fists_is_parsed_in_games_with_two_shares(declare: str) -> None:
    shares = ["high", "low: {low}"]
    assert documents.check(BASE | {"declare": declare, "shares": shares}) == []


# --- documents in docs/games.md -------------------------------------------------------------------


def sample(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_document_is_a_playable_game(path: Path) -> None:
    assert documents.check(path.read_text("utf-8")) == []
    options = {name: choices[0] for name, choices in sample(path).get("asked", {}).items()}
    players = (seat("ann", paid=5), seat("bob", paid=5, folded=True), seat("cat", folded=True))
    record = deal(sample(path), *players, options=options, depth="result", took={"ann": 20})
    assert settle(record)["won"] == {"ann": 20, "bob": 0, "cat": 0}


@pytest.mark.parametrize(
    "path",
    [path for path in SAMPLES if path.stem in FILES],
    ids=lambda path: path.stem,
)
def test_sample_document_settles_the_worked_examples(path: Path) -> None:
    """Uses the sample document from docs/games.md instead of the catalog's document."""
    for line in lines_of(FILES[path.stem]):
        answer = settle(line["record"] | {"variant": sample(path)})
        assert differences(line["expect"], answer) == [], line.get("note")


def test_two_shares_can_compare_different_hands() -> None:
    """docs/games.md, Dramaha: half the pot for the five cards in hand, half for the Omaha hand."""
    dramaha = sample(next(path for path in SAMPLES if path.stem == "dramaha"))
    record = deal(
        dramaha,
        seat("ann", "Ac Ad As 2c 2d"),
        seat("bob", "Kc Kd 7s 8h 3c"),
        board="Kh Ks 9d 5c 4h",
    )
    wins(record, "ann 10, bob 10")


def test_rank_given_in_the_record_can_be_wild() -> None:
    """docs/games.md, Follow the Queen: queens and the rank given in the record are wild."""
    game = sample(next(path for path in SAMPLES if path.stem == "follow-the-queen"))
    players = (
        seat("ann", "Qc 5d 2s", up="9c 9d 4h 7c"),
        seat("bob", "Ac Ad Kh", up="Ks 8d 3h 6c"),
    )
    wins(deal(game, *players, options={"follower": "none"}), "ann 20, bob 0")  # ann has three nines
    wins(deal(game, *players, options={"follower": "8"}), "ann 0, bob 20")  # bob has aces full
    wins(deal(game, *players, options={"follower": "5"}), "ann 20, bob 0")  # ann has four nines


def test_hand_that_holds_the_required_cards_wins_outright() -> None:
    """docs/games.md, Book'em Danno: `holds As Js else closest 21`."""
    danno = sample(next(path for path in SAMPLES if path.stem == "bookem-danno"))
    record = deal(danno, seat("ann", "As Js Kd Qd 9c"), seat("bob", "2h 3d 4d 5c 7s"))
    wins(record, "ann 20, bob 0")
    record["players"][0]["down"][1] = "Jh"
    wins(record, "ann 0, bob 20")


# --- errors -------------------------------------------------------------------------------------

GOOD = {"name": "Small", "deal": ["5 down"], "hand": ["5 down"], "shares": ["high"]}
BAD: list[tuple[dict[str, Any], str, str, str]] = [
    # the change, and the first error's path, word and one of the suggestions
    ({"shres": ["high"]}, "shres", "shres", "shares"),
    ({"name": ""}, "name", "", ""),
    ({"shares": []}, "shares", "", ""),
    ({"shares": "high"}, "shares", "", ""),
    ({"shares": ["hihg"]}, "shares/0", "hihg", "high"),
    ({"shares": ["high trip-or-better"]}, "shares/0", "trip-or-better", ""),
    ({"shares": ["high of 5 don"]}, "shares/0", "don", "down"),
    ({"shares": ["high esle best"]}, "shares/0", "esle", "else"),
    ({"shares": ["high", "high"]}, "shares/1", "high", ""),
    ({"shares": ["both: high"]}, "shares/0", "both", ""),
    ({"shares": ["low: {low}"]}, "shares/0", "low", ""),
    ({"shares": ["high when speed fast"]}, "shares/0", "speed", ""),
    ({"deal": ["5 dwon"]}, "deal/0", "dwon", "down"),
    ({"deal": ["5 down", "brun"]}, "deal/1", "brun", "burn"),
    ({"deal": ["5 down", "board a"]}, "deal/1", "a", ""),
    ({"deal": ["5 down", "bring-in middle"]}, "deal/1", "middle", "low"),
    ({"deal": ["5 down", "pass 1 up"]}, "deal/1", "up", "left"),
    ({"deal": ["99 down"]}, "deal/0", "99", ""),
    ({"deal": ["5 down"], "board": ["a"]}, "deal", "a", ""),
    ({"deal": ["5 down", "board a", "board a"], "board": ["a"]}, "deal", "a", ""),
    ({"board": ["a a"]}, "board/0", "a", ""),
    ({"lines": ["a b"]}, "lines/0", "a", ""),
    ({"hand": ["5 up"]}, "hand/0", "up", ""),
    ({"hand": ["6 down"]}, "hand", "6 down", ""),
    ({"hand": ["2 down + 3 board"]}, "hand/0", "board", ""),
    ({"hand": ["2 down + 3 line 2"]}, "hand/0", "line", ""),
    ({"hand": ["2 down, 3 board"]}, "hand/0", "down,", "down"),
    ({"hand": ["some down"]}, "hand/0", "some", ""),
    ({"hand": ["3-2 down"]}, "hand/0", "3-2", ""),
    ({"wild": ["Z"]}, "wild/0", "Z", ""),
    ({"wild": ["rank of second down"]}, "wild/0", "second", ""),
    ({"kill": ["kings"]}, "kill/0", "kings", ""),
    ({"points": ["A"]}, "points/0", "A", ""),
    ({"top": ["queen"]}, "top/0", "queen", ""),
    ({"order": ["flosh"]}, "order/0", "flosh", "flush"),
    ({"deck": "51"}, "deck", "51", "52"),
    ({"deck": "52 + 5 jokers"}, "deck", "5", ""),
    ({"players": [2, 11]}, "players", "", ""),
    ({"players": [8, 2]}, "players", "", ""),
    ({"players": 8}, "players", "", ""),
    ({"declare": "hihg-low"}, "declare", "hihg-low", "high-low"),
    ({"declare": "high-low"}, "declare", "", ""),
    ({"both_ways": "always"}, "both_ways", "always", "outright"),
    ({"lost_both": "redeal"}, "lost_both", "lost_both", ""),
    (
        {"declare": "high-low", "shares": ["high", "low: best"], "lost_both": "re-deal"},
        "lost_both",
        "re-deal",
        "redeal",
    ),
    (
        {
            "declare": "high-low",
            "shares": ["high", "low: best"],
            "lost_both": "{rule}",
            "options": {"rule": ["redeal", "stays"]},
        },
        "lost_both",
        "stays",
        "redeal",
    ),
    ({"ties": "deal 5"}, "ties", "", ":"),
    ({"ties": "deal 9: high"}, "ties", "9", ""),
    ({"dues": ["put 1 2 row 1"]}, "dues/0", "1", ""),
    ({"dues": ["bank player"]}, "dues/0", "player", "dealer"),
    ({"options": {"Low Card": ["a"]}}, "options", "Low Card", ""),
    ({"options": {"low": []}}, "options/low", "", ""),
    ({"options": ["low"]}, "options", "", ""),
    ({"options": {"low": ["hihg", "best"]}, "shares": ["{low}"]}, "shares/0", "hihg", "high"),
    ({"options": {"unit": ["one", "two"]}}, "options/unit", "unit", ""),
    ({"options": {"odd_chip": ["mine"]}}, "options/odd_chip", "odd_chip", ""),
    ({"options": {"low": ["5-1"]}}, "options/low", "", ""),
    ({"options": {"q": ["a"]}, "asked": {"q": ["b"]}}, "asked/q", "q", ""),
    ({"ties": "deal 0: high"}, "ties", "0", ""),
    ({"ties": "deal 5: high of 2 up"}, "ties", "", ""),
    ({"name": "a\x00b"}, "name", "", ""),
    ({"name": 7}, "name", "", ""),
]


@pytest.mark.parametrize(("changed", "where", "word", "hint"), BAD, ids=lambda some: str(some)[:60])
def test_error_includes_its_path_its_word_and_suggestions(
    changed: dict[str, Any], where: str, word: str, hint: str
) -> None:
    faults = documents.check(GOOD | changed)
    assert faults
    matching = [fault for fault in faults if fault.where == where and word in fault.word]
    assert matching, [str(fault) for fault in faults]
    assert all(fault.text for fault in faults)
    assert not hint or any(hint in fault.could_be for fault in matching), matching


@pytest.mark.parametrize(("changed", "where", "word", "hint"), BAD, ids=lambda some: str(some)[:60])
def test_document_with_an_error_is_refused_as_a_variant(
    changed: dict[str, Any], where: str, word: str, hint: str
) -> None:
    errors = settle(deal(GOOD | changed, seat("ann"), seat("bob", folded=True)))["errors"]
    assert {error["code"] for error in errors} == {"bad-game"}
    assert f"variant/{where}" in {error["where"] for error in errors}


@pytest.mark.parametrize(
    "share",
    [
        *("best 12-or-better", "high 21-or-better", "worst 100-or-better", "best 0-or-better"),
        *("high four-cards-or-better", "high four-flush-or-better", "badugi 88-or-better"),
        *("badugi flush-or-better", "highest 8-or-better", "lowest pair-or-better"),
        *("most points flush-or-better", "closest 21 pair-or-better", "holds As 8-or-better"),
    ],
)
def test_qualifier_that_does_not_fit_its_scale_is_refused(share: str) -> None:
    """docs/games.md: words that cannot be combined are rejected."""
    assert [fault.where for fault in documents.check(GOOD | {"shares": [share]})] == ["shares/0"]


def test_document_is_checked_with_every_combination_of_options() -> None:
    """docs/games.md: the check covers every combination of options."""
    game = GOOD | {
        "shares": ["high", "low: {low} when split yes"],
        "options": {"split": ["no", "yes"], "low": ["best", "wrost"]},
    }
    assert [(fault.where, fault.word) for fault in documents.check(game)] == [("shares/1", "wrost")]


def test_deck_too_small_for_the_players_is_refused() -> None:
    """docs/games.md: the deck must have enough cards for the players."""
    assert documents.check(GOOD | {"players": [2, 10]}) == []
    assert documents.check(GOOD | {"players": [2, 11]})
    assert documents.check(GOOD | {"players": [2, 10], "deck": "52 without 2"})


LINED = """name = "Lined"
players = [2, 8]
deal = [
    "5 down",
    "bet",
    "burn the deck",
]
hand = ["5 down"]
shares = ["high",
          "low: {low}"]
[options]
low = ["best", "hihg"]
"""


def test_curly_quotes_are_read_as_straight_quotes() -> None:
    """Curly quotes inside a string are kept, and errors still have the right line."""
    curly = LINED.replace('"', "\u201d")
    assert toml_text.parse(curly) == tomllib.loads(LINED)
    assert documents.check(curly) == documents.check(LINED)
    line = 'name = "Ann\u2019s \u201cgame\u201d"\n'
    assert toml_text.parse(line)["name"] == "Ann\u2019s \u201cgame\u201d"


def test_error_in_toml_text_includes_its_line_number() -> None:
    faults = {fault.where: fault.line for fault in documents.check(LINED)}
    assert faults == {"deal/2": 6, "shares/1": 10}


@pytest.mark.parametrize(
    ("text", "line"),
    [('name = "x"\nshares = [high]', 2), ('name = "x"\nplayers 2\n', 2), ("a\n= b", 1)],
)
def test_invalid_toml_is_reported_with_its_line(text: str, line: int) -> None:
    faults = documents.check(text)
    assert [(fault.where, fault.line) for fault in faults] == [("", line)]


def test_error_is_formatted_as_a_sentence_with_its_line() -> None:
    fault = bad_game("deal/2", "'brun' is not valid here", "brun", ("burn",), line=6)
    assert str(fault) == "line 6, deal/2: 'brun' is not valid here. It could be: burn."


def test_document_hash_depends_only_on_its_words() -> None:
    """docs/architecture.md: every hand references its document by content hash."""
    again = json.loads(json.dumps(dict(reversed(BASE.items()))))
    assert documents.content_hash(again) == documents.content_hash(BASE)
    assert documents.content_hash(BASE | {"name": "Other"}) != documents.content_hash(BASE)
    assert len(documents.content_hash(BASE)) == 64


# --- options of the table ------------------------------------------------------------------------


def test_table_option_does_not_change_the_rest_of_the_game() -> None:
    plain = documents.game(BASE, {"die": "none"})
    chosen = documents.game(BASE, {"die": "none", "odd_chip": "high card"})
    assert chosen.chosen == {**plain.chosen, "odd_chip": "high card"}
    assert list(chosen.chosen) == list(plain.chosen)
    assert (chosen.hand, chosen.shares, chosen.steps) == (plain.hand, plain.shares, plain.steps)


def test_hand_can_depend_on_a_table_option() -> None:
    document = BASE | {"hand": ["5 own when odd_chip seat", "5 down when not odd_chip seat"]}
    hands = [
        documents.game(document, {"die": "none", "odd_chip": choice}).hand
        for choice in ("seat", "high card")
    ]
    assert [pattern.text for hand in hands for pattern in hand] == ["5 own", "5 down"]
