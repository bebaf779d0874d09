"""Full histories: legal hands are accepted, and corrupted hands neither crash nor create chips."""

from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules import settle
from rules.history import replay_record, states
from tests.helpers.laws.examples import examples
from tests.helpers.laws.histories import TOLD_BY_ACTIONS, history
from tests.helpers.laws.records import combinations

Record = dict[str, Any]
BUYING = {"texas-holdem": [("buy-a-card common",), ("buy-a-card 2 river",)]}
SEEDS = st.integers(0, 2**32)


@st.composite
def histories(draw: st.DrawFn) -> Record:
    """Draw a legal hand of any game that has a history, with modifiers that fit it."""
    slug = draw(st.sampled_from(TOLD_BY_ACTIONS))
    modifiers = draw(st.sampled_from((*combinations(slug), *BUYING.get(slug, ()))))
    return history(Random(draw(SEEDS)), slug, modifiers)


@st.composite
def corrupted(draw: st.DrawFn) -> Record:
    """Draw a hand with a dropped, repeated, swapped or inserted action, or a changed amount."""
    record = draw(histories())
    chance = Random(draw(SEEDS))
    for _ in range(chance.randint(1, 4)):
        record["actions"] = _spoil(chance, record["actions"])
    return record


def _spoil(chance: Random, actions: list[str]) -> list[str]:
    if not actions:
        return ["p1 cc"]
    at = chance.randrange(len(actions))
    other = chance.randrange(len(actions))
    before, action, behind = actions[:at], actions[at], actions[at + 1 :]
    match chance.randrange(7):
        case 0:
            return before + behind
        case 1:
            return [*before, action, action, *behind]
        case 2:
            changed = list(actions)
            changed[at], changed[other] = changed[other], changed[at]
            return changed
        case 3:
            words = action.split() or [""]
            words[-1] = str(chance.choice((0, 1, 5, 10**12, 10**30, -3)))
            return [*before, " ".join(words), *behind]
        case 4:
            return [*before, chance.choice(WORDS), action, *behind]
        case 5:
            return before
        case _:
            return [*before, f"p{chance.randint(0, 9)}{action[2:]}", *behind]


WORDS = (
    *("p1 cbr 7", "p2 f", "d db AsKsQs", "d dh p1 ??", "p1 sm", "p2 declare both", "p9 cc", "x"),
    *("p1 penalty 2", "p1 ante 1", "p2 blind 3", "p1 pb", "p1 tu 4s", "p1 sd ??", "d dt p1 AsKs"),
    *("p1 buy 3 ??", "p1 pass ??", "p1 set omaha AsKs", "p1 mid", "p1 out", "p1 in", "d rb a As"),
    *("p1 take 5", "p1 put 5", "d dc Ks", "d tb Ks", "# a word", "", "p1 cbr", "p1 dead 1"),
    *("d", "p1", "p1 sm AsAs", "d du p1 As", "d dd p1 As", "d rr 1", "d fact x y", "p1 cbr ٣"),
)


def chips_of(record: Record) -> None:
    """Check that the total of stacks and pot is constant and that no stack is negative."""
    whole = sum(record["stacks"])
    for state in states(record):
        assert sum(seat.stack or 0 for seat in state.seats) + state.pot == whole
        assert all((seat.stack or 0) >= 0 and seat.bet <= seat.paid for seat in state.seats)
        in_front = sum(seat.bet for seat in state.seats)
        assert sum(pot.amount for pot in state.pots) + in_front == state.pot


@given(histories())
def test_strict_replay_accepts_every_legal_hand(record: Record) -> None:
    answer = replay_record(record, strict=True)
    assert answer["errors"] == []


@given(histories())
def test_hand_ends_with_as_many_chips_as_it_started_with(record: Record) -> None:
    """The end total includes the chips carried to the next hand."""
    answer = replay_record(record, strict=True)
    settled = settle(record, brief=True)
    assert settled["won"] == dict(
        zip((player["name"] for player in record["players"]), answer["won"], strict=True)
    )
    matched = sum(settled["paid"].values()) - sum(
        seat.paid for seat in list(states(record))[-1].seats
    )
    bank = settled["pots"] == [] and settled["carry"] == 0
    if not bank:
        whole = sum(answer["finishing_stacks"]) + settled["carry"]
        assert whole == sum(record["stacks"])
        assert matched >= 0
    chips_of(record)


@given(corrupted())
@settings(max_examples=examples(100))
def test_corrupted_hand_does_not_crash_or_create_chips(record: Record) -> None:
    """Checked with and without strict mode."""
    chips_of(record)
    strict = replay_record(record, strict=True)
    loose = replay_record(record)
    assert strict["finishing_stacks"] == loose["finishing_stacks"]
    if loose["finishing_stacks"] is not None and not loose["errors"]:
        assert sum(loose["finishing_stacks"]) <= sum(record["stacks"])


@given(corrupted())
def test_replaying_a_record_twice_has_the_same_result(record: Record) -> None:
    assert replay_record(record) == replay_record(record)


@given(st.one_of(histories(), corrupted()))
def test_replay_pays_the_same_chips_as_settlement(record: Record) -> None:
    """The replay does not settle a hand with one player left, but its result must be the same."""
    answer = replay_record(record)
    settled = settle(record, brief=True)
    assume("errors" not in settled and not answer["errors"])
    net = zip(answer["finishing_stacks"], record["stacks"], strict=True)
    assert answer["won"] == list(settled["won"].values())
    assert [left - stack for left, stack in net] == list(settled["net"].values())
    assert [found for found in answer["findings"] if "where" not in found] == settled["findings"]
