"""An entry replaces what its form displayed. Other entries are merged or contradict each other."""

from collections.abc import Mapping

import pytest

from league.common.errors import RefusedError
from league.deals.shown_cards import (
    agreed_cards,
    card_entries,
    choose_version,
    clashes,
    entries_by_field,
    show_cards,
)
from league.models import Deal, Night, ShownCards
from tests.helpers.league.deals import a_deal, at_stage, user_of
from tests.helpers.league.leagues import a_night, player

pytestmark = pytest.mark.django_db

FLOP, FOUR = "2h 3d 7s", "2h 3d 7s Kc"


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def deal(night: Night) -> Deal:
    return at_stage(a_deal(night, "texas-holdem"), "showdown")


def enter(
    deal: Deal,
    phone: str,
    board: str | Mapping[str, str] | None = None,
    *,
    hand: str | None = None,
    whose: str = "",
    saw: str | None = None,
) -> None:
    """Enter the board or the down cards of a player on the phone of a player."""
    by, field = user_of(player(deal.night, phone)), "board/0" if hand is None else "down"
    cards = (
        board if isinstance(board, Mapping) else {field: (board if hand is None else hand) or ""}
    )
    of = None if hand is None else player(deal.night, whose or phone)
    seen = None if saw is None else {field: saw}
    show_cards(deal.night, deal.pk, of, cards, by=by, seen=seen)


def board(deal: Deal) -> dict[str, str]:
    return agreed_cards(card_entries(deal)).get(None, {})


def versions(deal: Deal) -> dict[str, str]:
    """Return the versions of the board's first row, keyed by the phone that entered them."""
    names = {user_of(player(deal.night, name)).pk: name for name in ("ann", "bob", "cat")}
    rows = entries_by_field(card_entries(deal)).get((None, "board/0"), [])
    return {names[row.told_by_id]: row.cards["board/0"] for row in rows}


def test_cards_are_shown_only_at_the_showdown(night: Night) -> None:
    deal = a_deal(night, "texas-holdem")
    ann = player(night, "ann")
    with pytest.raises(RefusedError):
        show_cards(night, deal.pk, ann, {"down": "As Ad"}, by=user_of(ann))


def test_invalid_cards_are_refused_with_all_errors(night: Night) -> None:
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    ann = player(night, "ann")
    cards = {"down": "As Ad Kd", "up": "2c", "board/0": "3c"}
    with pytest.raises(RefusedError) as refused:
        show_cards(night, deal.pk, ann, cards, by=user_of(ann))
    assert {error["where"] for error in refused.value.errors} == {"down", "up", "board/0"}
    with pytest.raises(RefusedError) as refused:
        show_cards(night, deal.pk, ann, {"down": "As 1d"}, by=user_of(ann))
    assert [error["code"] for error in refused.value.errors] == ["unknown-card"]


def test_later_report_replaces_the_earlier_one(night: Night) -> None:
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    ann = player(night, "ann")
    for cards in ("As Ad", "As Ac"):
        show_cards(night, deal.pk, ann, {"down": cards}, by=user_of(ann))
    assert agreed_cards(card_entries(deal)) == {ann.pk: {"down": "As Ac"}}


def test_board_entered_step_by_step_from_two_phones_is_merged(night: Night) -> None:
    """The whole board used to vanish. Nightmare's rows are a b c, d e and f."""
    deal = at_stage(a_deal(night, "nightmare"), "showdown")
    enter(deal, "bob", {"board/0": "Kc"})
    enter(deal, "cat", {"board/0": "Kc 7h", "board/1": "Kd"}, saw="Kc")
    assert board(deal) == {"board/0": "Kc 7h", "board/1": "Kd"}
    enter(deal, "ann", {"board/2": "2s"})  # and entries of other rows
    enter(deal, "bob", {"board/0": "Kc"})  # a late phone with fewer cards
    assert board(deal) == {"board/0": "Kc 7h", "board/1": "Kd", "board/2": "2s"}


def test_last_entry_of_a_hand_counts(deal: Deal) -> None:
    """Players enter only their own cards. A second user is a new account of the same player."""
    enter(deal, "ann", hand="Kd")
    enter(deal, "bob", hand="As Qd", whose="ann")
    ann = player(deal.night, "ann").pk
    assert agreed_cards(card_entries(deal)) == {ann: {"down": "As Qd"}}


@pytest.mark.parametrize(
    ("variant", "first", "second", "agreed"),
    [
        ("texas-holdem", FLOP, "7s 2h 3d", FLOP),
        ("texas-holdem", FOUR, "7s 2h 3d Kc Qd", f"{FOUR} Qd"),
        ("texas-holdem", "7s", "2h 3d", "7s 2h 3d"),
        ("texas-holdem", "2h 3d 7s Kc Qd", "2h 3d 7s Qd Kc", FLOP),  # turn and river
        ("texas-holdem", "?? ?? 7h", "?? ?? 7h", "?? ?? 7h"),
        ("texas-holdem", "?? 7h", "Kc 7h", ""),  # an unseen card may be the third one
        ("nightmare", "Kc 7h", "7h Kc", ""),  # its lines give each place a meaning
    ],
)
def test_order_of_cards_dealt_together_does_not_matter(
    night: Night, variant: str, first: str, second: str, agreed: str
) -> None:
    deal = at_stage(a_deal(night, variant), "showdown")
    enter(deal, "ann", first)
    enter(deal, "bob", second)
    assert board(deal).get("board/0", "") == agreed
    assert len(versions(deal)) == (1 if len(agreed) >= len(first) else 2)


