"""A hand's scenes follow the order of the deal in its document (docs/games.md, `deal`)."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from rules import settle
from rules.presentation.scenes import Scene, replay, run_cards

VECTORS = Path(__file__).parents[2] / "vectors"
SETTLED = [
    (f"{path.stem}:{number}", json.loads(line)["record"])
    for path in sorted(VECTORS.rglob("*.jsonl"))
    if path.stem != "errors"
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
    if "errors" not in json.loads(line)["expect"]
]

OMAHA: dict[str, Any] = {
    "variant": "omaha-8",
    "modifiers": ["two-row"],
    "options": {"declare": "high-low"},
    "button": 2,
    "players": [
        {"name": "ann", "paid": 40, "down": ["As", "Kd", "3c", "4c"], "declared": "low"},
        {"name": "bob", "paid": 15, "all_in": True, "down": ["Qs", "Qd", "7c", "7h"],
         "declared": "high"},
        {"name": "cat", "paid": 40, "down": ["Ac", "Ad", "Kh", "2c"], "declared": "both"},
        {"name": "dan", "paid": 10, "folded": True},
    ],
    "board": [["2h", "7d", "9s", "Jd", "Qc"], ["Ah", "5d", "6s", "8d", "Tc"]],
}  # fmt: skip


def scenes(record: dict[str, Any]) -> list[Scene]:
    return replay(record, settle(record))


def kinds(record: dict[str, Any]) -> list[str]:
    return [scene.kind for scene in scenes(record)]


def known_places(places: list[str]) -> list[str]:
    """Return the places, leaving out unrecorded cards and tie-break cards."""
    return [each for each in places if not re.search("unseen|tiebreaks", each)]


def recorded(record: dict[str, Any]) -> set[str]:
    """Return the places of all cards in play."""
    places = set()
    for seat, player in enumerate(record["players"]):
        for zone in ("down", "up"):
            places |= {f"players/{seat}/{zone}/{at}" for at in range(len(player.get(zone, ())))}
        for pile, cards in player.get("piles", {}).items():
            places |= {f"players/{seat}/piles/{pile}/{at}" for at in range(len(cards))}
    for row, cards in enumerate(record.get("board", ())):
        places |= {f"board/{row}/{at}" for at in range(len(cards))}
    places |= {f"shared/{at}" for at in range(len(record.get("shared", ())))}
    runs = {place for own in run_cards(record) for place in own}
    gaps = {place.split("/", 2)[2] for place in runs}  # empty until a run fills them
    return (places - gaps) | runs


def test_every_card_is_placed_once_and_visible_at_the_end() -> None:
    for where, record in SETTLED:
        if record.get("depth") != "result":
            steps = scenes(record)
            down = [place for scene in steps for place in scene.down]
            laid = [*down, *(place for scene in steps for place in scene.up)]
            turned = [place for scene in steps for place in scene.turned]
            assert Counter(known_places(laid)) == Counter(recorded(record)), where
            assert Counter(turned) == Counter(known_places(down)), where


def test_cards_are_placed_before_they_are_turned_or_used() -> None:
    for where, record in SETTLED:
        lies: set[str] = set()
        for scene in scenes(record):
            lies |= {*scene.down, *scene.up}
            assert lies >= {*scene.turned, *scene.lit}, where


def test_shares_in_the_scenes_add_up_to_the_winnings() -> None:
    for where, record in SETTLED:
        answer = settle(record)
        won: Counter[str] = Counter()
        for scene in replay(record, answer):
            won.update(scene.wins)
        assert not answer["pots"] or +won == +Counter(answer["won"]), where


def test_every_sentence_of_the_story_is_shown() -> None:
    for where, record in SETTLED:
        answer = settle(record)
        told = [why for scene in replay(record, answer) for why in scene.why]
        assert told == answer["story"], where


def test_cards_are_dealt_in_the_order_of_the_document() -> None:
    assert kinds(OMAHA) == [
        "deal", "board", "board", "board", "declare", "out", "show", "show", "show",
        "share", "share", "share", "end",
    ]  # fmt: skip
    steps = scenes(OMAHA)
    flop = {f"board/{row}/{at}" for row in (0, 1) for at in range(3)}
    assert set(steps[1].up) == flop
    assert steps[2].up == ("board/0/3", "board/1/3")


def test_player_on_the_dealers_left_shows_first() -> None:
    shown = [next(iter(scene.shows)) for scene in scenes(OMAHA) if scene.kind == "show"]
    assert shown == ["ann", "bob", "cat"]


def test_used_cards_are_highlighted_and_a_share_states_its_reason() -> None:
    high, low, side = (scene for scene in scenes(OMAHA) if scene.kind == "share")
    assert set(high.lit) == {
        "players/1/down/0",
        "players/1/down/1",
        "board/0/4",
        "board/0/3",
        "board/0/2",
    }
    assert (high.wins, low.wins, side.wins) == ({"bob": 28}, {"ann": 27}, {"ann": 50})
    assert high.why[0].startswith("cat declared both ways and lost")
    assert low.text == "ann takes the low of the main pot: 27."
    assert side.pot == 50


def test_earlier_pots_with_the_same_outcome_form_one_scene() -> None:
    down = {"ann": "Kc Kd Ts 9h 8h", "bob": "Qc Qh Jh 5c 4d", "cat": "Ac Ad 7h 6c 5h"}
    players = [{"name": name, "paid": 1000, "down": held.split()} for name, held in down.items()]
    left = [{"amount": 10, "for": ["ann", "cat"]}, {"amount": 10, "for": ["bob", "cat"]}]
    record = {"variant": "qualifiers", "button": 0, "players": players, "carried": left}
    steps = scenes(record | {"board": [["2h", "3s"]]})
    assert [scene.text for scene in steps if scene.kind == "share"] == [
        "cat takes the low of the pot: 3,000.",
        "cat takes the low of the two carried pots: 20.",
    ]


def test_stored_answer_without_reasons_shows_its_story_at_the_end() -> None:
    """Old stored answers have no reasons, so their sentences are shown in the last scene."""
    plain = {key: value for key, value in settle(OMAHA).items() if key != "reasons"}
    shown = replay(OMAHA, plain)
    assert list(shown[-1].why) == plain["story"]
    assert [scene.kind for scene in shown] == [scene.kind for scene in scenes(OMAHA)]


def test_cards_that_are_turned_over_were_dealt_face_down() -> None:
    """Munk.org Poker House Rules: seven cards are dealt down and turned one by one."""
    record = {
        "variant": "midnight-cobain-baseball",
        "button": 0,
        "players": [
            {"name": "dan", "paid": 3, "up": ["4d", "As", "5h", "Qd"],
             "down": ["Ah", "2h", "6c", "9s"]},
            {"name": "fay", "paid": 3, "up": ["2d"],
             "down": ["Jh", "7c", "Qh", "Th", "7d", "Ts"]},
        ],
        "board": [["6h"]],
    }  # fmt: skip
    steps = scenes(record)
    assert [scene.kind for scene in steps][:4] == ["deal", "board", "turn", "turn"]
    assert not steps[0].up
    assert "players/0/up/0" in steps[0].down
    assert steps[2].turned == ("players/1/up/0",)
    assert steps[2].text == "fay turns 1 card."


def test_down_and_up_cards_are_dealt_street_by_street() -> None:
    record = {
        "variant": "seven-card-stud",
        "button": 1,
        "players": [
            {"name": "ann", "paid": 5, "down": ["2c", "3d", "9h"], "up": ["Kc", "Kd", "7s", "8s"]},
            {"name": "bob", "paid": 5, "down": ["Ac", "Jd", "4h"], "up": ["Qc", "Qd", "6s", "5s"]},
        ],
    }
    deals = [scene for scene in scenes(record) if scene.kind == "deal"]
    assert [(len(scene.down), len(scene.up)) for scene in deals] == [
        (4, 2), (0, 2), (0, 2), (0, 2), (2, 0)
    ]  # fmt: skip
    assert deals[-1].down == ("players/0/down/2", "players/1/down/2")


def test_wild_card_is_shown_as_the_card_it_represents() -> None:
    record = {
        "variant": "baseball",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 5, "down": ["3c", "2d", "7h"], "up": ["Kc", "Kd", "6s", "8s"]},
            {"name": "bob", "paid": 5, "down": ["Ac", "Jd", "5h"], "up": ["Qc", "Qd", "Ts", "2s"]},
        ],
    }
    (share,) = (scene for scene in scenes(record) if scene.kind == "share")
    assert share.lit["players/0/down/0"] in ("Kh", "Ks")
    assert share.lit["players/0/up/0"] == ""


def test_folded_player_without_known_cards_is_dealt_hidden_cards() -> None:
    first = scenes(OMAHA)[0]
    assert [place for place in first.down if "/unseen/" in place] == [
        f"players/3/unseen/{at}" for at in range(4)
    ]


def test_result_without_cards_has_one_scene() -> None:
    record = {
        "variant": "texas-holdem", "button": 0, "depth": "result",
        "players": [{"name": "ann", "paid": 5}, {"name": "bob", "paid": 5}],
        "took": {"ann": 10},
    }  # fmt: skip
    (scene,) = scenes(record)
    assert (scene.kind, scene.text) == ("end", "ann is up 5.")
    assert scene.why[0].startswith("Recorded at the table")


def test_each_run_has_its_own_scenes() -> None:
    """Aces lose the first run and win the second, so no player is ahead."""
    record = {
        "variant": "texas-holdem",
        "button": 0,
        "players": [
            {"name": "ann", "paid": 51, "down": ["As", "Ah"]},
            {"name": "bob", "paid": 51, "down": ["Ks", "Kh"]},
        ],
        "board": [["2s", "3s", "Kd"]],
        "runs": [{"board": [["9s", "9h"]]}, {"board": [["Ad", "Ac"]]}],
    }
    assert [scene.text for scene in scenes(record)][2:] == [
        "ann and bob show their cards.",
        "Run twice: 9♠ 9♥, then A♦ A♣.",
        "Run 1: One card on the board.",
        "Run 1: One card on the board.",
        "Run 1: bob shows full house, kings over nines.",
        "Run 1: ann shows two pair, aces and nines.",
        "Run 1: bob takes the pot: 51.",
        "Run 2: One card on the board.",
        "Run 2: One card on the board.",
        "Run 2: bob shows full house, kings over aces.",
        "Run 2: ann shows four aces.",
        "Run 2: ann takes the pot: 51.",
        "All players break even.",
    ]
    assert [scene.up for scene in scenes(record)][4] == ("runs/0/board/0/3",)
