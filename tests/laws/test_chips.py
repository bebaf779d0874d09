"""Settlements neither create nor lose chips, for any record of any game (docs/record.md)."""

from hypothesis import given

from rules import settle
from tests.helpers.laws.balance import assert_balanced, carried_in
from tests.helpers.laws.records import Record, document_of, form_of, is_out, records


@given(records())
def test_every_random_record_can_be_settled(record: Record) -> None:
    """The strategy draws only legal records. For rejected ones, the other laws hold trivially."""
    assert "errors" not in settle(record)


@given(records())
def test_settlement_pays_out_exactly_what_was_paid_in(record: Record) -> None:
    assert_balanced(record, settle(record))


@given(records())
def test_pots_contain_the_stakes_and_pay_out_the_winnings(record: Record) -> None:
    """Chips that losers match belong to the next hand. Payments between players are separate."""
    answer = settle(record)
    dues = " ".join(document_of(record).get("dues", ()))
    if not answer["pots"] or "losers" in dues:
        return
    staked = sum(answer["paid"].values()) - sum(answer["returned"].values())
    assert sum(pot["amount"] for pot in answer["pots"]) == staked + carried_in(record)
    won = dict.fromkeys(answer["won"], 0)
    for pot in answer["pots"]:
        given_out = 0
        for share in pot["shares"]:
            assert sum(share["winners"].values()) == share["amount"]
            assert set(share["winners"]) <= set(pot["for"])
            given_out += share["amount"]
            for name, chips in share["winners"].items():
                won[name] += chips
        assert given_out in {0, pot["amount"]}, "a pot is given out whole or carried whole"
    assert won == answer["won"]


@given(records())
def test_only_players_still_in_the_hand_can_win_chips(record: Record) -> None:
    """Folded and mucked players can't win (docs/record.md). A dealing bank is never out."""
    answer = settle(record)
    bank = record["button"] if form_of(record)["bank"] else None
    for seat, player in enumerate(record["players"]):
        if seat != bank and is_out(player):
            assert answer["won"][player["name"]] == 0


@given(records())
def test_uncalled_chips_are_returned_to_at_most_one_player(record: Record) -> None:
    """Only the part of the highest stake above the second highest is uncalled (docs/record.md)."""
    answer = settle(record)
    stakes = sorted(player.get("paid", 0) - player.get("dead", 0) for player in record["players"])
    back = [chips for chips in answer["returned"].values() if chips]
    expected = [] if stakes[-1] == stakes[-2] or not answer["pots"] else [stakes[-1] - stakes[-2]]
    against_pot = form_of(record)["against_pot"]  # every bet against the pot is settled separately
    assert back == expected or against_pot or (not answer["pots"] and len(back) <= 1)
