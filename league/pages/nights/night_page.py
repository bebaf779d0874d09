"""The night page: its view model, with stacks, hands, the latest verdict and the match."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, UUIDField
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.access import Action, may, plays, rights, role_of
from league.chat.services import BY_CODE
from league.closing.chip_count import NightCount, tally
from league.closing.close import current_closing
from league.closing.closing_hash import last_hash
from league.closing.payment_plans import count_unpaid, is_settled_with_season
from league.common.money import in_money, worth
from league.common.statements import Given, Statement
from league.common.text import by_name
from league.hands.objections import open_at, open_objections
from league.jobs.closing_jobs import IN_DOUBT
from league.models import (
    BuyIn,
    CashOut,
    ChatPost,
    ChipCount,
    ChipRequest,
    ConflictingRecord,
    Hand,
    JoinRequest,
    Night,
    Objection,
    Player,
    Revision,
    Seat,
    Tournament,
)
from league.nights import nights
from league.nights.cash_box import chips_in, promised, promised_text
from league.nights.nights import UNPLAYED
from league.pages.deals.panel import Panel, panel
from league.pages.nights.chip_requests import (
    PendingRequest,
    chip_requests,
    own_player,
    rebuys,
)
from league.pages.nights.hand_list import (
    Correction,
    HandLine,
    corrected_by_others,
    hand_lines,
    with_correctors,
)
from league.pages.nights.latest_verdict import LatestVerdict, latest_verdict
from league.pages.nights.leave_notice import NoticeView, notice_view
from league.pages.nights.running_match import RunningMatch, match_of_night, running_match
from league.pages.nights.side_games import SideGamesView, side_games_of
from league.pages.nights.stacks import Stack, counter, stacks_of
from league.pages.parts.answer_view import CardFace, face
from league.pages.parts.forms import BuyInForm, GuestForm, SeatForm
from league.pages.parts.join_code import JoinCode, join_code
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.view import Clock, running_clock
from league.people.joining import waiting as waiting_phones
from league.planned_nights.mistaken_nights import is_from_start
from league.recap import (
    HandOfTheNight,
    Swing,
    biggest_swing,
    hand_of_the_night,
    on_podium,
    placings,
)
from league.recording.conflicts import waiting_conflicts
from league.recording.corrections import is_undoable
from league.scoring.season_table import Placing
from league.sending.sender import Outcome

# The page's view model.

LATEST_HANDS = 3
MOST_WAITING = 20  # maximum number of requests and conflicts shown on the page

# Reasons why a night could not be closed automatically.
CLOSING_PROBLEMS: dict[str, Promise] = {
    "still-playing": _("A tournament is still running. End it or cancel it first."),
    "recorded-twice": _("A hand was recorded twice with different results. Choose one first."),
    "not-counted": _("Count the chips first."),
    "does-not-add-up": _(
        "The chips don't add up. Close the night to decide who gets the difference."
    ),
    IN_DOUBT: _("The import couldn't explain all chips. Check them, then close the night."),
    "hand-differs": _("A hand no longer matches its recorded result. Correct it first."),
}
NEW_FOR = timedelta(minutes=5)  # the podium is animated only for this long after the closing


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedNight:
    """The recap at the top of a closed night's page.

    Placings include the money. `own` is the visitor's placing, unless it is on the podium. `posted`
    and `sending` are the names of the chat services that the recap was or is being sent to.
    `objections` are the objections that were open when the night was closed.
    """

    podium: list[tuple[Placing, str]]
    own: tuple[Placing, str] | None
    players: int
    best: HandOfTheNight | None
    cards: list[CardFace]
    swing: Swing | None
    posted: list[str]
    sending: list[str]
    objections: list[Objection]
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPage:
    """All data for a night's page.

    `mine` is the visitor's stack. `own` is the visitor's player if the visitor may act only for
    this player, and `own_rebuy` is the player's buy-in form while the player is seated.
    `last_closing` contains the sequence number and hash of the league's last closing. `again` is
    the last hand that is not voided, and `undo` is a hand that the visitor can still undo. `count`
    is the chip count if it differs from the hands. `unplayed` is whether the night was closed with
    nothing in it, and `may_cancel` whether the visitor may close it so.
    `cash` is the cash box's chips, their value and what of it is promised to players, if it
    contains cash or the night has used it.
    """

    chip: str
    stacks: list[Stack]
    mine: Stack | None
    deal: Panel | None
    clock: Clock | None
    match: RunningMatch | None
    side_games: SideGamesView | None
    latest: LatestVerdict | None
    counter: Page[BuyIn | CashOut]
    hands: list[HandLine]
    corrected: list[Correction]
    again: HandLine | None
    hand_count: int
    has_more_hands: bool
    last: int
    last_dealt: Revision | None
    carry: int
    count: NightCount | None
    cash: tuple[int, str, str] | None
    undo: Hand | None
    may_keep_score: bool
    may_record_hands: bool
    may_manage: bool
    may_cancel: bool
    unplayed: bool
    may_deal: bool
    conflicts: Iterable[ConflictingRecord]
    objections: Iterable[Objection]
    requests: list[PendingRequest]
    refused: ChipRequest | None
    join: JoinCode | None
    join_requests: Iterable[JoinRequest]
    own: Player | None
    own_rebuy: BuyInForm | None
    notice: NoticeView | None
    closing_problem: str | Promise
    unpaid: int
    with_season: bool
    ended: ClosedNight | None
    last_closing: tuple[int, str]
    buy_in: BuyInForm
    take_seat: SeatForm
    guest: GuestForm


SentForm = BuyInForm | SeatForm | GuestForm


def night_page(request: HttpRequest, night: Night, sent: SentForm | None = None) -> NightPage:
    """Return the data for the night's page. `sent` is the submitted form if it was invalid."""
    league, allowed = night.league, rights(request.user, night.league)
    is_open = night.state == Night.State.OPEN
    keeps_score, manages = Action.KEEP_SCORE in allowed, Action.MANAGE in allowed
    hands, bought, seats = hand_lines(night), counter(night), nights.seats(night)
    players = by_name(Player.with_box.filter(league=league))
    newest = hands[0].revision if is_open and hands else None
    match = match_of_night(night, hands)
    stacks = _with_rebuys(request, night, stacks_of(night, seats, hands, bought, match), bought)
    mine = next((stack for stack in stacks if stack.user == request.user.pk), None)
    games = side_games_of(night, seats, hands, match)
    deals_next = bool(mine and mine.deals_next) and plays(role_of(request.user, league))
    has = rows_of(night)
    own = None if keeps_score else own_player(request.user, night)
    return NightPage(
        chip=worth(1, night),
        stacks=stacks,
        mine=mine,
        deal=panel(request.user, night, allowed),
        clock=running_clock(night) if has.tournaments else None,
        match=running_match(match, hands, stacks),
        side_games=games,
        latest=latest_verdict(night, hands, mine, games, stays=signed_in(request).in_demo),
        counter=Paginator(bought, 100).get_page(request.GET.get("exchanges")),
        again=next((hand for hand in hands if not hand.voided), None),
        last=hands[0].number if hands else 0,
        last_dealt=nights.last_dealt(line.revision for line in hands),
        carry=nights.carry(night),
        cash=_cash(night, players, bought),
        undo=newest.hand if newest and is_undoable(newest, signed_in(request)) else None,
        may_keep_score=is_open and keeps_score,
        may_record_hands=is_open and Action.RECORD_HANDS in allowed,
        may_manage=manages,
        may_cancel=manages and is_open and has.is_empty(hands, bought),
        unplayed=has.unplayed,
        may_deal=bool(stacks) and night.is_live and (Action.RECORD_HANDS in allowed or deals_next),
        join=join_code(request, league),
        join_requests=waiting_phones(league) if manages and league.approves else (),
        own=own,
        notice=notice_view(request, night, seats, players, keeps_score=keeps_score),
        ended=None if is_open else closed_night(night, stacks, hands, mine),
        last_closing=last_hash(league),
        **_waiting(request, night, has, manages=manages),
        **_closing_state(night, has, stacks),
        **_latest_hands(request, night, hands),
        **_forms(night, seats, [player for player in players if not player.is_box], own, sent),
    )


