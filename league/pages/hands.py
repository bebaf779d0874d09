"""A hand's page with all its revisions, and its replay with a public link and a picture."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_hand, find_hand_to_correct, may, may_correct
from league.closing.close import current_closing
from league.common.errors import NightClosedError, RefusedError
from league.games.lookup import replayable
from league.hands.pictures import HEIGHT, WIDTH, hand_picture
from league.hands.revisions import record_at_the_end, scenes_of
from league.matches import as_match_deal, match_deals, most_counted
from league.models import ConflictingRecord, Hand, Night, Revision
from league.nights.share_links import is_shared, share_hand, shared_hand, unshare_hand
from league.pages.games.board import arrangement_of
from league.pages.nights.hand_list import hand_line
from league.pages.nights.receipt import private
from league.pages.objections import objection_panel
from league.pages.parts.answer_view import (
    ZONES,
    CardFace,
    face,
    proper,
    story_of,
    view_of,
)
from league.pages.parts.forms import error_texts
from league.pages.parts.match_view import match_view
from league.pages.parts.visitor import signed_in, table_name
from league.recording.corrections import TooLateError, undo_hand, void_hand
from rules.presentation.playback import playback
from rules.presentation.scenes import Scene, board_of_run, run_cards


@require_safe
def hand(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    return _page(request, find_hand(request.user, Action.VIEW, hand_id))


@require_POST
def void(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand_to_correct(request.user, hand_id)
    by, reason = signed_in(request), request.POST.get("reason", "")
    open_only = not may_correct(request.user, hand.night.league)
    try:
        void_hand(hand, by=by, reason=reason, open_only=open_only)
    except (RefusedError, NightClosedError) as error:
        return _page(request, hand, errors=error_texts(error))
    messages.success(request, _("Hand %(number)s undone.") % {"number": hand.number})
    return redirect("hand", hand.pk)


@require_POST
def undo(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    """Undo a hand that was just saved, and open it in the form again."""
    hand = find_hand(request.user, Action.RECORD_HANDS, hand_id)
    try:
        undo_hand(hand, by=signed_in(request))
    except (TooLateError, NightClosedError):
        messages.warning(request, _("Too late to undo here. Correct the hand, or undo it below."))
        return redirect("hand", hand.pk)
    text = _("Hand %(number)s undone. The next hand is number %(next)s. Your entries are restored.")
    numbers = {"number": hand.number, "next": hand.number + 1}
    messages.success(request, text % numbers)
    return redirect(f"{reverse('record', args=[hand.night_id])}?again={hand.pk}")


def _page(request: HttpRequest, hand: Hand, *, errors: list[str] | None = None) -> HttpResponse:
    recorded_by = table_name(hand.night.league.pk, "made_by")
    rows = Revision.objects.filter(hand=hand).select_related("document", "hand")
    revisions = list(rows.annotate(recorded_by=recorded_by).order_by("-number"))
    current = next(each for each in revisions if each.current)
    players = hand.night.league.players.filter(name__in=current.answer["net"])
    player_ids = dict(players.values_list("name", "pk"))
    match: dict[str, object] = {}
    if (match_id := as_match_deal(current).match_id) is not None:
        rows = match_deals(hand.night, [match_id])
        deals = [
            row for row in rows if as_match_deal(row).match_id == match_id and not row.hand.voided
        ]
        match = {
            "match": match_view(
                current.answer["match"],
                most_counted(current.document.document, current.record),
            ),
            "winners": current.answer["match"]["winners"],
            "before": next((e for e in reversed(deals) if e.hand.number < hand.number), None),
            "after": next((each for each in deals if each.hand.number > hand.number), None),
            "later": [e.hand.number for e in deals if e.hand.number > hand.number],
        }
    conflicts = hand.conflicts.values_list("state", flat=True)
    context = {
        "hand": hand,
        "night": hand.night,
        "league": hand.night.league,
        "line": hand_line(current),
        "verdict": view_of(current),
        "player_ids": player_ids,
        **match,
        "arrangement": arrangement_of(current),
        "revisions": revisions,
        "conflicts": len(conflicts),
        "undecided": ConflictingRecord.State.WAITING in conflicts,
        "objections": objection_panel(request.user, hand, current),
        "may_correct": may_correct_hand(request, hand),
        "closing": current_closing(hand.night) if hand.night.state == Night.State.CLOSED else None,
        "reopened": hand.night.closings.exists(),
        "reason": request.POST.get("reason", ""),
        "errors": errors or [],
    }
    return render(request, "hands/hand.html", context, status=400 if errors else 200)


def may_correct_hand(request: HttpRequest, hand: Hand) -> bool:
    league = hand.night.league
    if hand.night.state == Night.State.CLOSED:
        return may_correct(request.user, league)
    return may(request.user, Action.RECORD_HANDS, league)


# The data for drawing a hand's replay: seats, cards and steps.


TITLES: dict[str, Promise] = {
    "deal": gettext_lazy("Deal"),
    "board": gettext_lazy("Board"),
    "turn": gettext_lazy("Turn up"),
    "change": gettext_lazy("Change"),
    "fact": gettext_lazy("Table"),
    "bet": gettext_lazy("Betting"),
    "declare": gettext_lazy("Declare"),
    "out": gettext_lazy("Out"),
    "show": gettext_lazy("Showdown"),
    "tiebreak": gettext_lazy("Tie-break"),
    "share": gettext_lazy("Pot"),
    "carry": gettext_lazy("Carried over"),
    "end": gettext_lazy("Result"),
}


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card and its path in the record."""

    place: str
    face: CardFace


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """A player, with every card that is in front of the player during the hand."""

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
    """A scene as text. `number` starts at 1."""

    number: int
    kind: str
    title: str
    text: str
    why: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theatre:
    """All data for the replay page. `moves` contains one entry per step for the page's script."""

    board: list[list[PlacedCard]]
    runs: list[list[list[PlacedCard]]]  # the rows that each run adds, if there are several
    chairs: list[Chair]
    steps: list[Step]
    moves: list[dict[str, Any]]
    plays: bool = False  # whether every action and its chips are known


