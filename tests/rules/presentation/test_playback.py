"""A hand's step-by-step playback: cards are where they were dealt, and no chips are lost."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.presentation.playback import playback
from tests.helpers.laws.histories import history, history_with_runs
from tests.helpers.rules.hands import record

GAMES = ("no-limit-holdem", "seven-card-stud", "badugi", "nightmare", "pot-limit-omaha")


RUNS = ("no-limit-holdem", "pot-limit-omaha")


def drawn(slug: str, *, runs: bool) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield random finished hands of a game with their answers."""
    for seed in range(12):
        chance = Random(f"{slug} {seed}")
        hand = history_with_runs(chance, slug) if runs else history(chance, slug)
        answer = settle(hand)
        if "errors" not in answer:
            yield hand, answer


@pytest.mark.parametrize(
    ("slug", "runs"), [*((slug, False) for slug in GAMES), *((slug, True) for slug in RUNS)]
)
def test_every_card_is_in_its_place_and_chips_are_conserved(slug: str, runs: bool) -> None:
    plays = 0
    for hand, answer in drawn(slug, runs=runs):
        plays += 1
        play = playback(hand, answer)
        places = {place for spots in play.held for zone in spots.values() for place in zone}
        places |= {place for row in play.board for place in row}
        places |= {place for rows in play.runs for row in rows for place in row}
        lying: set[str] = set()
        for scene in play.scenes:
            lying -= set(scene.gone)
            lying |= {*scene.down, *scene.up}
            assert lying <= places
            assert {*scene.lit, *scene.turned} <= lying
            assert sum(stack or 0 for stack in scene.stacks) + (scene.pot or 0) == sum(
                hand["stacks"]
            )
        ends = [
            stack + net for stack, net in zip(hand["stacks"], answer["net"].values(), strict=True)
        ]
        assert list(play.scenes[-1].stacks) == ends
    assert plays > 5


def test_dealer_calls_and_errors_appear_at_their_step() -> None:
    """The dealer announces the opener, and a bet out of turn is reported at its step."""
    deals = ["d dh p1 2c9cKd", "d dh p2 3cKh7d", "d dh p3 4cTdAh"]
    hand = record(
        "seven-card-stud",
        (100, 100, 100),
        [*deals, "p1 pb", "p2 f", "p3 f"],
        stakes={"ante": 1, "bring_in": 1, "small": 2, "big": 4},
    )
    scenes = playback(hand, settle(hand)).scenes
    assert scenes[0].text == "Antes and blinds: ann 1, bob 1 and cat 1."
    assert scenes[1].text == "ann, bob and cat are dealt 3 cards each."
    assert scenes[1].why == ("Bob brings it in with the seven of diamonds.",)
    assert "acts out of turn" in scenes[2].why[0]
    assert scenes[-1].stacks == (102, 99, 99)
