"""Notice before leaving: what the night page shows, and the view that changes it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import Action, find_night, plays, require_for, role_of
from league.common.errors import NightClosedError, RefusedError
from league.models import Night, Player, Seat
from league.nights.leave_notice import give_notice, withdraw_notice
from league.pages.parts.forms import SeatForm, show_errors
from league.pages.parts.visitor import signed_in


@dataclass(frozen=True, slots=True)
class Leaving:
    """A seated player who has given notice. `may_withdraw` is true if the visitor may undo it."""

    player: Player
    at: datetime
    own: bool
    may_withdraw: bool


@dataclass(frozen=True, slots=True)
class NoticeView:
    """The notices of a night. `own` is the visitor's player, if the player can give notice.

    `others` is the form in which scorekeepers choose a player.
    """

    minutes: int
    leaving: list[Leaving]
    own: Player | None
    others: SeatForm | None

    @property
    def title(self) -> str:
        return ngettext("Leaves in %(n)s minute", "Leaves in %(n)s minutes", self.minutes) % {
            "n": self.minutes
        }


def notice_view(
    request: HttpRequest,
    night: Night,
    seats: Sequence[Seat],
    players: Iterable[Player],
    *,
    keeps_score: bool,
) -> NoticeView | None:
    """Return an open night's notices, or None if the night has none and the league requires none.

    `players` are the league's players, sorted by name.
    """
    minutes = night.league.leave_notice
    here = [seat for seat in seats if seat.left_at is None]
    if night.state != Night.State.OPEN or not (minutes or any(seat.leaving_at for seat in here)):
        return None
    user = signed_in(request)
    own = user.pk if plays(role_of(user, night.league)) else None
    leaving = [
        Leaving(seat.player, seat.leaving_at, mine, mine or keeps_score)
        for seat in here
        if seat.leaving_at
        for mine in [own is not None and seat.player.user_id == own]
    ]
    stays = {seat.player_id for seat in here if minutes and not seat.leaving_at}
    staying = [player for player in players if player.pk in stays]
    return NoticeView(
        minutes=minutes,
        leaving=leaving,
        own=next((player for player in staying if own and player.user_id == own), None),
        others=SeatForm(staying, auto_id="leaving_%s") if keeps_score and staying else None,
    )


@require_POST
def leave_notice(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Give a player's notice, or withdraw it if the form contains `stays`."""
    night = find_night(request.user, Action.VIEW, night_id)
    form = SeatForm(night.league.players.all(), request.POST)
    if not form.is_valid():
        raise Http404
    player = form.cleaned_data["player"]
    require_for(request.user, player, night.league)
    change = withdraw_notice if "stays" in request.POST else give_notice
    try:
        change(night, player)
    except (RefusedError, NightClosedError) as error:
        show_errors(request, error)
    return redirect("night", night.pk)