def theatre(revision: Revision) -> Theatre:
    """Return the replay of the hand as recorded in this revision."""
    if revision.depth == Revision.Depth.FULL:
        return _played(revision)
    record, answer = revision.record, revision.answer
    scenes = scenes_of(revision)
    lit = {place: card for scene in scenes for place, card in scene.lit.items()}
    places = {place for scene in scenes for place in (*scene.down, *scene.up)}
    seats = {each["name"]: seat for seat, each in enumerate(record["players"])}
    chairs = []
    for seat in range(len(seats)):
        zones: dict[str, list[PlacedCard]] = defaultdict(list)
        for zone, place, card in _held(record, seat, places):
            zones[zone].append(_placed_card(place, card, lit))
        for number, own in enumerate(run_cards(record), start=1):
            for place, card in own.items():
                if place.split("/", 2)[2].startswith(f"players/{seat}/"):
                    title = _zone_title(f"run {number}")
                    zones[title].append(_placed_card(place, proper(card), lit))
        chairs.append(replace(_seated(record, answer, seat, None), zones=list(zones.items())))
    return Theatre(
        board=[
            [_placed_card(f"board/{row}/{at}", card, lit) for at, card in enumerate(cards)]
            for row, cards in enumerate(record.get("board", ()))
        ],
        runs=[_placed_rows(board_of_run(own), lit) for own in run_cards(record)],
        chairs=chairs,
        steps=_steps(revision, scenes),
        moves=[_move(scene, seats) for scene in scenes],
    )


def _played(revision: Revision) -> Theatre:
    """Return the replay of a hand in which every action is known."""
    record, answer, end = revision.record, revision.answer, record_at_the_end(revision)
    play = playback(replayable(revision), answer)
    lit = {place: card for scene in play.scenes for place, card in scene.lit.items()}
    seats = {each["name"]: seat for seat, each in enumerate(record["players"])}
    last = play.scenes[-1]
    chairs = []
    for seat, player in enumerate(end["players"]):
        name = player["name"]
        zones = [
            (
                _zone_title(zone),
                [_placed_card(place, card, lit) for place, card in spots.items()],
            )
            for zone, spots in play.held[seat].items()
            if spots
        ]
        for number, hands in enumerate(end.get("tiebreaks", ())):
            ties = [
                _placed_card(f"tiebreaks/{number}/{name}/{at}", proper(card), {})
                for at, card in enumerate(hands.get(name, ()))
            ]
            if name in hands:
                zones.append((str(ZONES["tie"]), ties))
        chairs.append(replace(_seated(end, answer, seat, last.stacks[seat]), zones=zones))
    return Theatre(
        board=_placed_rows(play.board, lit),
        runs=[_placed_rows(rows, lit) for rows in play.runs],
        chairs=chairs,
        steps=_steps(revision, play.scenes),
        moves=[_move(scene, seats) for scene in play.scenes],
        plays=True,
    )


