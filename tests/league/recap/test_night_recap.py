"""A night's recap contains the facts from its receipt."""

import re
from dataclasses import replace
from uuid import uuid4
from xml.etree import ElementTree  # noqa: ICN001 (full name)

import pytest

from league.charges.charging import NewCharge, Share, charge, undo
from league.closing.close import current_closing
from league.models import Charge, Role
from league.nights.buy_ins import buy_in
from league.nights.nights import hands
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recap import BLOCK_WIDTH, biggest_swing, blocks, drawn, recap_of, text_of
from league.recording.corrections import revise_hand
from league.scoring.season_table import Option, Placing, choose
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.nights import again, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def test_recap_names_all_players_the_hand_and_the_leader() -> None:
    night = a_night()
    dealt(night)
    recap = recap_of(closed(night))
    assert [row[:3] for row in recap.players] == [
        (1, "ann", 10),
        (2, "cat", 0),
        (2, "dan", 0),
        (4, "bob", -10),
    ]
    assert recap.season[0] == Placing(1, "ann", 10, player(night, "ann").pk)
    assert recap.best is not None
    assert (recap.best.name, recap.best.chips, recap.best.number) == ("ann", 10, 1)
    title, text = text_of(recap)
    assert title == f"{night.league.name}: {night}"
    for said in (
        "1 hand",
        "1. ann +10",
        "4. bob \u221210",
        "Biggest win of the night: ann won 10 at",
    ):
        assert said in text
    assert "at Texas Hold'em with a pair of aces." in text


def test_recap_names_a_tournament_and_its_winner() -> None:
    """Most of the figures came from the tournament, but no line mentioned it."""
    night = a_night()
    share = {"ann": Share(gets=30, owes=10, place=1), "bob": Share(gets=0, owes=20, place=2)}
    shares = {player(night, name): each for name, each in share.items()}
    event = NewCharge(kind=Charge.Kind.TOURNAMENT, title="Sunday Special", shares=shares)
    charge(night, event, charge_id=uuid4(), by=None)
    undone = replace(event, title="Wrong one")
    undo(charge(night, undone, charge_id=uuid4(), by=None), by=None)
    recap = recap_of(closed(night))
    assert recap.tournaments == ["ann won the tournament Sunday Special (+20)."]
    assert recap.tournaments[0] in text_of(recap)[1]
    picture = drawn(recap)
    assert recap.tournaments[0] in picture
    assert "4.\xa0bob" in picture
    assert "Wrong one" not in picture


def test_recap_mentions_a_tournament_without_a_name() -> None:
    night = a_night()
    shares = {
        player(night, "ann"): Share(gets=20, place=1),
        player(night, "bob"): Share(owes=20, place=2),
    }
    event = NewCharge(kind=Charge.Kind.TOURNAMENT, shares=shares)
    charge(night, event, charge_id=uuid4(), by=None)
    assert recap_of(closed(night)).tournaments == ["ann won the tournament (+20)."]


def test_players_with_the_same_net_share_a_place() -> None:
    recap = recap_of(closed(a_night()))
    assert [place for place, *_ in recap.players] == [1, 1, 1, 1]
    assert recap.best is None
    assert "Biggest win of the night" not in text_of(recap)[1]


def test_biggest_swing_is_the_largest_change_between_any_two_moments() -> None:
    """Ann falls from +10 to -30, and ends at -20."""
    night = a_night()
    dealt(night)
    lost = holdem()
    for each, cards in zip(lost["players"], (["Kc", "Kd"], ["Ac", "Ad"]), strict=True):
        each |= {"down": cards, "paid": 20}
    for _ in range(2):
        dealt(night, lost)
    dealt(night)
    swing = biggest_swing(list(hands(night)))
    assert swing is not None
    assert swing.name in {"ann", "bob"}
    assert abs(swing.chips) == 40
    assert biggest_swing(list(hands(night))[:2]) is None


