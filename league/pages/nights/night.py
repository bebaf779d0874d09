"""A night's views: start a night, show it, buy in, and take a seat."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_league, find_night, may_exceed_limits
from league.common.text import by_name, lookalike_key, tidy
from league.models import LONGEST_NAME, ChipRequest, Night, Player
from league.nights import nights
from league.nights.nights import MANY_NAMES
from league.nights.opening import USUAL_BUY_IN, start_night
from league.pages.nights.chip_requests import exchange_chips, speaks_for, stays_at
from league.pages.nights.night_page import (
    SentForm,
    night_page,
    players_without_seat,
)
from league.pages.parts.chip_pieces import pieces_for_the_start
from league.pages.parts.forms import BuyInForm, GuestForm, SeatForm, apply_form
from league.pages.parts.numbers import Chips
from league.pages.parts.visitor import signed_in
from league.people.leagues import new_player_id


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's row in the form that starts a night."""

    player: Player
    sits: forms.BoundField
    seat: forms.BoundField
    chips: forms.BoundField
    last: int | None = None  # the player's seat at the most recent night

    @property
    def errors(self) -> Iterator[str]:
        for field in (self.sits, self.seat, self.chips):
            yield from (str(error) for error in field.errors)


MOST_FOUND = 20
FEWEST_PLAYERS = 2  # minimum number of players required to start a night
FIND = "find"  # name of the search button


class NewNight(forms.Form):
    """The players with their seats and chips.

    A large league shows only the first players and the search results. A search submits the whole
    form without validation, so no input is lost. The browser generates the key, unless the view
    sets it.
    """

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": "form"}), initial=uuid4)
    name = forms.CharField(
        label=_("Night name (optional)"), max_length=LONGEST_NAME, required=False
    )
    usual = Chips(
        label=_("Usual buy-in, in chips"),
        min_value=1,
        initial=USUAL_BUY_IN,
        help_text=_("For players whose chips are left blank."),
    )

    search = forms.CharField(
        label=_("Find a player"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "type": "search"}),
    )

    def __init__(
        self,
        players: list[Player],
        sent: Mapping[str, str] | None = None,
        *,
        initial: dict[str, Any] | None = None,
        first: int = MANY_NAMES,
        last: tuple[Mapping[UUID, int], int] = ({}, 0),
    ) -> None:
        self.last_seats, self.last_buy_in = last
        self.searches = sent is not None and FIND in sent
        super().__init__(None if self.searches else sent, initial=initial)
        if self.last_buy_in:
            self.fields["usual"].initial = self.last_buy_in
        if initial and "key" in initial:
            del self.fields["key"].widget.attrs["data-key"]
        self.found: list[Player] = []
        self.has_more = len(players) > first
        self.players = self._drawn(players, sent, first) if self.has_more else players
        for place, player in enumerate(self.players, start=1):
            sits = f"sits-{player.pk}"
            self.fields[sits] = forms.BooleanField(required=False, initial=not self.has_more)
            self.fields[f"seat-{player.pk}"] = _small(Chips, min_value=1, initial=place)
            self.fields[f"chips-{player.pk}"] = _small(Chips, min_value=0)
            self.fields[f"chips-{player.pk}"].widget.attrs["placeholder"] = _("usual")
        dealers = [(str(player.pk), player.name) for player in self.players]
        self.fields["dealer"] = forms.ChoiceField(
            label=_("First dealer"),
            required=False,
            choices=[("", _("First seated player")), *dealers],
        )
        if sent is not None and self.searches:
            self.initial = {name: sent.get(name, "") for name in self.fields}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        sitting = [player for player in self.players if cleaned.get(f"sits-{player.pk}")]
        if len(sitting) < FEWEST_PLAYERS:
            self.add_error(None, gettext("Choose at least two players."))
        dealer = cleaned.get("dealer")
        if dealer and dealer not in {str(player.pk) for player in sitting}:
            self.add_error("dealer", gettext("Choose a first dealer who is playing."))
        return cleaned

    @property
    def can_start(self) -> bool:
        """Return whether the league has enough players for a night."""
        return len(self.players) >= FEWEST_PLAYERS

    def _drawn(
        self, players: list[Player], sent: Mapping[str, str] | None, first: int
    ) -> list[Player]:
        """Return the players of the submitted rows or the first players, and the search results."""
        if sent is None:
            return players[:first]
        drawn = [player for player in players if f"seat-{player.pk}" in sent] or players[:first]
        search = tidy(sent.get("search", "")).casefold() if self.searches else ""
        drawn_ids = {player.pk for player in drawn}
        matches = (
            player
            for player in players
            if search and search in player.name.casefold() and player.pk not in drawn_ids
        )
        self.found = list(islice(matches, MOST_FOUND))
        return [*self.found, *drawn]

    @property
    def rows(self) -> list[SeatRow]:
        return [self._row(player) for player in self.players]

    @property
    def visible_plain(self) -> list[forms.BoundField]:
        return [self["dealer"], self["usual"], self["name"]]

    def sitting(self) -> list[tuple[Player, int]]:
        """Return the seated players with their chips, clockwise from the first dealer."""
        cleaned = self.cleaned_data
        sitting = [player for player in self.players if cleaned[f"sits-{player.pk}"]]
        sitting.sort(key=lambda player: cleaned[f"seat-{player.pk}"] or len(self.players))
        ids = [str(player.pk) for player in sitting]
        first = ids.index(cleaned["dealer"]) if cleaned["dealer"] else 0
        sitting = [*sitting[first:], *sitting[:first]]
        bought = {player: cleaned[f"chips-{player.pk}"] for player in sitting}
        usual = cleaned["usual"]
        return [(player, usual if chips is None else chips) for player, chips in bought.items()]

    def _row(self, player: Player) -> SeatRow:
        sits, seat, chips = (self[f"{part}-{player.pk}"] for part in ("sits", "seat", "chips"))
        return SeatRow(player, sits, seat, chips, self.last_seats.get(player.pk))


