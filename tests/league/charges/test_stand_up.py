"""The stand-up game: its rounds, its charge, and corrections of hands in a round.

"The game starts with everyone standing up. A player may sit back down when they have won a pot.
This includes stealing the blinds or getting a walk. The last player standing must pay each other
player at the table" (CardsChat, "What is the stand-up game?"). docs/rulings.md 17 decides the rest.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from league.charges.charging import undo
from league.charges.side_bets import charges_of, no_longer_won, waiting_bets
from league.charges.side_games import LEAST_PLAYERS, PlayedHand, Round, rounds, rounds_of
from league.closing.cash_outs import cash_out_and_leave
from league.integrity.audit import audit
from league.models import Charge, Hand, Night, Revision
from league.nights import accounts
from league.nights.nights import hands
from league.recording.corrections import revise_hand, void_hand
from ledger.balances import balances
from tests.helpers.league.leagues import a_night, player, qualifiers
from tests.helpers.league.nights import again, chosen, closed, dealt, planned
from tests.helpers.league.side_bets import bets, confirm, everyone_folds_to

Kind = Charge.Kind
NAMES = "abcde"


def a_hand(players: str, winners: str = "", gone: str = "") -> PlayedHand:
    names, won, left = (frozenset(each) for each in (players, winners, gone))
    return PlayedHand(id=uuid4(), players=names, winners=won, gone=left)


def ended(*played: PlayedHand) -> list[tuple[str | None, str]]:
    """Return the loser and the payees of each round that is over."""
    done = [each for each in rounds(played) if each.over]
    return [(each.loser, "".join(sorted(each.payees))) for each in done]


Played = list[tuple[set[str], set[str], set[str]]]


def drawn_hands(least: int) -> st.SearchStrategy[Played]:
    """Draw the players, the winners and the players who left, for each hand."""
    players = st.sets(st.sampled_from(NAMES), min_size=least)
    hand = players.flatmap(
        lambda players: st.tuples(
            st.just(players),
            st.sets(st.sampled_from(sorted(players)), max_size=2),
            st.sets(st.sampled_from(NAMES), max_size=1).map(lambda gone: gone - players),
        )
    )
    return st.lists(hand, max_size=40)


def hands_of(played: Played) -> list[PlayedHand]:
    return [a_hand(*("".join(sorted(each)) for each in hand)) for hand in played]


def replayed(played: Sequence[PlayedHand]) -> list[tuple[UUID, str | None, set[str]]]:
    """Replay the game with a token for each player who has won, as at a table."""
    tokens: dict[str, bool] = {}
    over: list[tuple[UUID, str | None, set[str]]] = []
    for hand in played:
        if not tokens and len(hand.players) >= LEAST_PLAYERS:
            tokens = dict.fromkeys(hand.players, False)
        if not tokens:
            continue
        for name in hand.winners & tokens.keys():
            tokens[name] = True
        for name in hand.gone:
            tokens.pop(name, None)
        without = [name for name, has_won in tokens.items() if not has_won]
        if len(without) < 2:
            winners = {name for name, has_won in tokens.items() if has_won}
            over.append((hand.id, without[0] if without and winners else None, winners))
            tokens = {}
    return over


@given(drawn_hands(2))
def test_rounds_match_a_replay_with_tokens(played: Played) -> None:
    dealt_hands = hands_of(played)
    done = [each for each in rounds(dealt_hands) if each.over]
    assert [(each.hand, each.loser, set(each.payees)) for each in done] == replayed(dealt_hands)


@given(drawn_hands(LEAST_PLAYERS))
def test_loser_won_no_hand_of_the_round_and_each_payee_won_one(played: Played) -> None:
    dealt_hands = hands_of(played)
    done = {each.hand: each for each in rounds(dealt_hands) if each.over}
    winners: set[str] = set()
    for hand in dealt_hands:
        winners |= hand.winners
        if last := done.get(hand.id):
            assert last.loser not in winners
            assert last.payees <= winners
            winners = set()


def test_last_player_standing_pays_and_all_stand_again() -> None:
    first = [a_hand("abcd", "a"), a_hand("abcd", "b"), a_hand("abcd", "a"), a_hand("abcd", "d")]
    assert ended(*first) == [("c", "abd")]
    assert rounds([*first, a_hand("abcd", "a")])[-1].standing == set("bcd")


def test_each_winner_of_a_split_pot_sits_down() -> None:
    """In some descriptions a chop doesn't count, but high-low games split nearly every pot."""
    assert ended(a_hand("abcd", "ab"), a_hand("abcd", "c")) == [("d", "abc")]
    assert ended(a_hand("abcd", "ab"), a_hand("abcd", "cd")) == [(None, "abcd")]


def test_late_player_joins_in_the_next_round() -> None:
    first = [a_hand("abc", "a"), a_hand("abcd", "d"), a_hand("abcd", "b")]
    assert ended(*first) == [("c", "ab")]
    assert rounds([*first, a_hand("abcd", "a")])[-1].players == set("abcd")


