"""A night has one open deal at a time, whose id becomes the id of its hand."""

from typing import Any
from uuid import uuid4

import pytest

from league.closing.cash_outs import cash_out, cash_out_and_leave, undo_exchange
from league.common.errors import NightClosedError, RefusedError
from league.deals.declarations import declare, restart_declarations, revealed_declarations
from league.deals.open_deal import drop, move_on, name_game, open_deal, set_state
from league.deals.proposals import choices
from league.deals.shown_cards import agreed_cards, card_entries, show_cards
from league.deals.table import NamedGame, Table, game_of
from league.models import CashOut, Deal, DealtPlayer, Hand, Night, ShownCards
from league.nights.nights import leave, seat, stacks
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.league.deals import a_deal, at_stage, user_of
from tests.helpers.league.house_games import CROSS, a_house_game
from tests.helpers.league.leagues import a_night, holdem, player, qualifiers
from tests.helpers.league.nights import closed

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


def of_phone(origin: str) -> ClientContext:
    return ClientContext(origin=origin, seen=0, number=1, of_deal=True)


def test_seated_players_are_dealt_in_and_the_next_dealer_is_chosen(night: Night) -> None:
    deal = a_deal(night)
    names = deal.players.order_by("position").values_list("player__name", flat=True)
    assert list(names) == ["ann", "bob", "cat", "dan"]
    assert str(deal.dealer) == "ann"


def test_night_can_have_only_one_open_deal(night: Night) -> None:
    deal = a_deal(night)
    again = name_game(night, deal.pk, NamedGame("nightmare"), by=None)
    assert again.variant == "omaha-8"
    with pytest.raises(RefusedError) as refused:
        a_deal(night, "nightmare")
    assert refused.value.errors[0]["code"] == "another-deal"


def test_deal_from_another_night_is_not_found(night: Night) -> None:
    other = a_deal(a_night())
    with pytest.raises(RefusedError):
        name_game(night, other.pk, NamedGame("nightmare"), by=None)
    assert open_deal(night) is None


def test_game_without_player_limits_fits_a_table_of_four_players(night: Night) -> None:
    """docs/games.md: a document without limits allows two to eight players."""
    game = a_house_game(night, CROSS.replace("players = [2, 8]\n", ""))
    assert choices(Table(night)).fits(game.slug)


def test_deal_whose_game_was_deleted_does_not_block_the_next_deal(night: Night) -> None:
    game = a_house_game(night)
    gone = a_deal(night, game.slug)
    game.delete()
    assert a_deal(night).variant == "omaha-8"
    assert not Deal.objects.filter(pk=gone.pk).exists()


def test_unknown_game_is_refused(night: Night) -> None:
    for named in (NamedGame("no such"), NamedGame("omaha-8", ("no such",))):
        with pytest.raises(RefusedError):
            name_game(night, uuid4(), named, by=None)
    assert open_deal(night) is None


def cancelled(rule: str) -> dict[str, Any]:
    """Return a hand in which cat deals, and ann and bob go both ways and win one way each."""
    hands = {"ann": "8h 7h 6h 4h 2h", "bob": "5d 4c 3d 2d Ac"}
    players = [
        {"name": name, "paid": 12, "declared": "both", "down": cards[:1], "up": cards[1:]}
        for name, cards in ((name, text.split()) for name, text in hands.items())
    ]
    players.append({"name": "cat", "paid": 12, "folded": True})
    options = {"lost_both": rule}
    return {"variant": "anaconda", "button": 2, "players": players, "options": options}


@pytest.mark.parametrize(("rule", "dealer"), [("redeal", "cat"), ("winner-takes-all", "dan")])
def test_pot_that_rides_is_dealt_again_by_the_same_dealer(
    night: Night, rule: str, dealer: str
) -> None:
    """docs/rulings.md 6: with `redeal` the same dealer deals the same game again."""
    record_hand(night, uuid4(), cancelled(rule), by=None)
    table = Table(night)
    assert table.carry == 36
    assert [proposal.slug for proposal in choices(table).proposals] == ["anaconda"]
    assert str(a_deal(night, "anaconda").dealer) == dealer


def test_game_that_left_a_pot_is_dealt_again_to_its_players(night: Night) -> None:
    """docs/rulings.md: a Qualifiers pot is carried for players who had not folded before.

    The record form left out the others, but their phones had them in the deal.
    """
    record_hand(night, uuid4(), qualifiers(), by=None)
    deal = a_deal(night, "qualifiers")
    states = dict(deal.players.values_list("player__name", "state"))
    assert states == {"ann": "in", "bob": "in", "cat": "away", "dan": "away"}
    set_state(night, deal.pk, player(night, "cat"), "in", by=None)
    drop(night, deal.pk)
    other = a_deal(night, "texas-holdem")
    assert set(other.players.values_list("state", flat=True)) == {"in"}


