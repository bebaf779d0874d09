"""A league's options, such as closing hour, settlement, banker, currency and chips.

A chip keeps its value from purchase to payment. The chip value can change only while there are no
debts, and the new value applies to nights that begin later.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.db import transaction
from django.db.models import TextChoices

from league.audit_log import Kind, log_action
from league.change_version import bump_league_and_nights
from league.chips import ChipSet, by_value, wrong_chip_set
from league.closing.payments import unpaid
from league.common.errors import Problem, problem, refuse, wrong_number
from league.common.locks import lock_league
from league.jobs import closing_jobs
from league.models import (
    MOST_CHIPS,
    Corrections,
    Inviters,
    JoinedAccess,
    League,
    LeftoverPolicy,
    LimitPolicy,
    Night,
    Player,
    SettlementPeriod,
    UncountedPolicy,
    User,
)
from league.models.people import USUAL_CHARGE_LIMIT, usual_chips
from league.people.leagues import wrong_terms
from ledger.balances import balances

USUAL_CHIPS = tuple(usual_chips())
MOST_DENOMINATIONS = 6  # how many fit side by side on a phone
MOST_REBUYS = 500  # as many as a night has buy-ins
MOST_BETWEEN_BOMB_POTS = 200  # more hands than most nights have
MOST_LEAVE_NOTICE = 240  # minutes, about as long as a night


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All options of a league. `models.League` describes the options."""

    closing_hour: int = 6
    settles: str = SettlementPeriod.NIGHT
    uncounted: str = UncountedPolicy.WAIT
    leftover: str = LeftoverPolicy.BACK
    banker: Player | None = None
    time_zone: str = "UTC"
    currency: str = "USD"
    chip_value: int = 1
    joined: str = JoinedAccess.RECORD
    corrections: str = Corrections.HOSTS
    inviters: str = Inviters.HOSTS
    approves: bool = False
    denominations: Sequence[int] = USUAL_CHIPS
    chip_set: ChipSet = ()
    waits_below: int = 0
    seven_deuce: int = 0
    high_hand: int = 0
    season_high_hand: int = 0
    bad_beat: int = 0
    fund_each: int = 0
    fund_keeper: Player | None = None
    stand_up: int = 0
    bomb_pot_every: int = 0
    bomb_pot_ante: int = 0
    charge_limit: int = USUAL_CHARGE_LIMIT
    least_buy_in: int = 0
    most_buy_in: int = 0
    most_rebuys: int | None = None
    match_biggest_stack: bool = False
    leave_notice: int = 0
    limits: str = LimitPolicy.WARN


CHIPS_OR_NONE = (
    "charge_limit",
    "waits_below",
    "seven_deuce",
    "high_hand",
    "season_high_hand",
    "bad_beat",
    "fund_each",
    "stand_up",
    "bomb_pot_ante",
    "least_buy_in",
    "most_buy_in",
)
MOST = {"bomb_pot_every": MOST_BETWEEN_BOMB_POTS, "leave_notice": MOST_LEAVE_NOTICE}
FROM_FUND = ("season_high_hand", "bad_beat", "fund_each")
UNLOGGED_VALUES = {"banker", "fund_keeper", "chip_set", "denominations"}
_NAMES = tuple(each.name for each in fields(Options))


def options_of(league: League) -> Options:
    return Options(**{name: getattr(league, name) for name in _NAMES})


@transaction.atomic
def choose(league: League, options: Options, *, by: User | None = None) -> League:
    """Replace all of the league's options. Open nights close at the new hour.

    Raises RefusedError.
    """
    return _save(_locked(league), options, by=by)


@transaction.atomic
def change(league: League, changes: Mapping[str, Any], *, by: User | None = None) -> League:
    """Change these options. The others keep their current values, even if they just changed.

    Raises RefusedError.
    """
    league = _locked(league)
    return _save(league, replace(options_of(league), **changes), by=by)


def _locked(league: League) -> League:
    """Lock and reload the league, so that no night is opened or closed."""
    bump_league_and_nights(league)  # locks the open nights
    return lock_league(league.pk)


def _save(league: League, options: Options, *, by: User | None) -> League:
    refuse([*_problems(league, options), *_wrong_money(league, options)])
    options = replace(options, chip_set=by_value(options.chip_set))
    changed = [name for name in _NAMES if _differ(league, options, name)]
    # The log is permanent, so it must not contain names. Players are settings too.
    values = {name: [getattr(league, name), getattr(options, name)] for name in changed}
    values = {name: pair for name, pair in values.items() if name not in UNLOGGED_VALUES}
    moved = _differ(league, options, "closing_hour", "time_zone")
    for name in _NAMES:
        setattr(league, name, getattr(options, name))
    league.save(update_fields=_NAMES)
    if moved:
        closing_jobs.reschedule(league)
    if changed:
        names = ", ".join(changed)
        log_action(Kind.OPTIONS_CHANGED, by=by, league=league, changed=names, values=values)
    return league