def test_player_who_leaves_is_out_and_player_who_sits_out_stays_in() -> None:
    first = [a_hand("abcd", "a"), a_hand("abcd", "b")]
    assert ended(*first, a_hand("abc", "a", gone="d")) == [("c", "ab")]
    assert ended(*first, a_hand("abc", "c", gone="d")) == [(None, "abc")]
    assert ended(*first, a_hand("abc", "a"), a_hand("abcd", "d")) == [("c", "abd")]
    assert ended(*first, a_hand("bcd", "d", gone="a")) == [("c", "bd")]


def test_two_players_play_no_rounds() -> None:
    assert rounds([a_hand("ab", "a"), a_hand("ab", "b")]) == []


def current(hand: Hand) -> Revision:
    return Revision.objects.select_related("hand", "document").get(hand=hand, current=True)


def rounds_at(night: Night) -> list[Round]:
    return rounds_of(night, hands(night))


def a_round(night: Night, *winners: str) -> list[Hand]:
    return [dealt(night, everyone_folds_to(name)) for name in winners]


def outdated(night: Night) -> list[bool]:
    played = rounds_at(night)
    return [
        no_longer_won(each, current(each.hand) if each.hand else None, played)
        for each in charges_of(night)
    ]


@pytest.mark.django_db
def test_round_is_charged_once_and_the_shares_add_up_to_zero() -> None:
    night = chosen(a_night(), stand_up=5)
    *_, last = a_round(night, "ann", "bob", "ann", "cat")
    [bet] = waiting_bets(night, current(last), rounds_at(night))
    assert bet.text == "Stand-up game: dan pays 5 to each of the others."
    assert bets(night) == [bet]
    assert confirm(night, bet) == confirm(night, bet)
    nets = {share.player.name: share.net for share in Charge.objects.get().shares.all()}
    assert nets == {"ann": 5, "bob": 5, "cat": 5, "dan": -15}
    assert (bets(night), outdated(night)) == ([], [False])
    assert [each for each in planned(closed(night)) if "dan" in each]
    assert audit(night.league) == []


@pytest.mark.django_db(transaction=True)
def test_round_confirmed_by_many_phones_at_once_is_charged_once() -> None:
    night = chosen(a_night(), stand_up=5)
    a_round(night, "ann", "bob", "cat")
    [bet] = bets(night)

    def send(_: int) -> Charge:
        try:
            return confirm(night, bet)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(send, range(8)))) == 1
    tab = accounts.tab(player(night, "dan").pk).key
    assert balances(night.league.book, keys=[tab]) == {tab: -100 - 15}  # bought 100
    assert audit(night.league) == []


@pytest.mark.django_db
def test_winner_of_a_hand_recorded_without_cards_sits_down() -> None:
    """docs/rulings.md 17: a player who wins any part of a pot; none wins one from the bank."""
    night = chosen(a_night(), stand_up=5)
    a_round(night, "ann", "bob")
    players = [{"name": name, "paid": 3} for name in ("ann", "bob", "cat", "dan")]
    result = {"depth": "result", "button": 0, "players": players, "took": {"dan": 12}}
    dealt(night, result | {"variant": "put-and-take"})
    assert bets(night) == []
    dealt(night, result | {"variant": "texas-holdem"})
    [bet] = bets(night)
    assert bet.text == "Stand-up game: cat pays 5 to each of the others."


@pytest.mark.django_db
def test_correcting_an_earlier_hand_changes_the_round() -> None:
    night = chosen(a_night(), stand_up=5)
    first, *_ = a_round(night, "ann", "bob", "cat")
    [bet] = bets(night)
    done = confirm(night, bet)
    revise_hand(first, uuid4(), everyone_folds_to("dan"), by=None)
    assert (bets(night), outdated(night)) == ([], [True])
    undo(done, by=None)
    [corrected] = bets(night)
    assert corrected.text == "Stand-up game: ann pays 5 to each of the others."
    confirm(night, corrected)
    assert outdated(night) == [True, False]
    void_hand(first, by=None)
    assert outdated(night) == [True, True]
    assert bets(night) == []
    a_round(night, "ann")
    assert [each.text for each in bets(night)] == [bet.text]
    assert audit(night.league) == []


@pytest.mark.django_db
def test_carried_pot_has_no_winner_and_cashed_out_player_is_out() -> None:
    night = chosen(a_night(), stand_up=5)
    a_round(night, "ann", "bob")
    dealt(night, qualifiers())
    assert len(rounds_at(night)[-1].standing) == 2
    cash_out_and_leave(again(night), player(night, "cat"), 98, cash_out_id=uuid4(), by=None)
    assert bets(night) == []
    dealt(night, everyone_folds_to("ann", "ann bob dan"))
    assert [each.text for each in bets(night)] == [
        "Stand-up game: dan pays 5 to each of the others."
    ]