def test_dealer_who_left_does_not_deal_again(night: Night) -> None:
    record_hand(night, uuid4(), cancelled("redeal"), by=None)
    leave(night, player(night, "cat"))
    assert str(a_deal(night, "anaconda").dealer) == "dan"


def test_double_tap_advances_a_deal_by_one_stage(night: Night) -> None:
    deal = a_deal(night)
    assert move_on(night, deal.pk, 0).stage == 1
    assert move_on(night, deal.pk, 0).stage == 1
    last = len(game_of(deal).stages) - 1
    at_stage(deal, "showdown")
    assert move_on(night, deal.pk, last).stage == last


def test_dropped_deal_is_deleted_with_all_its_rows(night: Night) -> None:
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    ann = player(night, "ann")
    show_cards(night, deal.pk, ann, {"down": "As Ad"}, by=user_of(ann))
    drop(night, deal.pk)
    drop(night, deal.pk)
    rows = (Deal, DealtPlayer, ShownCards)
    assert [model.objects.count() for model in rows] == [0, 0, 0]


def test_closing_a_night_deletes_its_deal_and_prevents_new_ones(night: Night) -> None:
    a_deal(night)
    closed(night)
    assert not Deal.objects.exists()
    with pytest.raises(NightClosedError):
        a_deal(night)


def test_recorded_hand_takes_the_id_of_its_deal_and_ends_it(night: Night) -> None:
    deal = a_deal(night, "texas-holdem")
    recorded = record_hand(night, deal.pk, holdem(), by=None, context=of_phone("a"))
    assert recorded.outcome == "recorded"
    assert Hand.objects.get().pk == deal.pk
    assert open_deal(night) is None
    with pytest.raises(RefusedError):
        name_game(night, deal.pk, NamedGame("texas-holdem"), by=None)


def test_hand_without_a_deal_leaves_the_deal_open(night: Night) -> None:
    deal = a_deal(night)
    record_hand(night, uuid4(), holdem(), by=None, context=of_phone("a"))
    assert open_deal(night) == deal


def test_deal_recorded_on_two_phones_becomes_one_hand(night: Night) -> None:
    """A different second record becomes a conflict, however often it is sent."""
    deal = a_deal(night, "texas-holdem")
    other = holdem(board=[["2h", "7d", "9s", "Jd", "Kh"]])
    record_hand(night, deal.pk, holdem(), by=None, context=of_phone("a"))
    same = record_hand(night, deal.pk, holdem(), by=None, context=of_phone("b"))
    first = record_hand(night, deal.pk, other, by=None, context=of_phone("b"))
    again = record_hand(night, deal.pk, other, by=None, context=of_phone("b"))
    assert [same.outcome, first.outcome, again.outcome] == ["again", "waiting", "waiting"]
    assert first.conflict == again.conflict
    assert Hand.objects.count() == 1


def test_voided_hand_can_be_recorded_again_on_another_phone(night: Night) -> None:
    deal = a_deal(night, "texas-holdem")
    hand = record_hand(night, deal.pk, holdem(), by=None, context=of_phone("a")).hand
    void_hand(hand, by=None)
    other = holdem(board=[["2h", "7d", "9s", "Jd", "Kh"]])
    assert record_hand(night, deal.pk, other, by=None, context=of_phone("b")).created


def test_declarations_are_revealed_when_the_last_one_is_locked(night: Night) -> None:
    deal = at_stage(a_deal(night), "declare")
    words = {"ann": "high", "bob": "low", "cat": "both", "dan": "low"}
    for name, word in words.items():
        assert revealed_declarations(Deal.objects.get()) == {}
        who = player(night, name)
        declare(night, deal.pk, who, word, by=user_of(who))
    deal = Deal.objects.get()
    assert {str(player(night, n).pk): w for n, w in words.items()} == {
        str(who): word for who, word in revealed_declarations(deal).items()
    }
    assert game_of(deal).stage(deal.stage)["kind"] == "showdown"


def test_players_who_declare_out_are_folded_together(night: Night) -> None:
    """Wikipedia, Guts (card game): all players declare at the same time whether they stay in."""
    deal = at_stage(a_deal(night, "guts"), "declare")
    for name, word in {"ann": "in", "bob": "out", "cat": "out", "dan": "in"}.items():
        assert set(deal.players.values_list("state", flat=True)) == {"in"}
        who = player(night, name)
        declare(night, deal.pk, who, word, by=user_of(who))
        assert revealed_declarations(Deal.objects.get()) == {}
    deal = Deal.objects.get()
    assert game_of(deal).stage(deal.stage)["kind"] == "showdown"
    states = dict(deal.players.values_list("player__name", "state"))
    assert states == {"ann": "in", "bob": "folded", "cat": "folded", "dan": "in"}
    assert set(deal.players.values_list("declaration", flat=True)) == {""}


