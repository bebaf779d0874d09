"""The TV screen on a tablet or TV, for members or through a read-only link.

The link requires no sign-in. Polling for changes costs one indexed query.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_night
from league.common.errors import RefusedError
from league.common.money import worth
from league.deals.declarations import is_in_turn, revealed_declarations
from league.deals.open_deal import open_deal
from league.deals.shown_cards import agreed_cards, card_entries
from league.deals.table import HOLDING, Game, game_of
from league.games import titles
from league.models import Deal, Night
from league.nights import nights
from league.nights.nights import was_played
from league.nights.share_links import screen_version, share_screen, shared_screen, unshare_screen
from league.pages.deals.panel import STATES, drawn_lines
from league.pages.games.board import Board, board, with_cards
from league.pages.nights.hand_list import HandLine, hand_lines
from league.pages.nights.latest_verdict import SHOWN_FOR, LatestVerdict, latest_verdict
from league.pages.nights.live_updates import version_response
from league.pages.nights.receipt import private
from league.pages.nights.running_match import match_of_night
from league.pages.nights.side_games import SideGamesView, side_games_of
from league.pages.nights.stacks import Stack, counter, stacks_of
from league.pages.parts.answer_view import CardFace, faces
from league.pages.parts.chip_pieces import pieces_of
from league.pages.parts.images import qr_code
from league.pages.parts.join_code import JoinCode, base_address, join_code
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.view import TournamentView, running_view

# The screen shows the seats in a ring. The middle shows the open deal, the last hand's verdict (for
# a while), or the next dealer. Anyone can see the screen, so it shows only what every phone at the
# table may show. Until declarations are revealed, it only shows that they are locked.


MOST_WON = 4  # maximum number of winning hands shown, because they must be legible from a distance
LAST_HANDS = 5
MOST_NETS = 12  # maximum number of players listed after the night, in two columns
# a board with a larger width-to-height ratio is placed below its game instead of next to it
WIDE = 2.2
LONG = 240  # characters of rules; longer rules are in small type
MOST_AROUND = 14  # a tournament's players who aren't seated are shown if they fit
TWO_BESIDE = 11  # with this many players or more, each end of the table has two seats


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSeat:
    """A player at the table. `net` is the player's result for the hand or the night, in chips.

    `chips` is None during a tournament, because its stacks are not recorded.
    """

    name: str
    chips: int | None
    deals: bool
    is_out: bool = False
    state: str | Promise = ""
    locked: bool = False
    declared: str = ""
    cards: list[CardFace] = field(default_factory=list)
    net: int | None = None


@dataclass(frozen=True, slots=True)
class Ring:
    """The seats on each side of the table, as they are displayed."""

    top: list[ScreenSeat]
    right: list[ScreenSeat]
    bottom: list[ScreenSeat]
    left: list[ScreenSeat]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenDeal:
    """The open deal, with its game, its stage, and its board with the reported cards."""

    name: str
    variations: list[str]
    says: Sequence[Sequence[str]]
    board: Board | None
    layout: str  # "wide" or "tall" if there is a board, otherwise "plain"
    stage: int
    stages: Sequence[Mapping[str, str]]
    kind: str
    now: str
    holding: int
    locked: int

    @property
    def is_long(self) -> bool:
        """Return whether the rules fit only in small type."""
        return sum(len(text) for _title, text in self.says) > LONG


@dataclass(slots=True)
class WinningHand:
    """A winning hand and the chips that it won. `made` lists pairs of share and hand name."""

    name: str
    cards: list[CardFace]
    chips: int = 0
    made: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenVerdict:
    """The last hand's verdict, which stays on screen for another `seconds` seconds.

    `split` is true if a pot has several shares. `beyond` is how many winning hands are not shown.
    """

    key: str
    number: int
    game: str
    headline: str
    won: list[WinningHand]
    split: bool
    beyond: int
    round_end: str
    seconds: int
    runs: list[list[list[CardFace]]]  # the board of each run, if there are several


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScreen:
    """All data for the TV screen.

    `nets` are the results of a closed night. `unlisted` is how many players they leave out.
    `played` is false if the night was closed without play.
    """

    ring: Ring
    seated: int
    deal: ScreenDeal | None
    verdict: ScreenVerdict | None
    games: SideGamesView | None
    dealer: str
    carry: int
    hands: list[HandLine]
    nets: list[tuple[str, int]]
    unlisted: int
    tournament: TournamentView | None
    played: bool

    @property
    def waits(self) -> bool:
        """Return whether to show the invitation because no hand has been dealt yet."""
        return not self.deal and not self.hands


def table_screen(night: Night) -> TableScreen:
    """Return the current screen data for a night."""
    dealt, seats = hand_lines(night), nights.seats(night)
    match = match_of_night(night, dealt)
    stacks = stacks_of(night, seats, dealt, counter(night), match)
    closed = night.state == Night.State.CLOSED
    played = not closed or was_played(night)
    present = [row for row in stacks if played and not row.gone]
    games = side_games_of(night, seats, dealt, match)
    deal = open_deal(night) if night.state == Night.State.OPEN else None
    game = None
    with suppress(RefusedError):  # the deal is not shown if its game is no longer valid
        game = game_of(deal) if deal else None
    # the pot of a match stays while another game is played
    stays = match and match.next and deal and deal.variant != match.variant
    carry = 0 if closed else nights.carry(night) - (match.carried if match and stays else 0)
    latest = None if game else latest_verdict(night, dealt, None, games)
    tournament = None if closed else running_view(night)
    in_tournament = bool(tournament and tournament.state.field.players)
    if deal and game:
        shown = _dealt_in(deal, game, present)
        shown = [replace(seat, chips=None) for seat in shown] if in_tournament else shown
    elif tournament and in_tournament:
        shown = _entrants(tournament, present)
    else:
        shown = _seats(night, present, latest)
    by_net = sorted(stacks, key=lambda row: -row.net)
    nets = [(row.name, row.net) for row in by_net] if closed and played else []
    return TableScreen(
        ring=ring(shown),
        seated=len(shown),
        deal=_deal(deal, game) if deal and game else None,
        verdict=_verdict(latest) if latest else None,
        games=games,
        dealer=next((row.name for row in present if row.deals), ""),
        carry=carry,
        hands=[line for line in dealt if not line.voided][:LAST_HANDS],
        nets=nets[:MOST_NETS],
        unlisted=max(0, len(nets) - MOST_NETS),
        tournament=tournament,
        played=played,
    )


def ring(seats: list[ScreenSeat]) -> Ring:
    """Return the seats on each side of the table, in display order."""
    number = len(seats)
    beside = 0 if number < 4 else 1 if number < TWO_BESIDE else 2
    along = number - 2 * beside
    top = (along + 1) // 2 if number < 4 else along // 2
    right_ends, left_begins = top + beside, number - beside
    return Ring(
        top=seats[:top],
        right=seats[top:right_ends],
        bottom=seats[right_ends:left_begins][::-1],
        left=seats[left_begins:][::-1],
    )


def _deal(deal: Deal, game: Game) -> ScreenDeal:
    """Return the open deal. Its board shows the cards that phones have reported."""
    drawn, layout = board(game.card["board"], drawn_lines(game)), "plain"
    if drawn is not None:
        layout = "wide" if drawn.width > WIDE * drawn.height else "tall"
        drawn = with_cards(drawn, agreed_cards(card_entries(deal)).get(None, {}))
    stage = game.stage(deal.stage)
    states = list(deal.players.values_list("state", "declaration"))
    holding = [bool(declaration) for state, declaration in states if state in HOLDING]
    return ScreenDeal(
        name=game.form["name"],
        variations=titles.variations(deal.modifiers),
        says=game.card["says"],
        board=drawn,
        layout=layout,
        stage=deal.stage,
        stages=game.stages,
        kind=stage["kind"],
        now=stage["text"],
        holding=len(holding),
        locked=sum(holding),
    )


def _dealt_in(deal: Deal, game: Game, present: Iterable[Stack]) -> list[ScreenSeat]:
    rows = {row.player_id: row for row in deal.players.all()}
    words = revealed_declarations(deal, in_turn=is_in_turn(deal, game))
    cards = agreed_cards(card_entries(deal))
    seats = []
    for stack in present:
        row, own_cards = rows.get(stack.player), sorted(cards.get(stack.player, {}).items())
        seats.append(
            ScreenSeat(
                name=stack.name,
                chips=stack.chips,
                deals=stack.player == deal.dealer_id,
                is_out=row is None or row.state not in HOLDING,
                state=STATES.get(row.state, "") if row else "",
                locked=row is not None and bool(row.declaration) and not words,
                declared=words.get(stack.player, ""),
                cards=faces(card for _zone, text in own_cards for card in text.split()),
            )
        )
    return seats


def _seats(
    night: Night, present: Iterable[Stack], latest: LatestVerdict | None
) -> list[ScreenSeat]:
    """Return the seats with the net results of the last hand, or of a closed night."""
    closed = night.state == Night.State.CLOSED
    nets: dict[str, int] = {}
    if latest:
        revision = latest.line.revision
        by_name: Mapping[str, int] = revision.answer["net"]
        nets = {
            str(player): by_name[name] for name, player in revision.names.items() if name in by_name
        }
    return [
        ScreenSeat(
            name=stack.name,
            chips=stack.chips,
            deals=stack.deals and not closed,
            net=stack.net if closed else nets.get(str(stack.player)),
        )
        for stack in present
    ]


def _entrants(tournament: TournamentView, present: Iterable[Stack]) -> list[ScreenSeat]:
    """Return the seated players and the tournament's other players, with their state in it."""
    names = {stack.player: stack.name for stack in present}
    states: dict[UUID, str] = dict.fromkeys(names, _("not playing"))
    for each in tournament.out:
        states |= {each.player.pk: _("out")} if each.player.pk in names else {}
    for entrant in tournament.playing:
        if entrant.player.pk in names or len(names) < MOST_AROUND:
            names[entrant.player.pk] = entrant.player.name
            states[entrant.player.pk] = ""
    return [
        ScreenSeat(name=name, chips=None, deals=False, is_out=bool(states[pk]), state=states[pk])
        for pk, name in names.items()
    ]