def _differ(league: League, options: Options, *names: str) -> bool:
    return any(
        _stored_value(getattr(league, name)) != _stored_value(getattr(options, name))
        for name in names
    )


def _stored_value(value: object) -> object:
    """Return the value as it is stored.

    Pages pass denominations as a tuple, but the model stores a list.
    """
    return list(value) if isinstance(value, tuple) else value


def _wrong_money(league: League, options: Options) -> Iterator[Problem]:
    """Yield the reasons why the chip value can't change now.

    It can't change while there are debts, because chips of different values can't be added.
    """
    for name in ("chip_value", "currency"):
        if not _differ(league, options, name):
            continue
        for night in Night.objects.filter(season__league=league, state=Night.State.OPEN):
            yield problem(name, "night-open", f"this can change once {night} is closed")
        planned = unpaid().filter(plan__season__league=league)
        owed = [balances(league.book, kind=kind, nonzero=True) for kind in ("tab", "fund")]
        if planned.exists() or any(owed):
            yield problem(name, "owed", "this can change once all payments are received")


def _problems(league: League, options: Options) -> Iterator[Problem]:
    yield from wrong_settling(options)
    yield from _not_among(JoinedAccess, "joined", options.joined)
    yield from _not_among(Corrections, "corrections", options.corrections)
    yield from _not_among(Inviters, "inviters", options.inviters)
    approves: object = options.approves
    if not isinstance(approves, bool):
        yield problem("approves", "bad-option", "this must be true or false")
    chips: Sequence[object] = options.denominations
    if not 1 <= len(chips) <= MOST_DENOMINATIONS or len(set(chips)) < len(chips):
        text = f"enter one to {MOST_DENOMINATIONS} chip values, each once"
        yield problem("denominations", "bad-chips", text)
    if not all(type(each) is int and 1 <= each <= MOST_CHIPS for each in chips):
        yield problem("denominations", "bad-chips", "each chip value must be a whole number")
    yield from wrong_chip_set(options.chip_set)
    for name in CHIPS_OR_NONE:
        yield from wrong_number(name, getattr(options, name), 0, MOST_CHIPS, code="bad-chips")
    for name, most in MOST.items():
        yield from wrong_number(name, getattr(options, name), 0, most, code="bad-number")
    if any(getattr(options, name) for name in FROM_FUND) and options.fund_keeper is None:
        yield problem("fund_keeper", "no-keeper", "choose a player who keeps the fund")
    yield from _wrong_limits(options)
    for name in ("banker", "fund_keeper"):
        player = getattr(options, name)
        if player is not None and player.league_id != league.pk:
            yield problem(name, "unknown-player", "the league has no such player")


def _wrong_limits(options: Options) -> Iterator[Problem]:
    yield from _not_among(LimitPolicy, "limits", options.limits)
    match: object = options.match_biggest_stack
    if not isinstance(match, bool):
        yield problem("match_biggest_stack", "bad-option", "this must be true or false")
    rebuys: object = options.most_rebuys
    if rebuys is not None and not (type(rebuys) is int and 0 <= rebuys <= MOST_REBUYS):
        text = f"this must be empty or a whole number from 0 to {MOST_REBUYS}"
        yield problem("most_rebuys", "bad-number", text)
    least, most = options.least_buy_in, options.most_buy_in
    if type(least) is type(most) is int and 0 < most < least:
        yield problem("most_buy_in", "bad-chips", "this can't be below the smallest stack")


def wrong_settling(options: Options) -> Iterator[Problem]:
    """Yield the problems with the currency, the time zone and the closing hour."""
    yield from wrong_terms(options.currency, options.time_zone, options.chip_value)
    yield from wrong_number("closing_hour", options.closing_hour, 0, 23, code="bad-hour")
    yield from _not_among(SettlementPeriod, "settles", options.settles)
    yield from _not_among(UncountedPolicy, "uncounted", options.uncounted)
    yield from _not_among(LeftoverPolicy, "leftover", options.leftover)


def _not_among(choices: type[TextChoices], where: str, value: object) -> Iterator[Problem]:
    if value not in choices.values:
        valid = " or ".join(choices.values)
        yield problem(where, "bad-option", f"this is {valid}")