def test_different_cards_are_listed_and_the_cards_before_them_stay(deal: Deal) -> None:
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd 9c", saw=FLOP)
    enter(deal, "cat", f"{FLOP} Qd", saw=FLOP)
    assert board(deal) == {"board/0": FLOP}
    assert versions(deal) == {"ann": f"{FLOP} Qd", "bob": f"{FLOP} Jd 9c"}


def test_shorter_entry_does_not_take_sides(deal: Deal) -> None:
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd", saw=FLOP)
    enter(deal, "cat", FLOP)
    assert versions(deal) == {"ann": f"{FLOP} Qd", "bob": f"{FLOP} Jd"}


def test_entry_replaces_the_entries_that_its_form_displayed(deal: Deal) -> None:
    """A wrong card of another phone is corrected or removed on any phone."""
    enter(deal, "ann", FOUR)
    enter(deal, "bob", f"{FLOP} Qd", saw=FOUR)
    assert versions(deal) == {"bob": f"{FLOP} Qd"}
    enter(deal, "cat", FLOP, saw=f"{FLOP} Qd")
    assert versions(deal) == {"cat": FLOP}
    enter(deal, "ann", "", saw=FLOP)
    assert board(deal) == {}


def test_card_that_the_form_did_not_display_is_never_removed(deal: Deal) -> None:
    enter(deal, "ann", FLOP)
    enter(deal, "ann", FOUR, saw=FLOP)
    enter(deal, "bob", "2h 3d", saw=FLOP)
    assert board(deal) == {"board/0": FOUR}
    enter(deal, "cat", "2h 3d 8s", saw=FLOP)
    assert versions(deal) == {"ann": FOUR, "cat": "2h 3d 8s"}


def test_user_settles_a_disagreement_by_entering_the_other_version(deal: Deal) -> None:
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd")
    enter(deal, "ann", f"{FLOP} Jd", saw=FLOP)
    assert versions(deal) == {"bob": f"{FLOP} Jd"}


def test_chosen_version_replaces_the_others_and_keeps_later_cards(deal: Deal) -> None:
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd 9c")
    chosen = ShownCards.objects.get(told_by=user_of(player(deal.night, "ann")))
    choose_version(deal.night, deal.pk, chosen.pk, "board/0")
    assert versions(deal) == {"ann": f"{FLOP} Qd 9c"}


def test_later_cards_that_also_differ_are_not_kept(deal: Deal) -> None:
    for phone, cards in (("ann", "Qd"), ("bob", "Jd 9c"), ("cat", "Td 8c")):
        enter(deal, phone, f"{FLOP} {cards}")
    chosen = ShownCards.objects.get(told_by=user_of(player(deal.night, "ann")))
    choose_version(deal.night, deal.pk, chosen.pk, "board/0")
    assert versions(deal) == {"ann": f"{FLOP} Qd"}


def test_version_that_was_replaced_in_the_meantime_is_refused(deal: Deal) -> None:
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd")
    chosen = ShownCards.objects.get(told_by=user_of(player(deal.night, "ann")))
    enter(deal, "ann", f"{FLOP} Td")
    with pytest.raises(RefusedError):
        choose_version(deal.night, deal.pk, chosen.pk, "board/0")


def test_own_cards_can_be_removed(deal: Deal) -> None:
    """An empty form used to change nothing."""
    enter(deal, "ann", FOUR)
    enter(deal, "ann", FLOP, saw=FOUR)
    assert board(deal) == {"board/0": FLOP}
    enter(deal, "ann", "", saw=FLOP)
    assert not ShownCards.objects.exists()


def test_form_without_changes_keeps_the_earlier_entry(deal: Deal) -> None:
    """Showing a hand also sends the board, which would withdraw a contested card."""
    enter(deal, "ann", f"{FLOP} Qd")
    enter(deal, "bob", f"{FLOP} Jd")
    enter(deal, "ann", FLOP, saw=FLOP)
    assert versions(deal) == {"ann": f"{FLOP} Qd", "bob": f"{FLOP} Jd"}


def test_card_in_two_places_is_listed_once(deal: Deal) -> None:
    enter(deal, "ann", hand="As Ad")
    enter(deal, "bob", hand="as 10h")
    enter(deal, "cat", "As 3d 7s")
    enter(deal, "dan", "As 3d 7s Kc")
    found = [
        (each.card, str(each.one.player), each.other.player) for each in clashes(card_entries(deal))
    ]
    ann, bob = "ann", player(deal.night, "bob")
    assert found == [("As", ann, bob), ("As", ann, None), ("As", "bob", None)]