def _steps(revision: Revision, scenes: Iterable[Scene]) -> list[Step]:
    story = revision.answer.get("story", ())
    shown = dict(zip(story, _story(revision), strict=True))
    steps = []
    for number, scene in enumerate(scenes, 1):
        why = [shown.get(each, each) for each in scene.why if each != scene.text]
        text = shown.get(scene.text, scene.text)
        steps.append(Step(number, scene.kind, str(TITLES[scene.kind]), text, why))
    return steps


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


def _zone_title(zone: str) -> str:
    """Return the title of a zone, a pile, or the cards of a run ("run 1")."""
    if zone.startswith("run "):
        return _("Run %(number)s") % {"number": zone.removeprefix("run ")}
    return str(ZONES.get(zone, zone))


def _placed_rows(
    rows: Iterable[Mapping[str, str]], lit: Mapping[str, str]
) -> list[list[PlacedCard]]:
    return [[_placed_card(place, proper(card), lit) for place, card in row.items()] for row in rows]


def _placed_card(place: str, card: str, lit: Mapping[str, str]) -> PlacedCard:
    return PlacedCard(place, face(card, lit=place in lit, plays_as=lit.get(place, "")))


def _seated(
    record: Mapping[str, Any], answer: Mapping[str, Any], seat: int, stack: int | None
) -> Chair:
    """Return a player's chair without cards."""
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
    """Yield (zone, place, card) for every card in front of a player, without those of runs."""
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
    for at, shared_card in enumerate(record.get("shared", ())):
        if player["name"] in shared_card["for"]:
            yield str(ZONES["shared"]), f"shared/{at}", proper(shared_card["card"])
    for number, hands in enumerate(record.get("tiebreaks", ())):
        for at, card in enumerate(hands.get(player["name"], ())):
            place = f"tiebreaks/{number}/{player['name']}/{at}"
            yield str(ZONES["tie"]), place, proper(card)


@require_safe
def own_replay(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.VIEW, hand_id)
    league = hand.night.league
    shares = {
        "league": league,
        "night": hand.night,
        "may_keep_score": may(request.user, Action.KEEP_SCORE, league),
        "shared": is_shared(hand),
    }
    return render(request, "hands/replay.html", _context(hand) | shares)


@require_POST
def share(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.KEEP_SCORE, hand_id)
    return redirect("shared-replay", share_hand(hand, by=signed_in(request)))


@require_POST
def unshare(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    unshare_hand(find_hand(request.user, Action.KEEP_SCORE, hand_id), by=signed_in(request))
    return redirect("replay", hand_id)


@login_not_required
@require_safe
def shared_replay(request: HttpRequest, token: str) -> HttpResponse:
    hand = _shared(token)
    context = _context(hand) | {
        "token": token,
        "address": _absolute(request, reverse("shared-replay", args=[token])),
        "picture": _absolute(request, reverse("shared-replay-picture", args=[token])),
        "width": WIDTH,
        "height": HEIGHT,
    }
    return private(render(request, "hands/replay.html", context))


@login_not_required
@require_safe
def shared_picture(request: HttpRequest, token: str) -> HttpResponse:
    revision = _current(_shared(token))
    etag = f'"{revision.pk.hex}"'
    known = get_conditional_response(request, etag=etag)
    answer = known or HttpResponse(hand_picture(revision), content_type="image/png")
    private(answer)
    # Link preview services may cache the picture, but must check that the link is still active.
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = etag
    return answer


def _context(hand: Hand) -> dict[str, object]:
    revision = _current(hand)
    return {
        "hand": hand,
        "line": hand_line(revision),
        "theatre": theatre(revision),
        "arrangement": arrangement_of(revision),
        "story": " ".join(_story(revision))[:300],
    }


def _story(revision: Revision) -> list[str]:
    return story_of(revision.answer, lambda: revision.document.document)


def _current(hand: Hand) -> Revision:
    rows = Revision.objects.select_related("document", "hand")
    return rows.get(hand=hand, current=True)


def _shared(token: str) -> Hand:
    hand = shared_hand(token)
    if hand is None:
        raise Http404
    return hand


def _absolute(request: HttpRequest, path: str) -> str:
    site: str = settings.SITE_URL
    return f"{site}{path}" if site else request.build_absolute_uri(path)