IN_TURN = (
    CROSS.replace('"high"', '"high", "low: best"')
    .replace('"board e", "bet"', '"board e", "bet", "declare in turn"\n')
    .replace("hand = [", 'declare = "high-low"\nhand = [')
)


def test_players_declare_openly_and_in_seat_order_after_the_first_one(night: Night) -> None:
    """docs/rulings.md 5: `declare in turn` starts with the last player who raised, here Cat."""
    deal = at_stage(a_deal(night, a_house_game(night, IN_TURN).slug), "declare")
    set_state(night, deal.pk, player(night, "dan"), "folded", by=user_of(player(night, "ann")))
    for name, word in {"cat": "high", "ann": "low", "bob": "both"}.items():
        who = player(night, name)
        if name == "ann":
            with pytest.raises(RefusedError, match="ann declares next"):
                declare(night, deal.pk, player(night, "bob"), "low", by=user_of(who))
        declare(night, deal.pk, who, word, by=user_of(who))
        assert revealed_declarations(Deal.objects.get(), in_turn=True)[who.pk] == word
    assert Deal.objects.get().revealed_at


def test_locked_declaration_cannot_be_changed(night: Night) -> None:
    deal = at_stage(a_deal(night), "declare")
    ann = player(night, "ann")
    declare(night, deal.pk, ann, "high", by=user_of(ann))
    with pytest.raises(RefusedError):
        declare(night, deal.pk, ann, "low", by=user_of(ann))
    restart_declarations(night, deal.pk)
    declare(night, deal.pk, ann, "low", by=user_of(ann))


def test_own_declaration_replaces_one_that_another_user_entered(night: Night) -> None:
    """The other user may not change it afterwards, and the player may change it only once."""
    deal = at_stage(a_deal(night), "declare")
    ann, bob = player(night, "ann"), player(night, "bob")
    declare(night, deal.pk, ann, "high", by=user_of(bob))
    with pytest.raises(RefusedError):
        declare(night, deal.pk, ann, "both", by=user_of(bob))
    declare(night, deal.pk, ann, "low", by=user_of(ann))
    for by in (ann, bob):
        with pytest.raises(RefusedError):
            declare(night, deal.pk, ann, "both", by=user_of(by))
    for name in ("bob", "cat", "dan"):
        declare(night, deal.pk, player(night, name), "high", by=user_of(bob))
    assert revealed_declarations(Deal.objects.get())[ann.pk] == "low"
    with pytest.raises(RefusedError):
        declare(night, deal.pk, player(night, "cat"), "low", by=user_of(player(night, "cat")))


def test_entered_declaration_in_turn_is_replaced_until_the_next_player_declares(
    night: Night,
) -> None:
    """Later, the player would know more than the others did in their turn."""
    deal = at_stage(a_deal(night, a_house_game(night, IN_TURN).slug), "declare")
    ann, bob, cat = (player(night, name) for name in ("ann", "bob", "cat"))
    declare(night, deal.pk, ann, "high", by=user_of(bob))
    declare(night, deal.pk, ann, "low", by=user_of(ann))
    declare(night, deal.pk, bob, "high", by=user_of(cat))
    declare(night, deal.pk, cat, "high", by=user_of(cat))
    with pytest.raises(RefusedError, match="already declared"):
        declare(night, deal.pk, bob, "low", by=user_of(bob))
    declared = revealed_declarations(Deal.objects.get(), in_turn=True)
    assert declared == {ann.pk: "low", bob.pk: "high", cat.pk: "high"}


def test_invalid_or_early_declaration_is_refused(night: Night) -> None:
    deal = a_deal(night)
    ann = player(night, "ann")
    with pytest.raises(RefusedError):
        declare(night, deal.pk, ann, "high", by=user_of(ann))
    at_stage(deal, "declare")
    with pytest.raises(RefusedError):
        declare(night, deal.pk, ann, "sideways", by=user_of(ann))


def test_folded_player_does_not_delay_the_declarations(night: Night) -> None:
    deal = at_stage(a_deal(night), "declare")
    for name in ("ann", "bob"):
        who = player(night, name)
        declare(night, deal.pk, who, "high", by=user_of(who))
    host = user_of(player(night, "ann"))
    for name in ("cat", "dan"):
        set_state(night, deal.pk, player(night, name), "folded", by=host)
    deal = Deal.objects.get()
    assert set(revealed_declarations(deal).values()) == {"high"}
    with pytest.raises(RefusedError):
        set_state(night, deal.pk, player(night, "cat"), "in", by=host)


