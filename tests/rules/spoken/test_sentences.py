"""Words for hands, names, chips and results, and the parts of a sentence that are marked."""

import pytest

from rules.spoken.reader import LONGEST, read
from rules.spoken.sentence import HandClass, Sentence

TABLE = ("Ann", "Bob", "Cat")


def hands(text: str, name: str = "Ann") -> list[HandClass]:
    sentence = read(text, TABLE)
    assert not sentence.marks, sentence.marks
    return sentence.players[name].hands


def marked(text: str, names: tuple[str, ...] = TABLE) -> list[tuple[str, str]]:
    return [(text[mark.start : mark.end], mark.code) for mark in read(text, names).marks]


# Hands. The expected value is what the words mean at a table.


@pytest.mark.parametrize(
    ("words", "category", "ranks"),
    [
        ("kings and nines", "two-pair", "K9"),
        ("nines and kings", "two-pair", "K9"),
        ("two pair, kings and nines", "two-pair", "K9"),
        ("kings and 9s", "two-pair", "K9"),
        ("aces up", "two-pair", "A"),
        ("two pair", "two-pair", ""),
        ("trip sevens", "trips", "7"),
        ("three sevens", "trips", "7"),
        ("a set of sevens", "trips", "7"),
        ("trip 7s", "trips", "7"),
        ("four aces", "quads", "A"),
        ("quads", "quads", ""),
        ("kings full of nines", "full-house", "K9"),
        ("kings full", "full-house", "K"),
        ("a full house, nines full of kings", "full-house", "9K"),
        ("boat", "full-house", ""),
        ("full house kings over nines", "full-house", "K9"),
        ("a flush", "flush", ""),
        ("ace high flush", "flush", "A"),
        ("flush king high", "flush", "K"),
        ("straight", "straight", ""),
        ("straight to the ten", "straight", "T"),
        ("9 high straight", "straight", "9"),
        ("straight flush", "straight-flush", ""),
        ("royal flush", "straight-flush", "A"),
        ("king high", "high-card", "K"),
        ("a pair of tens", "pair", "T"),
        ("pair of 10s", "pair", "T"),
        ("deuces", "pair", "2"),
        ("five aces", "five-of-a-kind", "A"),
        ("nut low", "nut-low", ""),
        ("9 low", "low", "9"),
        ("nine-low", "low", "9"),
        ("eight six low", "low", "86"),
        ("86 low", "low", "86"),
        ("8 6 4 2 A low", "low", "8642A"),
    ],
)
def test_words_are_parsed_as_a_hand(words: str, category: str, ranks: str) -> None:
    assert hands(f"ann {words}") == [HandClass(category, tuple(ranks))]


def test_player_can_have_a_high_and_a_low_hand() -> None:
    assert hands("Ann has a flush and 8 low") == [
        HandClass("flush"),
        HandClass("low", ("8",)),
    ]


def test_second_hand_of_a_player_is_a_contradiction() -> None:
    assert marked("ann flush, bob folds, ann straight") == [("straight", "contradiction")]


def test_equal_digits_are_a_pair_without_suits() -> None:
    sentence = read("bob 77", TABLE)
    assert sentence.players["Bob"].ranks == ["7", "7"]


@pytest.mark.parametrize("digits", ["25", "7", "10", "45"])
def test_other_digits_may_be_chips_and_are_marked(digits: str) -> None:
    assert (digits, "unknown-word") in marked(f"bob {digits}")


# Cards


@pytest.mark.parametrize(
    "words",
    [
        "AsTh",
        "as th",
        "As 10h",
        "A\N{BLACK SPADE SUIT} 10\N{BLACK HEART SUIT}\N{VARIATION SELECTOR-16}",
        "ace of spades and ten of hearts",
        "ace spades ten hearts",
        "the a of spades, 10 of hearts",
    ],
)
def test_cards_can_be_codes_or_words(words: str) -> None:
    sentence = read(f"ann {words}", TABLE)
    assert not sentence.marks
    assert [card for cards in sentence.players["Ann"].cards.values() for card in cards] == [
        "As",
        "Th",
    ]


def test_board_cards_end_at_a_name() -> None:
    sentence = read("board As Kd 7h 7c 2s ann AhKh", TABLE)
    assert sentence.board == ["As", "Kd", "7h", "7c", "2s"]
    assert sentence.players["Ann"].cards == {"": ["Ah", "Kh"]}


def test_board_ranks_require_suits() -> None:
    assert marked("board AK7") == [("AK7", "no-suits")]


# Names


