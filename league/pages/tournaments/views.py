"""Create, run and end a night's tournaments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_night, find_tournament, may
from league.common.errors import RefusedError
from league.common.money import in_money, money_of
from league.common.text import tidy
from league.models import LONGEST_NAME, Night, Player, Seat, Tournament
from league.pages.parts.chip_pieces import Pieces, pieces_to_hand_out
from league.pages.parts.forms import add_refusal, apply_form
from league.pages.parts.numbers import Chips, MoneyField, WholeNumber, chips_of
from league.pages.parts.visitor import signed_in
from league.pages.tournaments.view import happened, view
from league.tournaments import events, finishing, making
from league.tournaments.clock import (
    Level,
    in_turn,
    levels_of_json,
    levels_text,
    read_levels,
    usual_levels,
)
from league.tournaments.events import (
    NewEvent,
    TournamentState,
    running_tournament,
    state_of,
    tournaments_of,
)
from league.tournaments.field import Act
from league.tournaments.making import MOST_SEATS_AT_A_TABLE, PRICES, STACKS, Details

USUAL_STACK, USUAL_MINUTES = 5_000, 20
PRESETS = (
    (gettext_lazy("Fast"), 10),
    (gettext_lazy("Normal"), USUAL_MINUTES),
    (gettext_lazy("Slow"), 30),
)
LONGEST_LEVELS = 10_000
LONGEST_PARTS = 100
MOST_GAMES, LONGEST_GAMES = 20, 500  # limits for the list of rotating games
KNOCKED_OUT = (Act.ENTRY, Act.REBUY, Act.ADD_ON, Act.OUT)


class TournamentForm(forms.Form):
    """Form for a tournament. Amounts are typed as money and stored as league chips."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}), initial=uuid4)
    name = forms.CharField(
        label=gettext_lazy("Name (optional)"), max_length=LONGEST_NAME, required=False
    )
    stack = Chips(label=gettext_lazy("Starting stack"), min_value=1, initial=USUAL_STACK)
    rebuy_stack = Chips(label=gettext_lazy("Rebuy stack"), min_value=0, required=False)
    add_on_stack = Chips(label=gettext_lazy("Add-on stack"), min_value=0, required=False)
    levels = forms.CharField(
        label=gettext_lazy("Levels"),
        max_length=LONGEST_LEVELS,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "One per line: 25/50 20 min, or 50/100 ante 10 15 min Omaha, or break 10 min."
        ),
    )
    games = forms.CharField(
        label=gettext_lazy("Games (one per level)"),
        max_length=LONGEST_GAMES,
        required=False,
        help_text=gettext_lazy(
            "For example Hold'em, Omaha, Stud. Leave blank for dealer's choice."
        ),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    late_until = Chips(
        label=gettext_lazy("Late entry and rebuys until level"),
        min_value=0,
        required=False,
        help_text=gettext_lazy("Includes the break after it. Leave blank for no limit."),
    )
    parts = forms.CharField(
        label=gettext_lazy("Payouts in percent"),
        max_length=LONGEST_PARTS,
        required=False,
        help_text=gettext_lazy("For example 50 30 20. Leave blank for the usual payouts."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    seats = WholeNumber(
        label=gettext_lazy("Seats per table"),
        min_value=2,
        max_value=MOST_SEATS_AT_A_TABLE,
        initial=9,
    )

    def __init__(self, night: Night, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.night = night
        labels = {
            "entry": gettext_lazy("Entry (%(currency)s)"),
            "rebuy": gettext_lazy("Rebuy (%(currency)s)"),
            "add_on": gettext_lazy("Add-on (%(currency)s)"),
            "bounty": gettext_lazy("Bounty (%(currency)s)"),
            "round_to": gettext_lazy("Round prizes to (%(currency)s)"),
        }
        for name, label in labels.items():
            words = label % {"currency": night.currency}
            self.fields[name] = MoneyField(
                currency=night.currency, label=words, required=name == "entry"
            )
        self.fields["levels"].initial = levels_text(usual_levels(USUAL_STACK, USUAL_MINUTES))

    def clean_levels(self) -> list[Level]:
        try:
            return read_levels(self.cleaned_data["levels"])
        except RefusedError as refused:
            raise forms.ValidationError([each["text"] for each in refused.errors]) from None

    def clean_games(self) -> list[str]:
        named = [tidy(each) for each in self.cleaned_data["games"].split(",") if each.strip()]
        if len(named) > MOST_GAMES:
            words = gettext("Enter at most %(most)s games.") % {"most": MOST_GAMES}
            raise forms.ValidationError(words)
        return named

    def clean_parts(self) -> list[int]:
        words = str(self.cleaned_data["parts"]).replace("%", " ").replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise forms.ValidationError(gettext("Enter whole numbers such as 50 30 20."))
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in (*PRICES, "round_to"):
            try:
                cleaned[name] = chips_of(cleaned.get(name) or Decimal(), self.night)
            except forms.ValidationError as wrong:
                self.add_error(name, wrong)
        return cleaned

    def details(self) -> Details:
        """Return the tournament details. The form must be valid."""
        cleaned = self.cleaned_data
        numbers = {name: cleaned[name] or 0 for name in (*PRICES, *STACKS, "late_until", "seats")}
        return Details(
            name=cleaned["name"],
            levels=in_turn(cleaned["levels"], cleaned["games"]),
            parts=cleaned["parts"],
            round_to=cleaned["round_to"] or 1,
            **numbers,
        )


def as_typed(tournament: Tournament) -> dict[str, Any]:
    """Return the initial form values for an existing tournament."""
    money = {
        name: money_of(chips, tournament.night)
        for name in (*PRICES, "round_to")
        if (chips := getattr(tournament, name)) > (name == "round_to")
    }
    plain = {name: getattr(tournament, name) or None for name in (*STACKS, "late_until", "seats")}
    return {
        "name": tournament.name,
        "levels": levels_text(levels_of_json(tournament.levels)),
        "parts": " ".join(map(str, tournament.parts)),
        **plain,
        **money,
    }


class EventForm(forms.Form):
    """A player's entry, rebuy, add-on or elimination, with the players who knocked them out."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(act.value, act.value) for act in KNOCKED_OUT])

    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = Player.objects.filter(pk__in=[each.pk for each in players])
        self.fields["player"] = forms.ModelChoiceField(rows)
        self.fields["knocked_out_by"] = forms.ModelMultipleChoiceField(rows, required=False)

    def new_event(self) -> NewEvent:
        """Return the event. The form must be valid."""
        cleaned = self.cleaned_data
        return NewEvent(
            kind=Act(cleaned["kind"]),
            player=cleaned["player"],
            knocked_out_by=list(cleaned["knocked_out_by"]),
        )


class DealForm(forms.Form):
    """Form for each remaining player's chips and part of the remaining prize money."""

    def __init__(self, state: TournamentState, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state
        for player in self.players:
            label = gettext("Chips of %(name)s") % {"name": player.name}
            self.fields[f"stack-{player.pk}"] = Chips(label=label, min_value=1, required=False)
            label = gettext("Payout of %(name)s") % {"name": player.name}
            self.fields[f"part-{player.pk}"] = Chips(label=label, min_value=0, required=False)

    @property
    def players(self) -> Sequence[Player]:
        return [self.state.players[each] for each in self.state.field.playing]

    @property
    def rows(self) -> list[tuple[Player, forms.BoundField, forms.BoundField]]:
        return [
            (player, self[f"stack-{player.pk}"], self[f"part-{player.pk}"])
            for player in self.players
        ]

    def stacks(self) -> dict[UUID, int]:
        """Return each player's counted chips."""
        return self._chips_of("stack")

    def deal(self) -> Mapping[UUID, int]:
        """Return the agreed payouts, highest first. Equal payouts are sorted by chips."""
        parts, stacks = self._chips_of("part"), self.stacks()
        order = sorted(parts, key=lambda each: (-parts[each], -stacks.get(each, 0)))
        return {player: parts[player] for player in order}

    def _chips_of(self, what: str) -> dict[UUID, int]:
        amounts = {each.pk: self.cleaned_data.get(f"{what}-{each.pk}") for each in self.players}
        return {player: chips for player, chips in amounts.items() if chips is not None}


GET_OR_POST = ["GET", "HEAD", "POST"]


@login_required
@require_safe
def tournaments(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Redirect to the running tournament, or list all of the night's tournaments."""
    night = find_night(request.user, Action.LOOK, night_id)
    if running := running_tournament(night):
        return redirect("tournament", night.pk, running.pk)
    context = {
        "night": night,
        "league": night.league,
        "views": [view(state_of(each)) for each in tournaments_of(night)],
        "may_make": _may_run(request, night) and night.state == Night.State.OPEN,
    }
    return render(request, "tournaments/tournaments.html", context)


@login_required
@require_http_methods(GET_OR_POST)
def new(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    form = TournamentForm(night, _sent(request))
    if form.is_bound and form.is_valid():
        key, by = form.cleaned_data["key"], signed_in(request)
        if apply_form(form, lambda: making.make(night, key, form.details(), by=by)):
            return redirect("tournament", night.pk, key)
    return _form_page(request, night, form, None)


@login_required
@require_http_methods(GET_OR_POST)
def change(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    form = TournamentForm(tournament.night, _sent(request), initial=as_typed(tournament))

    def save() -> None:
        making.change(tournament, form.details())

    if form.is_bound and form.is_valid() and apply_form(form, save):
        return _back(tournament)
    return _form_page(request, tournament.night, form, tournament)


@login_required
@require_safe
def tournament(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.LOOK, night_id, tournament_id)
    state = state_of(tournament)
    night, entrants = tournament.night, state.field.players
    runs = _may_run(request, night) and not state.is_over and tournament.called_off_at is None
    others: list[Player] = []
    seated = _seated_without_entry(state) if runs else []
    if runs:  # the players who can still enter, those seated in the night first
        rows = night.league.players.exclude(pk__in=entrants)
        others = sorted(rows, key=lambda player: (player not in seated, player.name))
    pieces: list[Pieces] = []
    if not state.is_over:  # of a starting stack, if the chip set is enough for all entrants
        pieces = pieces_to_hand_out(night.league, tournament.stack, len(entrants) or 1)
    context = {
        "night": night,
        "league": night.league,
        "tournament": tournament,
        "view": view(state),
        "happened": happened(state),
        "pieces": pieces,
        "others": others,
        "seated": len(seated),
        "may_run": runs,
        "may_go_on": _may_run(request, night) and state.is_over,
    }
    return render(request, "tournaments/tournament.html", context)


@login_required
@require_POST
def happens(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    if "everyone" in request.POST:
        players, by = _seated_without_entry(state_of(tournament)), signed_in(request)
        key = _key(request)
        return _done(
            request, tournament, lambda: events.enter_players(tournament, key, players, by=by)
        )
    form = EventForm(tournament.night.league.players.all(), request.POST)
    if not form.is_valid():
        raise Http404
    key, by = form.cleaned_data["key"], signed_in(request)
    return _done(
        request, tournament, lambda: events.record_event(tournament, key, form.new_event(), by=by)
    )


@login_required
@require_POST
def undo(request: HttpRequest, night_id: UUID, tournament_id: UUID, event_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    if not tournament.events.filter(pk=event_id).exists():
        raise Http404
    event, by = NewEvent(kind=Act.UNDO, undoes=event_id), signed_in(request)
    return _done(
        request, tournament, lambda: events.record_event(tournament, _key(request), event, by=by)
    )


@login_required
@require_POST
def clock(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """Start or pause the clock, or move it forward or back by one level."""
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    number = state_of(tournament).clock.number
    acts: dict[str, Callable[[], object]] = {
        "start": lambda: events.start_clock(tournament),
        "pause": lambda: events.pause_clock(tournament),
        "on": lambda: events.go_to_level(tournament, number + 1),
        "back": lambda: events.go_to_level(tournament, max(0, number - 1)),
    }
    act = acts.get(request.POST.get("do", ""))
    if act is None:
        raise Http404
    return _done(request, tournament, act)


@login_required
@require_POST
def seats(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    ways = {"draw": events.draw_seats, "balance": events.balance_tables}
    way = ways.get(request.POST.get("how", ""))
    if way is None:
        raise Http404
    return _done(request, tournament, lambda: way(tournament, _key(request), by=signed_in(request)))


@login_required
@require_http_methods(GET_OR_POST)
def end(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    """End the tournament if one player is left. Otherwise ask for the remaining players' deal."""
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    state, by = state_of(tournament), signed_in(request)
    form = DealForm(state, _sent(request))
    if form.is_bound and form.is_valid():
        if "propose" in request.POST:  # fill in the chosen model's payouts
            try:
                ways = finishing.deals(state, form.stacks())
            except RefusedError as refused:
                add_refusal(form, refused)
            else:
                model = "icm" if form.data["propose"] == "icm" else "chips"
                parts = {f"part-{player}": str(chips) for player, chips in ways[model].items()}
                form = DealForm(state, {**request.POST.dict(), **parts})
            return _end_page(request, tournament, state, form)
        deal = form.deal() if len(state.field.playing) > 1 else None
        if apply_form(form, lambda: finishing.finish(tournament, deal=deal, by=by)):
            messages.success(request, _("The tournament is over."))
            return _back(tournament)
    return _end_page(request, tournament, state, form)


@login_required
@require_POST
def resume(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, tournament, lambda: finishing.resume(tournament, by=signed_in(request)))


@login_required
@require_POST
def call_off(request: HttpRequest, night_id: UUID, tournament_id: UUID) -> HttpResponse:
    tournament = find_tournament(request.user, Action.KEEP_SCORE, night_id, tournament_id)
    return _done(request, tournament, lambda: making.call_off(tournament))


def _seated_without_entry(state: TournamentState) -> list[Player]:
    """Return the players seated in the night who have not entered the tournament."""
    rows = Seat.objects.filter(night=state.tournament.night, left_at=None)
    seats = rows.exclude(player__in=state.field.players).select_related("player")
    return [seat.player for seat in seats.order_by("position")]


def _sent(request: HttpRequest) -> QueryDict | None:
    """Return the submitted data, which may be empty, or None if nothing was submitted."""
    return request.POST if request.method == "POST" else None


def _done(request: HttpRequest, tournament: Tournament, act: Callable[[], object]) -> HttpResponse:
    """Call `act`, show the reason if it is refused, and redirect to the tournament."""
    form = forms.Form({})
    if not apply_form(form, act):
        for text in form.non_field_errors():
            messages.error(request, str(text), extra_tags="bad")
    return _back(tournament)


def _back(tournament: Tournament) -> HttpResponse:
    return redirect("tournament", tournament.night_id, tournament.pk)


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        raise Http404 from None


def _may_run(request: HttpRequest, night: Night) -> bool:
    """Return whether the visitor may run tournaments.

    Only hosts may run a closed night's tournaments.
    """
    is_open = night.state == Night.State.OPEN
    return may(request.user, Action.KEEP_SCORE if is_open else Action.MANAGE, night.league)


def _form_page(
    request: HttpRequest, night: Night, form: TournamentForm, tournament: Tournament | None
) -> HttpResponse:
    context = {
        "night": night,
        "league": night.league,
        "form": form,
        "tournament": tournament,
        "presets": [
            (title, minutes, levels_text(usual_levels(USUAL_STACK, minutes)))
            for title, minutes in PRESETS
        ],
    }
    status = 400 if form.errors else 200
    return render(request, "tournaments/form.html", context, status=status)


def _end_page(
    request: HttpRequest, tournament: Tournament, state: TournamentState, form: DealForm
) -> HttpResponse:
    left = finishing.prizes_left(state)
    context = {
        "night": tournament.night,
        "league": tournament.night.league,
        "tournament": tournament,
        "view": view(state),
        "form": form,
        "left": [(chips, in_money(chips, tournament.night)) for chips in left if chips],
        "left_sum": sum(left),
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/end.html", context, status=status)