def _small(kind: type[Chips], **options: Any) -> Chips:
    return kind(required=False, **options)


@require_http_methods(["GET", "HEAD", "POST"])
def new_night(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.KEEP_SCORE, league_id)
    form = NewNight(
        nights.recent_players(league), request.POST or None, last=nights.last_seating(league)
    )
    if form.is_valid():
        typed = form.cleaned_data
        started = apply_form(
            form,
            lambda: start_night(
                league,
                typed["key"],
                form.sitting(),
                by=signed_in(request),
                name=typed["name"],
                usual_buy_in=typed["usual"],
            ),
            usual_buy_in="usual",
        )
        if started:
            return redirect("night", typed["key"])
    context = {"league": league, "form": form, "running": nights.newest_open(league)}
    return render(request, "nights/new_night.html", context)


@require_safe
def night(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _page(request, find_night(request.user, Action.VIEW, night_id))


@require_POST
def buy_in(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    players = by_name(night.league.players.all())
    here = by_name(night.league.players.filter(seats__night=night, seats__left_at=None))
    seated = speaks_for(request.user, night, here)
    form = BuyInForm(night, seated, players, request.POST)
    if may_exceed_limits(request.user, night.league):
        form.let_confirm()
    message = gettext("%(name)s bought in for %(chips)s.")
    if form.is_valid() and exchange_chips(request, night, form, ChipRequest.Kind.BUY_IN, message):
        return redirect(stays_at(request), night.pk)
    return _page(request, night, form)


@require_POST
def seat(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    players = players_without_seat(by_name(night.league.players.all()), nights.seats(night))
    form = SeatForm(speaks_for(request.user, night, players), request.POST, auto_id="seat_%s")
    if form.is_valid() and apply_form(
        form, lambda: nights.seat(night, form.cleaned_data["player"])
    ):
        messages.success(
            request, _("%(name)s took a seat.") % {"name": form.cleaned_data["player"]}
        )
        return redirect("night", night.pk)
    return _page(request, night, form)


@require_POST
def guest(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    form = GuestForm(request.POST, auto_id="guest_%s")
    if form.is_valid():
        key, name = form.cleaned_data["key"], form.cleaned_data["name"]
        player = new_player_id(night.league, key)
        if apply_form(form, lambda: nights.seat_guest(night, player, name)):
            messages.success(request, _("%(name)s took a seat.") % {"name": name})
            return redirect("night", night.pk)
        known = lookalike_key(tidy(name))
        free = players_without_seat(night.league.players.all(), nights.seats(night))
        form.known = next((each for each in free if lookalike_key(each.name) == known), None)
    return _page(request, night, form)


def _page(request: HttpRequest, night: Night, sent: SentForm | None = None) -> HttpResponse:
    page = night_page(request, night, sent)
    context = {"night": night, "league": night.league, "page": page}
    context["pieces"] = pieces_for_the_start(night, page.hand_count, len(page.stacks))
    return render(request, "nights/night.html", context, status=400 if sent else 200)