def _verdict(latest: LatestVerdict) -> ScreenVerdict:
    """Return the verdict. A hand that wins several shares or pots is listed once."""
    verdict, revision = latest.verdict, latest.line.revision
    hands: dict[tuple[str, frozenset[str]], WinningHand] = {}
    for share in (share for pot in verdict.pots for share in pot.shares):
        for winner in (winner for winner in share.winners if winner.chips):
            cards = winner.played.cards if winner.played else []
            key = winner.name, frozenset(card.name for card in cards)
            hand = hands.setdefault(key, WinningHand(winner.name, cards))
            hand.chips += winner.chips
            made = share.way, winner.played.name if winner.played else ""
            hand.made += [made] if made not in hand.made else []
    left = revision.made_at + SHOWN_FOR - timezone.now()
    return ScreenVerdict(
        key=f"{latest.line.number}-{revision.number}",
        number=latest.line.number,
        game=latest.line.game,
        headline=verdict.headline,
        won=list(hands.values())[:MOST_WON],
        split=any(len(pot.shares) > 1 for pot in verdict.pots),
        beyond=max(0, len(hands) - MOST_WON),
        round_end=latest.round_end,
        runs=verdict.runs,
        seconds=max(1, round(left.total_seconds())),
    )


@require_safe
def own_screen(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    pulse_at = reverse("pulse", args=[night.pk])
    return _page(request, night, pulse_at, join_code(request, night.league))


@login_not_required
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    link = shared_screen(token)
    if link is None:
        raise Http404
    night, shown_by = link.night, link.made_by if link.shows_code else None
    code = join_code(request, night.league, shown_by=shown_by) if shown_by else None
    return _page(request, night, reverse("screen-pulse", args=[token]), code)


@login_not_required
@require_safe
def pulse(request: HttpRequest, token: str) -> HttpResponse:
    """Return 304 if the screen is up to date, or else the version. Revoked links return 404."""
    version = screen_version(token)
    if version is None:
        raise Http404
    return version_response(request, version)


@require_POST
def share(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Create a link and show it with its QR code. The link is shown only once."""
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    try:
        shows_code = bool(request.POST.get("shows_code"))
        token = share_screen(night, by=signed_in(request), shows_code=shows_code)
    except RefusedError:
        raise Http404 from None
    link = base_address(request) + reverse("shared-screen", args=[token])
    context = {"night": night, "league": night.league, "link": link, "picture": qr_code(link)}
    return private(render(request, "nights/screen_made.html", context))


@require_POST
def unshare(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    unshare_screen(night, by=signed_in(request))
    messages.success(request, _("All screen links are turned off."))
    return redirect("night", night.pk)


def _page(request: HttpRequest, night: Night, pulse_at: str, code: JoinCode | None) -> HttpResponse:
    is_open = night.state == Night.State.OPEN
    context = {
        "night": night,
        "league": night.league,
        "chip": worth(1, night),
        "pulse_at": pulse_at,
        "join": code if is_open else None,
        "table": table_screen(night),
        "legend": pieces_of(night.league.chip_set) if is_open else [],
    }
    return private(render(request, "nights/screen.html", context))