def players_without_seat(players: Iterable[Player], seats: Iterable[Seat]) -> list[Player]:
    seated = {seat.player_id for seat in seats if seat.left_at is None}
    return [player for player in players if player.pk not in seated]


def _cash(
    night: Night, players: Iterable[Player], bought: Iterable[BuyIn | CashOut]
) -> tuple[int, str, str] | None:
    box = next((player for player in players if player.is_box), None)
    if box is None:
        return None
    box.league = night.league
    chips, used = chips_in(box), any(row.banker_id == box.pk for row in bought)
    if not (chips or used):
        return None
    return chips, in_money(chips, night), promised_text(chips, promised(box), night)


def _with_rebuys(
    request: HttpRequest, night: Night, stacks: Sequence[Stack], bought: Iterable[BuyIn | CashOut]
) -> list[Stack]:
    """Return the stacks. Scorekeepers are offered rebuys for seated players without chips."""
    if night.state != Night.State.OPEN or not may(request.user, Action.KEEP_SCORE, night.league):
        return list(stacks)
    here = [(stack.player, stack.name, stack.chips) for stack in stacks if not stack.gone]
    offered = {rebuy.player: rebuy for rebuy in rebuys(request.user, night, here, bought)}
    return [replace(stack, rebuy=offered.get(stack.player)) for stack in stacks]


