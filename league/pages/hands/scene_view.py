"""The replay of a hand as its page draws it: who sits where, which cards lie where, the steps."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from league.games.lookup import replayable
from league.hands.detail_level import record_at_the_end
from league.hands.scenes import scenes_of
from league.models import Revision
from league.pages.parts.card_view import ZONES, Face, face, proper
from rules.presentation.playback import playback
from rules.presentation.scene import Scene

TITLES: dict[str, Promise] = {
    "deal": gettext_lazy("Deal"),
    "board": gettext_lazy("Board"),
    "turn": gettext_lazy("Turn over"),
    "change": gettext_lazy("Change"),
    "fact": gettext_lazy("Said at the table"),
    "bet": gettext_lazy("Betting"),
    "declare": gettext_lazy("Declare"),
    "out": gettext_lazy("Out"),
    "show": gettext_lazy("Showdown"),
    "tiebreak": gettext_lazy("Tie"),
    "share": gettext_lazy("Pot"),
    "carry": gettext_lazy("Carried"),
    "end": gettext_lazy("In the end"),
}


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card and where in the record it stands."""

    place: str
    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A player with the cards that ever lie before them."""

    number: int
    name: str
    deals: bool
    out: bool
    declared: str
    won: int
    stack: int | None
    zones: list[tuple[str, list[PlacedCard]]]


@dataclass(frozen=True, slots=True)
class Step:
    """A scene to read; `number` counts from 1."""

    number: int
    kind: str
    title: str
    text: str
    why: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theatre:
    """All that the page needs; `moves` is what its script plays, one entry a step."""

    board: list[list[PlacedCard]]
    chairs: list[Chair]
    steps: list[Step]
    moves: list[dict[str, Any]]
    plays: bool = False  # every action is known, and what chips it moved


def theatre(revision: Revision) -> Theatre:
    """Return the replay of a hand as this revision tells it."""
    if revision.depth == Revision.Depth.FULL:
        return _played(revision)
    record, answer = revision.record, revision.answer
    scenes = scenes_of(revision)
    lit = {place: card for scene in scenes for place, card in scene.lit.items()}
    places = {place for scene in scenes for place in (*scene.down, *scene.up)}
    seats = {each["name"]: seat for seat, each in enumerate(record["players"])}
    return Theatre(
        board=list(_board(record, lit)),
        chairs=[_chair(record, answer, seat, places, lit) for seat in range(len(seats))],
        steps=[_step(number, scene) for number, scene in enumerate(scenes, 1)],
        moves=[_move(scene, seats) for scene in scenes],
    )


def _played(revision: Revision) -> Theatre:
    """Return the replay of a hand of which every action is known."""
    record, answer, end = revision.record, revision.answer, record_at_the_end(revision)
    play = playback(replayable(revision), answer)
    lit = {place: card for scene in play.scenes for place, card in scene.lit.items()}
    seats = {each["name"]: seat for seat, each in enumerate(record["players"])}
    last = play.scenes[-1]
    chairs = []
    for seat, player in enumerate(end["players"]):
        zones = [
            (
                str(ZONES.get(zone, zone)),
                [_placed_card(place, card, lit) for place, card in spots.items()],
            )
            for zone, spots in play.held[seat].items()
            if spots
        ]
        chair = _seated(end, answer, seat, last.stacks[seat])
        chairs.append(replace(chair, zones=[*zones, *_ties(end, player["name"])]))
    return Theatre(
        board=[
            [_placed_card(place, card, lit) for place, card in row.items()] for row in play.board
        ],
        chairs=chairs,
        steps=[_step(number, scene) for number, scene in enumerate(play.scenes, 1)],
        moves=[_move(scene, seats) for scene in play.scenes],
        plays=True,
    )


def _ties(record: Mapping[str, Any], name: str) -> Iterator[tuple[str, list[PlacedCard]]]:
    for number, hands in enumerate(record.get("tiebreaks", ())):
        if name in hands:
            spots = [
                _placed_card(f"tiebreaks/{number}/{name}/{at}", proper(card), {})
                for at, card in enumerate(hands[name])
            ]
            yield str(ZONES["tie"]), spots


def _step(number: int, scene: Scene) -> Step:
    why = [each for each in scene.why if each != scene.text]
    return Step(number, scene.kind, str(TITLES[scene.kind]), scene.text, why)


def _move(scene: Scene, seats: Mapping[str, int]) -> dict[str, Any]:
    stands = ((place, face(card)) for place, card in scene.lit.items() if card)
    return {
        "down": scene.down,
        "up": scene.up,
        "turned": scene.turned,
        "lit": list(scene.lit),
        "as": {place: [shown.rank, shown.suit] for place, shown in stands},
        "says": {seats[name]: way for name, way in scene.says.items()},
        "out": [seats[name] for name in scene.out],
        "wins": {seats[name]: chips for name, chips in scene.wins.items()},
        "gone": scene.gone,
        **({"pot": scene.pot, "stacks": scene.stacks, "bets": scene.bets} if scene.stacks else {}),
    }


def _placed_card(place: str, card: str, lit: Mapping[str, str]) -> PlacedCard:
    return PlacedCard(place, face(card, lit=place in lit, plays_as=lit.get(place, "")))


def _board(record: Mapping[str, Any], lit: Mapping[str, str]) -> Iterator[list[PlacedCard]]:
    for row, cards in enumerate(record.get("board", ())):
        yield [_placed_card(f"board/{row}/{at}", card, lit) for at, card in enumerate(cards)]


def _chair(
    record: Mapping[str, Any],
    answer: Mapping[str, Any],
    seat: int,
    places: set[str],
    lit: Mapping[str, str],
) -> Chair:
    zones: dict[str, list[PlacedCard]] = defaultdict(list)
    for zone, place, card in _held(record, seat, places):
        zones[zone].append(_placed_card(place, card, lit))
    return replace(_seated(record, answer, seat, None), zones=list(zones.items()))


def _seated(
    record: Mapping[str, Any], answer: Mapping[str, Any], seat: int, stack: int | None
) -> Chair:
    """Return a player's chair with no cards before it."""
    player = record["players"][seat]
    return Chair(
        number=seat,
        name=player["name"],
        deals=seat == record["button"],
        out=bool(player.get("folded") or player.get("mucked")),
        declared=player.get("declared", ""),
        won=answer["won"][player["name"]],
        stack=stack,
        zones=[],
    )


def _held(record: Mapping[str, Any], seat: int, places: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (zone, place, card) of everything that lies before a player."""
    player = record["players"][seat]
    where = f"players/{seat}"
    for zone in ("down", "up"):
        for at, card in enumerate(player.get(zone, ())):
            yield str(ZONES[zone]), f"{where}/{zone}/{at}", proper(card)
    for pile, cards in player.get("piles", {}).items():
        for at, card in enumerate(cards):
            yield pile, f"{where}/piles/{pile}/{at}", proper(card)
    for at in range(sum(place.startswith(f"{where}/unseen/") for place in places)):
        yield str(ZONES["down"]), f"{where}/unseen/{at}", "??"
    for at, some in enumerate(record.get("shared", ())):
        if player["name"] in some["for"]:
            yield str(ZONES["shared"]), f"shared/{at}", proper(some["card"])
    for number, hands in enumerate(record.get("tiebreaks", ())):
        for at, card in enumerate(hands.get(player["name"], ())):
            place = f"tiebreaks/{number}/{player['name']}/{at}"
            yield str(ZONES["tie"]), place, proper(card)