@pytest.mark.parametrize(
    ("text", "names", "player"),
    [
        ("anne folds", ("Ann", "Bob"), "Ann"),
        ("an folds", ("Ann", "Bob"), "Ann"),
        ("bob folds, an folds", ("Ann", "Bob"), "Ann"),
        ("kat folds", ("Cat", "Bob"), "Cat"),
        ("steven folds", ("Stephen", "Bob"), "Stephen"),
        ("jon folds", ("John", "Bob"), "John"),
        ("ZO\N{LATIN CAPITAL LETTER E WITH DIAERESIS} folds", ("Zoe", "Bob"), "Zoe"),
        ("margarat folds", ("Margaret", "Bob"), "Margaret"),
        ("ann's out, ann folds", ("Ann", "Bob"), "Ann"),
        ("big al folds", ("Big Al", "Al"), "Big Al"),
        ("al folds", ("Big Al", "Al"), "Al"),
        ("smith folds", ("Smith Jones", "Bob"), "Smith Jones"),
        ("jack folds", ("Jack", "Bob"), "Jack"),
        ("bob AsJs jack folds", ("Jack", "Bob"), "Jack"),
        ("ann folds", ("Ann", "Anne"), "Ann"),
        ("\u5f20 folds", ("\u5f20", "\u674e"), "\u5f20"),
    ],
)
def test_name_is_matched_by_spelling_or_sound(
    text: str, names: tuple[str, ...], player: str
) -> None:
    assert read(text, names).players[player].state == "folded"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("an folds", ("Ann", "Anne")),
        ("kat folds", ("Cat", "Kate")),
        ("ann folds", ("Ann Smith", "Ann Jones")),
        ("steven folds", ("Stephan", "Stephen")),
    ],
)
def test_ambiguous_name_is_marked_with_its_players(text: str, names: tuple[str, ...]) -> None:
    first, second = read(text, names).marks
    assert (first.code, first.players) == ("ambiguous-name", names)
    assert second.code == "no-player"
    assert not read(text, names).players


def test_words_after_an_unknown_name_are_ignored() -> None:
    """Otherwise Ann would fold."""
    text = "ann AsKs, zed folds"
    assert marked(text) == [("zed", "unknown-word"), ("folds", "no-player")]
    assert read(text, TABLE).players["Ann"].state == ""


def test_rank_is_not_read_as_a_player_name() -> None:
    sentence = read("ann AsJs, ann jack of hearts", ("Ann", "Jack"))
    assert sentence.players["Ann"].cards == {"": ["As", "Js", "Jh"]}
    assert "Jack" not in sentence.players


def test_name_without_further_words_is_marked() -> None:
    assert marked("ann, bob folds") == [("ann", "nothing-said")]


def test_several_players_fold() -> None:
    sentence = read("ann, bob and cat fold", TABLE)
    assert {name: part.state for name, part in sentence.players.items()} == dict.fromkeys(
        TABLE, "folded"
    )


@pytest.mark.parametrize("text", ["cat wins, everyone else folds", "everyone else folds, cat wins"])
def test_everyone_else_folds(text: str) -> None:
    players = read(text, TABLE).players
    assert {name: part.state for name, part in players.items()} == {
        "Ann": "folded",
        "Bob": "folded",
        "Cat": "",
    }


def test_everyone_else_is_unknown_after_an_unknown_name() -> None:
    text = "kit wins everyone else folds"
    sentence = read(text, ("Kate", "Cat", "Ann"))
    assert not sentence.players
    assert marked(text, ("Kate", "Cat", "Ann")) == [
        ("kit", "ambiguous-name"),
        ("wins everyone else", "no-player"),
    ]


# Chips and results


def chips(sentence: Sentence, name: str = "Bob") -> tuple[int | None, ...]:
    player = sentence.player(name)
    return sentence.pot, sentence.each, player.paid, player.took


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pot 45", (45, None, None, None)),
        ("the pot is 45", (45, None, None, None)),
        ("pot of forty-five", (45, None, None, None)),
        ("45 in the pot", (45, None, None, None)),
        ("60 each", (None, 60, None, None)),
        ("sixty chips each", (None, 60, None, None)),
        ("everybody in for 1,200", (None, 1200, None, None)),
        ("bob put in 30", (None, None, 30, None)),
        ("bob all in for two hundred and ten", (None, None, 210, None)),
        ("bob is all in 30", (None, None, 30, None)),
        ("bob takes 23", (None, None, None, 23)),
        ("bob won thirty one thousand five hundred", (None, None, None, 31_500)),
        ("bob wins, 60 each", (None, 60, None, None)),
        ("bob wins 60 each", (None, 60, None, None)),
        ("pot 0", (0, None, None, None)),
    ],
)
def test_chip_amounts_are_parsed(text: str, expected: tuple[int | None, ...]) -> None:
    sentence = read(text, TABLE)
    assert not sentence.marks
    assert chips(sentence) == expected


@pytest.mark.parametrize(
    "text",
    ["pot 4.50", "pot one twenty", "pot 45 60", "pot 1000000000001", "pot 4,5", "pot", "pot -"],
)
def test_unclear_chip_amounts_are_marked(text: str) -> None:
    assert marked(text)
    assert read(text, TABLE).pot is None


def test_second_pot_is_a_contradiction() -> None:
    assert marked("pot 45, pot 50") == [("pot 50", "contradiction")]


@pytest.mark.parametrize(
    ("text", "state", "wins", "declared"),
    [
        ("bob mucks", "mucked", "", ""),
        ("bob folded", "folded", "", ""),
        ("bob is all in", "all-in", "", ""),
        ("bob wins", "", "both", ""),
        ("bob wins the high", "", "high", ""),
        ("bob declares low", "", "", "low"),
        ("bob goes both ways", "", "", "both"),
        ("bob high", "", "", "high"),
    ],
)
def test_results_and_declarations_are_parsed(
    text: str, state: str, wins: str, declared: str
) -> None:
    sentence = read(text, TABLE)
    assert not sentence.marks
    bob = sentence.players["Bob"]
    assert (bob.state, bob.wins, bob.declared) == (state, wins, declared)


def test_text_above_the_maximum_length_is_not_parsed() -> None:
    text = "ann folds " * 101
    assert len(text) > LONGEST
    assert marked(text) == [(text, "too-long")]
    assert not read(text, TABLE).players