def _forms(
    night: Night,
    seats: Sequence[Seat],
    players: Sequence[Player],
    own: Player | None,
    sent: SentForm | None,
) -> dict[str, Any]:
    """Return the page's forms by their names in `NightPage`. `sent` replaces the form of its kind.

    `players` are the league's, sorted by name. The player `own` has a buy-in form only while seated
    at an open night.
    """
    sat = {seat.player_id for seat in seats if seat.left_at is None}
    seated = [player for player in players if player.pk in sat]
    own_rebuy = None
    if night.state == Night.State.OPEN and own:
        if isinstance(sent, BuyInForm):
            own_rebuy = sent
        elif own.pk in sat:
            initial = {"player": own.pk, "key": uuid4()}
            own_rebuy = BuyInForm(night, [own], players, initial=initial, auto_id="rebuy_%s")
    return {
        "own_rebuy": own_rebuy,
        "buy_in": sent
        if isinstance(sent, BuyInForm)
        else BuyInForm(night, seated, players, initial={"key": uuid4()}),
        "take_seat": sent
        if isinstance(sent, SeatForm)
        else SeatForm(players_without_seat(players, seats), auto_id="seat_%s"),
        "guest": sent if isinstance(sent, GuestForm) else GuestForm(auto_id="guest_%s"),
    }


class NightRows(NamedTuple):
    """What a night has, so that the page queries only that. `asks` is its closing job's problem."""

    asks: str | None
    counts: bool
    requests: bool
    tournaments: bool
    conflicts: bool
    objections: bool
    unplayed: bool

    def is_empty(self, hands: Iterable[HandLine], bought: Iterable[BuyIn | CashOut]) -> bool:
        """Check whether there are only seats and the buy-ins of the start, as far as is known."""
        return not (
            self.tournaments
            or any(not hand.voided for hand in hands)
            or any(not vars(row)["undone"] and not is_from_start(row) for row in bought)
        )


_ROWS = Statement(
    Night.objects.filter(pk=Given("night", UUIDField())),
    "closing_job__asks",
    *(
        Exists(rows.objects.filter(night=OuterRef("pk")))
        for rows in (ChipCount, ChipRequest, Tournament, ConflictingRecord)
    ),
    Exists(Objection.objects.filter(hand__night=OuterRef("pk"))),
    ExpressionWrapper(UNPLAYED, BooleanField()),
)