def test_declaring_at_the_table_discards_declarations_made_on_phones(night: Night) -> None:
    deal = at_stage(a_deal(night), "declare")
    ann = player(night, "ann")
    declare(night, deal.pk, ann, "high", by=user_of(ann))
    move_on(night, deal.pk, deal.stage)
    assert not DealtPlayer.objects.exclude(declaration="").exists()


@pytest.mark.parametrize("chips", [100, 0])
def test_cashing_out_folds_the_hand_of_the_player_who_leaves(night: Night, chips: int) -> None:
    """The player remained in the deal and in the hand's form."""
    deal, key = a_deal(night, "texas-holdem"), uuid4()
    ann, host = player(night, "ann"), user_of(player(night, "bob"))
    cash_out_and_leave(night, ann, chips, cash_out_id=key, by=host)
    states = dict(deal.players.values_list("player__name", "state"))
    assert states == {"ann": "folded", "bob": "in", "cat": "in", "dan": "in"}
    assert deal.players.get(player=ann).state_by == host
    with pytest.raises(RefusedError, match="ann has left"):  # "Undo fold" on ann's phone
        set_state(night, deal.pk, ann, "in", by=user_of(ann))
    seat(night, ann)
    set_state(night, deal.pk, ann, "in", by=host)
    cash_out_and_leave(night, ann, chips, cash_out_id=key, by=host)
    assert deal.players.get(player=ann).state == "in"


def test_undone_cash_out_gives_back_the_hand_and_the_shown_cards(night: Night) -> None:
    """The hand stayed folded, and the player had to show the cards again."""
    deal, key = at_stage(a_deal(night, "texas-holdem"), "showdown"), uuid4()
    ann, host = player(night, "ann"), user_of(player(night, "bob"))
    show_cards(night, deal.pk, ann, {"down": "As Ks"}, by=user_of(ann))
    done = cash_out_and_leave(night, ann, 90, cash_out_id=key, by=host)
    assert isinstance(done, CashOut)
    assert agreed_cards(card_entries(deal)) == {}
    for _ in range(2):
        undo_exchange(done, by=host)
        row = deal.players.get(player=ann)
        assert (row.state, row.cash_out) == ("in", None)
        assert agreed_cards(card_entries(deal)) == {ann.pk: {"down": "As Ks"}}
        assert night.seats.get(player=ann).left_at is None
        assert stacks(night)[ann.pk] == 100


@pytest.mark.parametrize("state", ["in", "folded"])
def test_undone_cash_out_leaves_a_hand_that_was_folded_before_or_afterwards(
    night: Night, state: str
) -> None:
    deal, ann = a_deal(night, "texas-holdem"), player(night, "ann")
    set_state(night, deal.pk, ann, state, by=None)
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    set_state(night, deal.pk, ann, "folded", by=None)
    undo_exchange(done, by=None)
    assert deal.players.get(player=ann).state == "folded"


def test_undone_cash_out_gives_back_the_seat_between_two_deals(night: Night) -> None:
    """The host had to seat the player again after a mistaken cash-out."""
    ann, key = player(night, "ann"), uuid4()
    done = cash_out_and_leave(night, ann, 90, cash_out_id=key, by=None)
    assert isinstance(done, CashOut)
    assert night.seats.get(player=ann).left_at
    for _ in range(2):
        undo_exchange(CashOut.objects.get(pk=key), by=None)
        assert (night.seats.get(player=ann).left_at, stacks(night)[ann.pk]) == (None, 100)


def test_undone_cash_out_leaves_a_seat_that_was_freed_later(night: Night) -> None:
    """The player cashed out 40 chips, stayed, and stood up afterwards, during a deal."""
    ann = player(night, "ann")
    early = cash_out(night, ann, 40, cash_out_id=uuid4(), by=None)
    deal = a_deal(night, "texas-holdem")
    late = cash_out_and_leave(night, ann, 60, cash_out_id=uuid4(), by=None)
    assert isinstance(late, CashOut)
    undo_exchange(early, by=None)
    assert night.seats.get(player=ann).left_at
    seat(night, ann)
    leave(night, ann)
    undo_exchange(late, by=None)
    assert night.seats.get(player=ann).left_at
    assert deal.players.get(player=ann).state == "folded"
    assert stacks(night)[ann.pk] == 100