def test_swing_of_a_corrected_night_is_labelled_as_the_hands_not_the_result() -> None:
    """The count decides (decision 0005): ann keeps +30, but by the corrected hands she has +10."""
    night = a_night()
    hand = dealt(night)
    dealt(night)
    dealt(night)
    closing = closed(night)
    lost = holdem()
    for each, cards in zip(lost["players"], (["Kc", "Kd"], ["Ac", "Ad"]), strict=True):
        each |= {"down": cards}
    revise_hand(hand, uuid4(), lost, by=None)
    assert recap_of(current_closing(again(night))).players == recap_of(closing).players
    swing = biggest_swing(list(hands(night)))
    assert swing is not None
    assert swing.after == 10
    page = html(member(night.league, Role.HOST).get(f"/nights/{night.pk}"))
    assert "Biggest swing of the night" in page


def test_recap_picture_includes_the_text_for_any_names() -> None:
    night = a_night()
    dealt(night)
    night.league.players.filter(name="ann").update(name="<ann & \x07 Co>")
    picture = drawn(recap_of(closed(night)))
    ElementTree.fromstring(picture)  # noqa: S314 (our own)
    for said in ("&lt;ann &amp;  Co&gt;", "+10", "Biggest win of the night"):
        assert said in picture


def test_recap_picture_lists_players_who_are_not_on_the_podium() -> None:
    """A third player who lost was neither on the podium nor below it."""
    night = a_night()
    dealt(night)
    recap = recap_of(closed(night))
    nets = {"ann": 280, "bob": -130, "cat": -150}
    players = [Placing(at, name, net, uuid4()) for at, (name, net) in enumerate(nets.items(), 1)]
    picture = drawn(replace(recap, players=players))
    assert "2.\xa0bob\xa0\N{MINUS SIGN}130 · 3.\xa0cat\xa0\N{MINUS SIGN}150" in picture


@pytest.mark.parametrize(
    ("nets", "left_edges"),
    [
        ((10, -10), [390]),
        ((10, 5, -15), [545, 235]),
        ((10, 5, 3, -18), [390, 80, 700]),
        ((5, 5, 5, 5), []),
    ],
)
def test_podium_is_centred_for_any_number_of_winners(
    nets: tuple[int, ...], left_edges: list[int]
) -> None:
    """Two winners left the third step of the podium empty. The picture is 1080 pixels wide."""
    players = [Placing(sorted(nets)[::-1].index(net) + 1, "ann", net, uuid4()) for net in nets]
    shown = [block.x for block in blocks(players)]
    assert shown == left_edges
    assert not shown or min(shown) == 1080 - max(shown) - BLOCK_WIDTH


def test_recap_picture_wraps_the_list_of_players_between_players() -> None:
    """A place or a separator was left at the end of a line."""
    night = a_night()
    dealt(night)
    recap = recap_of(closed(night))
    for number in range(5, 9):
        rows = [Placing(at, "Dov" * 3, -100 * at, uuid4()) for at in range(1, number)]
        lines = re.findall(r'font-size="30"[^>]*>([^<]*)<', drawn(replace(recap, players=rows)))
        assert len(lines) == 2
        assert all(line.startswith(f"{line[0]}.\xa0Dov") for line in lines)
        assert not any(line.endswith("·") for line in lines)


@pytest.mark.parametrize(("players", "listed", "more"), [(10, 10, ""), (12, 10, "and 2 more")])
def test_recap_lists_ten_players_of_the_season_and_counts_the_rest(
    players: int, listed: int, more: str
) -> None:
    names = [f"player {number:02}" for number in range(1, players + 1)]
    league = a_league()
    night = open_night(league, players=[add_player(league, name) for name in names])
    for seat in night.seats.all():
        buy_in(night, seat.player, 100, buy_in_id=uuid4(), by=None)
    recap = recap_of(closed(night))
    assert [row.name for row in recap.season] == names[:listed]
    picture, (_, text) = drawn(recap), text_of(recap)
    for shown in (picture, text):
        assert names[listed - 1] in shown
        assert ("more" in shown) == bool(more)
        assert more in shown


def test_recap_ranks_the_season_by_its_own_scoring() -> None:
    """A season ranked by points was ranked by chips in the text and the picture of a night."""
    night = a_night()
    dealt(night)
    choose(night.season, Option(scoring="places", points=(5, 3, 1)), by=None)
    recap = recap_of(closed(night))
    assert [(row.name, row.text) for row in recap.season] == [
        ("ann", "5 points"),
        ("cat", "2 points"),
        ("dan", "2 points"),
        ("bob", "0 points"),
    ]
    assert "1. ann 5 points" in text_of(recap)[1]
    assert ">5 points</text>" in drawn(recap)
