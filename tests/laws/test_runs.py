"""Deals run several times (docs/record.md, "Several runs"), for any record of any game."""

from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from rules import settle
from rules.api import run_records
from rules.documents import catalog
from rules.game.hand import Run
from rules.settlement import reading
from rules.settlement.settle import settle_hands
from tests.helpers.laws.balance import assert_balanced
from tests.helpers.laws.records import Record, combinations, record
from tests.helpers.laws.runs import with_runs

# divisible by up to four runs, by up to five shares, and twice by up to eight tied players
WHOLE = 2520 * 2520
RUNS = "runs"


@st.composite
def several_runs(draw: st.DrawFn) -> Record:
    """Draw a record with runs."""
    slug = draw(st.sampled_from(catalog.slugs()))
    chance = Random(draw(st.integers(0, 2**32)))
    drawn = with_runs(chance, record(chance, slug, draw(st.sampled_from(combinations(slug)))))
    assume(RUNS in drawn)
    return drawn


def without_odd_chips(hand: Record) -> Record:
    """Return the record with chips that can be divided without odd chips."""
    carried = hand.get("carried", 0)
    if isinstance(carried, list):
        carried = [{**part, "amount": part["amount"] * WHOLE} for part in carried]
    else:
        carried *= WHOLE
    players = [
        player | {key: player[key] * WHOLE for key in ("paid", "dead") if key in player}
        for player in hand["players"]
    ]
    return hand | {"players": players, "carried": carried}


def once(hand: Record) -> list[dict[str, Any]]:
    """Return the answers to the runs as separate deals."""
    return [settle(one, brief=True) for one in run_records(hand)]


@given(several_runs())
def test_random_record_with_runs_can_be_settled(found: Record) -> None:
    assert "errors" not in settle(found)


@given(several_runs())
def test_runs_pay_out_exactly_the_chips_paid_in(hand: Record) -> None:
    answer = settle(hand)
    assert_balanced(hand, answer)
    for name, chips in answer["won"].items():
        assert chips == sum(run["won"][name] for run in answer[RUNS])
    assert answer["carry"] == sum(run["carry"] for run in answer[RUNS])


@given(several_runs())
def test_each_run_pays_its_part_of_what_a_single_deal_pays(hand: Record) -> None:
    """Without odd chips a run pays half, a third or a quarter to the same players."""
    hand = without_odd_chips(hand)
    answer, several = settle(hand), len(hand[RUNS])
    for run, single in zip(answer[RUNS], once(hand), strict=True):
        assert {name: several * won for name, won in run["won"].items()} == single["won"]
        assert several * run["carry"] == single["carry"]


@given(several_runs())
def test_pots_of_all_runs_add_up_to_the_pots_of_the_answer(found: Record) -> None:
    answer = settle(found)
    assert sum(pot["amount"] for pot in answer["pots"]) == sum(
        pot["amount"] for run in answer[RUNS] for pot in run["pots"]
    )
    won = dict.fromkeys(answer["won"], 0)
    for pot in answer["pots"]:
        for share in pot["shares"]:
            for name, chips in share["winners"].items():
                won[name] += chips
    assert won == answer["won"]


@given(several_runs(), st.integers(2, 4))
def test_runs_with_the_same_cards_pay_like_one_deal(drawn: Record, several: int) -> None:
    """Runs with the same result count as one deal, except for odd chips."""
    [whole] = run_records(without_odd_chips(drawn))[:1]
    hand, wrong = reading.read(whole)
    assert hand is not None, wrong
    [single] = settle_hands([hand], brief=True)
    same = []
    for index in range(several):
        run, _ = reading.read(whole)
        assert run is not None
        run.run = Run(index, several, tuple(hand.live))
        same.append(run)
    assume(hand.live)
    hand.runs = same
    [answer] = settle_hands([hand], brief=True)
    keys = ("won", "net", "returned", "carry")
    assert {key: answer[key] for key in keys} == {key: single[key] for key in keys}


@given(several_runs(), st.randoms())
def test_order_of_runs_affects_only_odd_chips(hand: Record, chance: Random) -> None:
    turned = hand | {RUNS: chance.sample(hand[RUNS], len(hand[RUNS]))}
    one, other = settle(hand), settle(turned)
    # each run may have an odd chip of each pot, and divide it among its shares and its ties
    pots = max(len(run["pots"]) for run in one[RUNS])
    for name in one["won"]:
        difference = abs(one["won"][name] - other["won"][name])
        assert difference <= 4 * pots * len(hand[RUNS])
    whole = without_odd_chips(hand)
    assert settle(whole)["won"] == settle(without_odd_chips(turned))["won"]


@given(several_runs())
def test_reasons_refer_to_their_run_and_to_pots_of_the_answer(hand: Record) -> None:
    answer = settle(hand)
    runs = {reason["run"] for reason in answer["reasons"] if "run" in reason}
    assert runs <= set(range(1, len(hand[RUNS]) + 1))
    for reason, text in zip(answer["reasons"], answer["story"], strict=True):
        assert text.startswith(f"Run {reason['run']}: " if "run" in reason else "")
        assert set(reason.get("pots", ())) <= set(range(len(answer["pots"])))