def test_undone_cash_out_leaves_the_hand_folded_if_the_others_have_declared(night: Night) -> None:
    """The player would know what the others declared."""
    deal, ann = at_stage(a_deal(night), "declare"), player(night, "ann")
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    for name in ("bob", "cat", "dan"):
        who = player(night, name)
        declare(night, deal.pk, who, "high", by=user_of(who))
    undo_exchange(done, by=None)
    assert deal.players.get(player=ann).state == "folded"
    assert stacks(night)[ann.pk] == 100


@pytest.mark.parametrize("first", ["", "in", "out"])
def test_undone_cash_out_gives_no_hand_back_to_a_player_who_did_not_declare_in(
    night: Night, first: str
) -> None:
    """In or out: the player would be in, and know who else is. A declared "out" stays "out"."""
    deal, ann = at_stage(a_deal(night, "guts"), "declare"), player(night, "ann")
    if first:
        declare(night, deal.pk, ann, first, by=user_of(ann))
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    for name, word in {"bob": "in", "cat": "in", "dan": "out"}.items():
        declare(night, deal.pk, player(night, name), word, by=user_of(player(night, name)))
    undo_exchange(done, by=None)
    states = dict(deal.players.values_list("player__name", "state"))
    ann_is = "in" if first == "in" else "folded"
    assert states == {"ann": ann_is, "bob": "in", "cat": "in", "dan": "folded"}
    assert not deal.players.exclude(declaration="").exists()
    assert stacks(night)[ann.pk] == 100


@pytest.mark.parametrize("game", ["omaha-8", "guts"])
def test_undone_cash_out_leaves_the_hand_folded_if_the_others_declared_at_the_table(
    night: Night, game: str
) -> None:
    deal, ann = at_stage(a_deal(night, game), "declare"), player(night, "ann")
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    move_on(night, deal.pk, deal.stage)
    undo_exchange(done, by=None)
    assert deal.players.get(player=ann).state == "folded"


def test_undone_cash_out_leaves_the_hand_folded_if_another_player_declared_in_turn(
    night: Night,
) -> None:
    """All players see a declaration that is made in turn."""
    game = a_house_game(night, IN_TURN).slug
    deal, ann = at_stage(a_deal(night, game), "declare"), player(night, "ann")
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    bob = player(night, "bob")
    declare(night, deal.pk, bob, "high", by=user_of(bob))
    undo_exchange(done, by=None)
    assert deal.players.get(player=ann).state == "folded"


def test_undone_cash_out_before_the_declarations_lets_the_player_declare(night: Night) -> None:
    """Declarations that are still hidden tell the player nothing."""
    deal, ann = at_stage(a_deal(night, "guts"), "declare"), player(night, "ann")
    done = cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert isinstance(done, CashOut)
    bob = player(night, "bob")
    declare(night, deal.pk, bob, "in", by=user_of(bob))
    undo_exchange(done, by=None)
    assert deal.players.get(player=ann).state == "in"
    declare(night, deal.pk, ann, "in", by=user_of(ann))


def test_cashing_out_keeps_the_hand_of_a_player_who_is_all_in(night: Night) -> None:
    """Table stakes: an all-in hand stays in until the showdown."""
    deal, ann = a_deal(night, "texas-holdem"), player(night, "ann")
    set_state(night, deal.pk, ann, "all-in", by=user_of(ann))
    cash_out_and_leave(night, ann, 0, cash_out_id=uuid4(), by=None)
    assert deal.players.get(player=ann).state == "all-in"


def test_cashing_out_during_a_deal_whose_game_was_deleted_frees_the_seat(night: Night) -> None:
    deal, ann = a_deal(night), player(night, "ann")
    Deal.objects.update(variant="cross")
    cash_out_and_leave(night, ann, 100, cash_out_id=uuid4(), by=None)
    assert night.seats.get(player=ann).left_at
    assert deal.players.get(player=ann).state == "in"


def test_stored_declarations_reveal_nothing_and_cannot_be_swapped(night: Night) -> None:
    """Neither content nor length reveals a declaration.

    A declaration is invalid in another player's row.
    """
    deal = at_stage(a_deal(night), "declare")
    for name, word in (("ann", "high"), ("bob", "both")):
        declare(night, deal.pk, player(night, name), word, by=user_of(player(night, name)))
    one, other = DealtPlayer.objects.exclude(declaration="").order_by("position")
    assert len(one.declaration) == len(other.declaration)
    assert "high" not in one.declaration
    one.declaration = other.declaration
    one.save()
    Deal.objects.update(revealed_at="2026-01-01T00:00Z")
    assert list(revealed_declarations(Deal.objects.get()).values()) == ["both"]
