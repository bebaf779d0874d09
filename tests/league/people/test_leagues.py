"""Leagues, their members and their players."""

from uuid import UUID, uuid4

import pytest

from league.common.errors import RefusedError
from league.common.text import wrong_name, wrong_text
from league.models import MOST_CHIPS, League, Role
from league.people.leagues import (
    CODE_LETTERS,
    COLOURS,
    add_member,
    add_player,
    colour_of,
    distinct_colours,
    make_league,
    new_player_id,
)
from ledger.models import Book
from tests.helpers.league.leagues import a_league, a_user

pytestmark = pytest.mark.django_db


def codes(refused: pytest.ExceptionInfo[RefusedError]) -> list[tuple[str, str]]:
    return [(each["where"], each["code"]) for each in refused.value.errors]


def test_new_league_has_a_host_a_book_and_a_season() -> None:
    host = a_user()
    league = make_league(host, "  Tuesday \n poker ", currency="EUR", time_zone="Europe/Berlin")
    assert league.name == "Tuesday poker"
    assert league.memberships.get().role == Role.HOST
    assert league.memberships.get().user == host
    assert league.book.postings.count() == 0
    assert league.seasons.get().name == "Season 1"
    assert len(league.code) == 8
    assert set(league.code) <= set(CODE_LETTERS)


def test_invalid_league_is_refused_with_all_errors() -> None:
    with pytest.raises(RefusedError) as refused:
        make_league(a_user(), " ", currency="euro", time_zone="Mars/Olympus", chip_value=0)
    assert codes(refused) == [
        ("name", "missing"),
        ("currency", "bad-currency"),
        ("time_zone", "bad-time-zone"),
        ("chip_value", "bad-chips"),
    ]
    assert not League.objects.exists()
    assert not Book.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x" * 10_000, "too-long"),
        ("a\0b", "wrong-type"),
        ("\ud800", "wrong-type"),
        ("\n \t", "missing"),
        (7, "wrong-type"),
    ],
)
def test_name_that_cannot_be_stored_is_refused(name: str, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        add_player(a_league(), name)
    assert codes(refused) == [("name", code)]


@pytest.mark.parametrize("chips", [0, -1, 1.5, True, "7", MOST_CHIPS + 1, 10**30, None])
def test_chip_value_is_a_whole_number_of_minor_units(chips: int) -> None:
    with pytest.raises(RefusedError) as refused:
        make_league(a_user(), "Tuesday", chip_value=chips)
    assert codes(refused) == [("chip_value", "bad-chips")]


def test_name_is_unique_in_a_league_however_it_is_spelled() -> None:
    league = a_league()
    add_player(league, "Ann")
    with pytest.raises(RefusedError) as refused:
        add_player(league, " ann ")
    assert codes(refused) == [("name", "name-twice")]
    add_player(a_league(), "Ann")


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Ann", "ann"),
        ("Ann", "\N{CYRILLIC CAPITAL LETTER A}nn"),
        ("Ann", "\N{GREEK CAPITAL LETTER ALPHA}nn"),
        ("Pat", "\N{CYRILLIC SMALL LETTER ER}\N{CYRILLIC SMALL LETTER A}t"),
        ("Ann", "\N{FULLWIDTH LATIN CAPITAL LETTER A}nn"),
        ("\u0411\u043e\u0431", "\u0431\u041e\u0431"),  # the same Cyrillic name in a different case
        ("Zoë", "Zoe\u0308"),
        ("Bob", "B\u200dob"),
    ],
)
def test_name_that_looks_like_another_name_is_refused(name: str, twin: str) -> None:
    """UTS #39, section 4: confusable strings."""
    league = a_league()
    add_player(league, name)
    with pytest.raises(RefusedError) as refused:
        add_player(league, twin)
    assert codes(refused) == [("name", "name-twice")]


@pytest.mark.parametrize(
    "other", ["Anna", "Anne", "\u0410\u043d\u043d\u0430", "Jan", "Zoe", "Łukasz"]
)
def test_name_in_any_alphabet_is_accepted_if_it_looks_different(other: str) -> None:
    league = a_league()
    for name in ("Ann", "Ian", "Zoë", "Lukasz"):
        add_player(league, name)
    assert add_player(league, other).name == other


@pytest.mark.parametrize("mark", "\u061c\u200e\u200f\u202a\u202e\u2066\u2069")
def test_text_with_a_direction_mark_is_refused(mark: str) -> None:
    """CVE-2021-42574: "ann\u202enaD" shows as another name."""
    for refused in (
        list(wrong_text("note", f"ann{mark}bob")),
        list(wrong_name(f"ann{mark}bob")),
    ):
        assert [(each["code"]) for each in refused] == ["wrong-type"]
    with pytest.raises(RefusedError):
        make_league(a_user(), f"Tuesday{mark}")


def test_member_has_one_role_in_a_league() -> None:
    league, user = a_league(), a_user("bob")
    add_member(league, user, Role.PLAYER)
    add_member(league, user, Role.SCOREKEEPER)
    assert league.memberships.get(user=user).role == Role.SCOREKEEPER


@pytest.mark.parametrize(
    "name", ["\u202ebob", "\u200bbob", "bob\u200b", "\u200d", "\u2066bob", "\u2800", "\u3164\ufe0f"]
)
def test_name_that_a_hand_record_cannot_contain_is_refused(name: str) -> None:
    """Invisible characters and marks for the text direction: see `rules.game.hand.is_name`."""
    with pytest.raises(RefusedError) as refusal:
        add_player(a_league(), name)
    assert [each["code"] for each in refusal.value.errors] == ["wrong-type"]


def test_invisible_characters_do_not_make_a_name_unique() -> None:
    league = a_league()
    for name in ("bob", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"):
        add_player(league, name)
    with pytest.raises(RefusedError, match="already has a player with this name"):
        add_player(league, "bo\u200db")
    with pytest.raises(RefusedError, match="already has a player with this name"):
        add_player(league, "bob\u2800")


def test_players_share_a_colour_only_if_there_are_more_players_than_colours() -> None:
    league = make_league(a_user(), "Tuesday")
    players = [add_player(league, f"player {number}") for number in range(COLOURS + 1)]
    assert len({colour_of(player.pk) for player in players[:COLOURS]}) == COLOURS


def test_lines_of_a_chart_share_a_colour_only_if_there_are_more_lines_than_colours() -> None:
    """The four named lines of a season's picture have no other mark than their colour."""
    alike = [UUID(int=COLOURS * number) for number in range(COLOURS + 1)]
    colours = distinct_colours(alike)
    assert colours[0] == colour_of(alike[0])
    assert len(set(colours[:COLOURS])) == COLOURS
    assert colours[COLOURS] in colours[:COLOURS]


def test_key_of_a_new_player_keeps_its_id_and_gets_an_unused_colour() -> None:
    """A guest whose id came from the phone got the colour of another player."""
    league, key = make_league(a_user(), "Tuesday"), uuid4()
    for number in range(COLOURS - 1):
        add_player(league, f"player {number}")
    guest = add_player(league, "guest", player_id=new_player_id(league, key))
    assert len(set(map(colour_of, league.players.values_list("pk", flat=True)))) == COLOURS
    assert new_player_id(league, key) == guest.pk