def rows_of(night: Night) -> NightRows:
    """Return what the night has, in one query."""
    [row] = _ROWS.rows(night=night.pk)
    return NightRows(*row)


def _waiting(
    request: HttpRequest, night: Night, has: NightRows, *, manages: bool
) -> dict[str, Any]:
    """Return the requests, conflicts and objections that wait for a decision."""
    objections = open_objections(night)
    if has.objections and night.state == Night.State.CLOSED:
        # The recap lists the ones that were open when the night was closed.
        objections = objections.filter(made_at__gt=current_closing(night).made_at)
    requests, refused = (
        chip_requests(request.user, night, manages=manages) if has.requests else ([], None)
    )
    return {
        "conflicts": waiting_conflicts(night)[:MOST_WAITING] if has.conflicts else (),
        "objections": objections[:MOST_WAITING] if has.objections else (),
        "requests": requests[:MOST_WAITING],
        "refused": refused,
    }


def _latest_hands(request: HttpRequest, night: Night, hands: Sequence[HandLine]) -> dict[str, Any]:
    """Return the latest hands and, on open nights, those that others have just corrected."""
    corrected = hands if night.state == Night.State.OPEN else ()
    return {
        "hands": with_correctors(hands[:LATEST_HANDS], night.league),
        "corrected": corrected_by_others(corrected, night.league, signed_in(request)),
        "hand_count": sum(not hand.voided for hand in hands),
        "has_more_hands": len(hands) > LATEST_HANDS,
    }


def _closing_state(night: Night, has: NightRows, stacks: Iterable[Stack]) -> dict[str, Any]:
    """Return why the night is not closed and a count that differs, or what is still unpaid."""
    if night.state != Night.State.OPEN:
        return {
            "closing_problem": "",
            "count": None,
            "unpaid": count_unpaid(night),
            "with_season": is_settled_with_season(night),
        }
    count = tally(night) if has.counts or any(stack.missed for stack in stacks) else None
    return {
        "closing_problem": CLOSING_PROBLEMS.get(has.asks or "", ""),
        "count": count if count and count.off else None,
        "unpaid": 0,
        "with_season": False,
    }


def closed_night(
    night: Night, stacks: Sequence[Stack], hands: Sequence[HandLine], own: Stack | None
) -> ClosedNight:
    """Return the recap. `hands` are newest first, and `own` is the visitor's stack."""
    placed = placings([stack.counted for stack in stacks if stack.counted])
    is_even = not any(row.score for row in placed)
    podium = [(row, in_money(row.score, night)) for row in on_podium(placed) if not is_even]
    others = [] if is_even else placed[len(podium) :]
    mine = next((row for row in others if own and row.player == own.player), None)
    dealt = [line.revision for line in reversed(hands) if not line.voided]
    best = hand_of_the_night(dealt)
    closing = current_closing(night)
    posts = ChatPost.objects.filter(closing=closing, outcome__in=("", Outcome.DELIVERED))
    services: dict[str, dict[str, str]] = {"": {}, Outcome.DELIVERED: {}}
    for code, outcome in posts.order_by("made_at").values_list("channel__service", "outcome"):
        services[outcome][code] = str(BY_CODE[code].title)
    return ClosedNight(
        podium=podium,
        own=mine and (mine, in_money(mine.score, night)),
        players=len(placed),
        best=best,
        cards=[face(card, plays_as=best.plays_as.get(card, "")) for card in best.cards]
        if best
        else [],
        swing=biggest_swing(dealt),
        posted=list(services[Outcome.DELIVERED].values()),
        sending=list(services[""].values()),
        objections=list(open_at(closing)),
        is_new=night.ended_at is not None and timezone.now() - night.ended_at < NEW_FOR,
    )
