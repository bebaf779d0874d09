"""Find an import's night and players, and record the ledger of a night.

A ledger is compared with its night first. If the night has the same chips, the ledger was imported
before. If all of its amounts are the same multiple of them, it was imported with another value of a
chip.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from uuid import uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from league.closing.chip_count import count_all, tally
from league.closing.close import current_closing
from league.common.errors import NightClosedError, Problem, RefusedError, problem
from league.common.text import shown
from league.imports.contents import ImportProblem, import_problem
from league.imports.grouping import PlannedNight
from league.models import BuyIn, CashOut, League, Night, Player, Revision, User
from league.nights.buy_ins import buy_in
from league.nights.nights import lock_and_bump_open, seat
from league.nights.opening import open_night
from league.people.leagues import add_player
from rules.formats import fitting
from rules.formats.amounts import Chip


def recorded_night(league: League, planned: PlannedNight) -> Night | None:
    rows = Night.objects.select_related("season__league__book")
    return rows.filter(pk=planned.id, season__league=league).first()


def night_of(league: League, planned: PlannedNight) -> Night:
    if recorded := recorded_night(league, planned):
        return recorded
    night = open_night(
        league,
        night_id=planned.id,
        name=planned.name,
        started_at=planned.starts_at,
        imported=True,
    )
    day = timezone.localdate(night.started_at, ZoneInfo(league.time_zone))
    if day < night.season.starts_on and not league.seasons.exclude(pk=night.season_id).exists():
        night.season.starts_on = day  # the first season starts with its first night
        night.season.save(update_fields=["starts_on"])
    return night


def seated(night: Night, names: Iterator[str]) -> dict[str, Player]:
    """Return the players with these names. Missing players are created and seated."""
    unique = list(dict.fromkeys(names))
    league = night.league
    players = {each.name: each for each in league.players.filter(name__in=unique)}
    seats = set(night.seats.filter(left_at=None).values_list("player", flat=True))
    for name in unique:
        player = players.get(name) or add_player(league, name)
        players[name] = player
        if player.pk not in seats:
            seat(night, player)
    return players


def other_chip(night: Night, chips: set[Chip | None]) -> Iterator[Problem]:
    """Yield a problem if the night's last hand has another value of a chip."""
    before = Revision.objects.filter(hand__night=night, current=True).order_by("-hand__number")
    last = before.values_list("record", flat=True).first()
    chip = fitting.chip(last) if last else None
    if chip is not None and not chips <= {None, chip}:
        text = f"in this night's other file, one chip is {chip.amount(1)}: use the same value"
        yield problem("about/places", "other-chips", text)


def compare_ledger(league: League, planned: PlannedNight, chip: Chip) -> list[Problem]:
    """Mark a ledger that its night already has. Remove a ledger that contradicts the night.

    Only a ledger that is not booked yet can be out of balance.

    Return the contradictions.
    """
    if not planned.ledger or (night := recorded_night(league, planned)) is None:
        return []
    bought, lines = _bought(night), tally(night).lines
    counted = {line.name: line.counted for line in lines}
    planned.seats = [line.name for line in lines]
    amounts = [
        pair
        for row in planned.ledger
        for pair in ((row.chips, bought[row.name]), (row.left, counted.get(row.name)))
    ]
    is_closed = night.state == Night.State.CLOSED
    planned.ledger_known = all(has == now or (has is None and is_closed) for now, has in amounts)
    if planned.ledger_known:
        if is_closed:
            note_booked(night, planned)
        return []
    wrong = list(other_chip(night, {chip}))
    before = {
        Fraction(chip.units * now, 10**chip.places * has) if now and has else None
        for now, has in amounts
        if (now, has) != (0, 0)
    }
    if not wrong and len(before) == 1 and (worth := before.pop()) is not None:
        was = Decimal(worth.numerator) / Decimal(worth.denominator)
        text = f"this ledger was imported with {was:f} for a chip, not {chip.amount(1)}"
        wrong = [problem("", "other-chips", f"{text}: use the same")]
    if not wrong and is_closed:
        text = f"the night {planned.name} is closed, with other chips than in the ledger"
        wrong = [problem("night", "night-closed", text)]
    if wrong:
        planned.ledger = []
    for row in planned.ledger:
        if row.chips < (has := bought[row.name]):
            text = f"{shown(row.name)} bought {row.chips:,} in the ledger, but {has:,} in the night"
            wrong.append(problem("buy_in", "ledger-differs", text))
    return wrong


def note_booked(night: Night, planned: PlannedNight) -> None:
    """Note the nets of a closed night, and the parts of the difference in them."""
    rows = current_closing(night).lines.select_related("player").order_by("position")
    for line in rows:
        planned.booked[line.player.name] = line.net
        if line.bears:
            planned.booked_shares[line.player.name] = line.bears
    planned.imbalance = ""


def import_ledger(
    league: League, planned: PlannedNight, *, by: User | None, counting: bool
) -> list[ImportProblem]:
    """Sell the listed chips that were not bought yet or, with `counting`, count the final chips.

    Call this with `counting` after the hands are recorded. Returns the problems.
    """
    if not planned.ledger or planned.ledger_known:
        return []
    try:
        with transaction.atomic():
            night = night_of(league, planned)
            lock_and_bump_open(night)
            players = seated(night, (row.name for row in planned.ledger))
            if counting:
                left = {players[row.name]: row.left for row in planned.ledger}
                entries = ":".join(f"{row.name}={row.left}" for row in planned.ledger)
                count_all(night, left, counts_id=uuid5(night.pk, f"ledger:{entries}"), by=by)
            else:
                already = _bought(night)
                for row in planned.ledger:
                    player, bought = players[row.name], already[row.name]
                    if row.chips > bought:
                        buy_in_id = uuid5(night.pk, f"ledger:{player.pk}:{bought}:{row.chips}")
                        buy_in(night, player, row.chips - bought, buy_in_id=buy_in_id, by=by)
    except NightClosedError:
        if counting:
            closed = problem("night", "night-closed", f"the night {planned.name} is closed")
            return [import_problem(closed, file=planned.ledger_file)]
    except RefusedError as refused:
        return [import_problem(each, file=planned.ledger_file) for each in refused.errors]
    return []


def _bought(night: Night) -> Counter[str]:
    """Return how many chips each player has bought in this night, minus chips cashed out."""
    bought: Counter[str] = Counter()
    for rows, sign in ((BuyIn.objects.all(), 1), (CashOut.objects.all(), -1)):
        made = rows.filter(night=night, posting__reversal=None)
        for name, chips in made.values_list("player__name").annotate(chips=Sum("chips")):
            bought[name] += sign * chips
    return bought
