"""Findings: the hand can be settled, but something was different at the table (docs/record.md)."""

from rules import settle
from rules.cards import TEXTS
from tests.helpers.rules.tables import Record, deal, finds, seat, wins

BOARD = "2h 7d 9s Jd Qc"
ACES, KINGS = "Ac Ad", "Kc Kd"


def holdem(*players: Record, **more: object) -> Record:
    return deal("texas-holdem", *players, board=BOARD, **more)


def test_took_differs_is_reported_for_each_player_who_took_a_different_amount() -> None:
    players = (seat("ann", ACES), seat("bob", KINGS), seat("cat", folded=True))
    finds(holdem(*players, took={"ann": 30, "bob": 0}))
    finds(holdem(*players, took={"ann": 30}))
    finds(holdem(*players, took={"ann": 20, "bob": 10}), "took-differs ann", "took-differs bob")
    finds(holdem(*players, took={}), "took-differs ann")


def test_took_differs_states_who_receives_or_returns_chips() -> None:
    """The message must say what to do, which "Bob took 0 and had won 28" did not."""
    answer = settle(holdem(seat("ann", ACES), seat("bob", KINGS), took={"bob": 20}))
    assert [finding["text"] for finding in answer["findings"]] == [
        "ann took 0, but won 20: ann gets 20 more",
        "bob took 20, but won 0: bob gives back 20",
    ]


def test_chips_taken_are_compared_excluding_uncalled_chips() -> None:
    """docs/record.md: `took` is what each player took from the pot, without uncalled chips."""
    finds(
        holdem(seat("ann", ACES, 15), seat("bob", KINGS, 10), took={"ann": 20}), "stake-short bob"
    )


def test_findings_do_not_change_the_settlement() -> None:
    players = (seat("ann", ACES), seat("bob", KINGS))
    took = settle(holdem(*players, took={"bob": 20}))
    plain = settle(holdem(*players))
    assert {k: v for k, v in took.items() if k != "findings"} == {
        k: v for k, v in plain.items() if k != "findings"
    }


def test_stake_short_is_reported_if_an_active_player_paid_too_little() -> None:
    finds(holdem(seat("ann", ACES, 8), seat("bob", KINGS)), "stake-short ann")
    finds(holdem(seat("ann", ACES, 8, all_in=True), seat("bob", KINGS)))
    finds(holdem(seat("ann", ACES), seat("bob", KINGS), seat("cat", paid=3, folded=True)))


def test_stakes_are_compared_excluding_dead_chips() -> None:
    finds(holdem(seat("ann", ACES, 12, dead=2), seat("bob", KINGS, 10)))
    finds(holdem(seat("ann", ACES, 10, dead=2), seat("bob", KINGS, 10)), "stake-short ann")


def test_more_players_than_the_document_allows_are_reported() -> None:
    deck = iter(TEXTS[8:])
    players = [seat(f"player {n}", f"{next(deck)} {next(deck)}") for n in range(11)]
    board = " ".join(TEXTS[:5])
    finds(deal("texas-holdem", *players[:10], board=board))
    finds(deal("texas-holdem", *players, board=board), "too-many-players")


def test_declaration_is_ignored_and_reported_if_cards_speak() -> None:
    players = (seat("ann", ACES, declared="low"), seat("bob", KINGS))
    finds(holdem(*players), "declare-ignored ann")
    wins(holdem(*players), "ann 20, bob 0")


def test_discarded_card_in_another_hand_is_reported() -> None:
    five = ("Ac Ad 3s 4s 5s", "Kc Kd 2s 7s 8h")
    players = (seat("ann", five[0], out=["Kc", "9h"]), seat("bob", five[1]))
    finds(deal("red-and-black", *players), "out-again ann")
    finds(deal("red-and-black", seat("ann", five[0], out=["9h", "??"]), seat("bob", five[1])))


def test_discarded_card_on_the_board_is_reported() -> None:
    record = deal(
        "high-noon", seat("ann", "4c 5d", out=["Kh"]), seat("bob", "9c 9s"), board="Kh Ks 9d"
    )
    finds(record, "out-again ann")


def test_every_finding_has_a_sentence() -> None:
    record = holdem(
        seat("ann", ACES, 8, declared="high"), seat("bob", KINGS), took={"bob": 16, "ann": 0}
    )
    findings = settle(record)["findings"]
    assert len(findings) == 4
    assert all(finding["player"] in finding["text"] for finding in findings)


def test_declaration_in_a_game_against_a_bank_is_ignored_and_reported() -> None:
    record = deal(
        "put-and-take",
        {"name": "dot"},
        seat("ann", up="Kh Kc 4d 8s Ts", paid=2, declared="high"),
        board="Ks 7d 2h 9c Jd | Kd 3s Qh 7c 5d",
    )
    finds(record, "declare-ignored ann")
