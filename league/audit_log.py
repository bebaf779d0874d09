"""Read and write the log of users' actions in a league. No other module writes it.

Hands, chips, charges, closings and payments already record their users in rows that can't be
changed either. The log reads those rows instead of storing the actions again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nlargest
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext

from league.common.money import in_money
from league.journal import entries
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChipCount,
    Closing,
    Erasure,
    FormerName,
    HouseGameVersion,
    HouseRule,
    League,
    LogbookEntry,
    Membership,
    NightSeries,
    Objection,
    ObjectionAnswer,
    Payment,
    PaymentPlan,
    PaymentReplacement,
    PaymentStep,
    PlannedNight,
    PlannedPayment,
    Player,
    Revision,
    Tournament,
    User,
)
from ledger.models import Posting

Kind = LogbookEntry.Kind
MOST = 100
OF_EXCHANGES = ("night", "player", "banker", "made_by")
ACTOR = "user:"  # prefix of the actor in `accounts.actor_of`
# Account actions by members. Members' other actions outside the league are not shown.
AT_THE_DOOR = (
    Kind.SIGNED_IN,
    Kind.WRONG_PASSWORD,
    Kind.LOCKED_OUT,
    Kind.PASSWORD_CHANGED,
    Kind.PASSWORD_RESET,
    Kind.PASSWORD_LINK_USED,
    Kind.USERNAME_CHANGED,
    Kind.EMAIL_CHANGED,
    Kind.SECOND_FACTOR_ADDED,
    Kind.SECOND_FACTOR_REMOVED,
    Kind.RECOVERY_CODES_MADE,
    Kind.PASSKEY_ADDED,
    Kind.PASSKEY_REMOVED,
    Kind.PUSH_ADDED,
    Kind.PUSH_ENDED,
    Kind.SESSIONS_ENDED,
    Kind.SIGN_IN_LINKED,
    Kind.SIGN_IN_UNLINKED,
    Kind.PAYMENT_METHOD_ADDED,
    Kind.PAYMENT_METHOD_REMOVED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAction:
    """An action. `by` and `of` are None if no user was involved.

    `worth` is the value of `about["chips"]` in money, with the currency, if that is known. `detail`
    contains what the page shows in addition to `about`, which the API returns.
    """

    at: datetime
    kind: str
    by: User | None = None
    of: User | None = None
    about: dict[str, Any] = field(default_factory=dict)
    worth: str = ""
    detail: dict[str, Any] = field(default_factory=dict)


@transaction.atomic
def log_action(
    kind: LogbookEntry.Kind,
    *,
    by: User | None,
    league: League | None = None,
    of: User | None = None,
    **about: Any,
) -> None:
    """Log an action.

    The transaction must not lock any other rows afterwards (`league.journal.entries`).
    """
    entry = LogbookEntry.objects.create(kind=kind, league=league, made_by=by, of=of, about=about)
    entries.append(league, entries.Kind.NOTED, LogbookEntry.objects.filter(pk=entry.pk))


def logged_actions(
    league: League,
    *,
    before: datetime | None = None,
    most: int = MOST,
    only_money: bool = False,
) -> list[LoggedAction]:
    """Return up to `most` actions in the league, latest first."""
    actions: list[LoggedAction] = []
    for source in MONEY if only_money else (*MONEY, *OTHERS):
        actions += source(league, before, most)
    return nlargest(most, actions, key=lambda each: each.at)


def _entries(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    members = Membership.objects.filter(league=league).values("user")
    own = Q(league=league) | Q(league=None, kind__in=AT_THE_DOOR, made_by__in=members)
    own |= Q(league=None, made_by=None, of__in=members)  # actions by the operator
    rows = LogbookEntry.objects.filter(own).select_related("made_by", "of")
    latest = list(_latest(rows, before, most))
    names = _current_names(league, latest)
    renamings = _renamings(league, [row for row in latest if row.kind == Kind.PLAYER_RENAMED])
    for row in latest:
        about, detail = row.about, renamings.get(row.pk, {})
        if row.kind == Kind.PLAYER_RENAMED:
            about = {}
        elif ids := about.get("players"):
            known = [names[key] for key in ids if key in names]
            about = about | {"players": ", ".join(known) or gettext("a former player")}
        elif key := about.get("tournament"):
            about = about | names.get(key, {"tournament": gettext("Tournament")})
        yield LoggedAction(
            at=row.made_at, kind=row.kind, by=row.made_by, of=row.of, about=about, detail=detail
        )


def _renamings(league: League, page: Sequence[LogbookEntry]) -> dict[int, dict[str, str]]:
    """Return the old and the new name of players renamed on a page, if both are still known.

    Entries refer to the stored former name. The new name is the old name of the player's next
    renaming, which may be on a later page, or else the current name.
    """
    if not page:
        return {}
    players = {row.about["player"] for row in page if "player" in row.about}
    rows = LogbookEntry.objects.filter(
        league=league,
        kind=Kind.PLAYER_RENAMED,
        about__player__in=players,
        made_at__gte=min(row.made_at for row in page),
    ).order_by("-made_at", "-pk")
    former = FormerName.objects.filter(pk__in={row.about["former"] for row in rows})
    known = {(pk, str(key)): name for pk, key, name in former.values_list("pk", "player", "name")}
    current = Player.objects.filter(league=league, pk__in=players).values_list("pk", "name")
    names: dict[str, str | None] = {str(pk): name for pk, name in current}
    renamings = {}
    for row in rows:
        player = row.about["player"]
        old, new = known.get((row.about["former"], player)), names.get(player)
        if old and new:
            renamings[row.pk] = {"old": old, "new": new}
        names[player] = old
    return renamings


def _current_names(league: League, entries: Iterable[LogbookEntry]) -> dict[str, Any]:
    """Return the names of players, and of tournaments with their nights, by their ids.

    Entries refer to ids, because names can be changed and erased.
    """
    about = [entry.about for entry in entries]
    players = {key for each in about for key in each.get("players", ())}
    tournaments = {each["tournament"] for each in about if "tournament" in each}
    names: dict[str, Any] = {}
    if players:
        named = Player.objects.filter(league=league, pk__in=players)
        names |= {str(pk): name for pk, name in named.values_list("pk", "name")}
    if tournaments:
        rows = Tournament.objects.filter(night__season__league=league, pk__in=tournaments)
        for row in rows.select_related("night"):
            names[str(row.pk)] = _of_night(row.night) | {"tournament": str(row)}
    return names


def _hands(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Revision.objects.filter(hand__night__season__league=league, number__gt=1)
    for row in _latest(rows.select_related("hand__night", "made_by"), before, most):
        about = _of_night(row.hand.night) | {"hand": row.hand.number, "reason": row.reason}
        kind = "hand-voided" if row.voids else "hand-revised"
        yield LoggedAction(at=row.made_at, kind=kind, by=row.made_by, about=about)


def _objections(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Objection.objects.filter(hand__night__season__league=league)
    for row in _latest(rows.select_related("hand__night", "made_by"), before, most):
        about = _of_night(row.hand.night) | {"hand": row.hand.number, "reason": row.reason}
        yield LoggedAction(at=row.made_at, kind="hand-objected", by=row.made_by, about=about)


def _answers(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = ObjectionAnswer.objects.filter(objection__hand__night__season__league=league)
    rows = rows.select_related("objection__hand__night", "made_by")
    for row in _latest(rows, before, most):
        hand = row.objection.hand
        about = _of_night(hand.night) | {"hand": hand.number, "reason": row.text}
        kind = f"objection-{row.kind}"
        yield LoggedAction(at=row.made_at, kind=kind, by=row.made_by, about=about)


def _house_rules(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = HouseRule.objects.filter(league=league).select_related("made_by")
    for row in _latest(rows, before, most):
        about = {"topic": row.topic, "version": row.number}
        yield LoggedAction(at=row.made_at, kind="house-rules", by=row.made_by, about=about)


def _house_games(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = HouseGameVersion.objects.filter(game__league=league).annotate(made_at=F("written_at"))
    for row in _latest(rows.select_related("game", "written_by"), before, most):
        about = {"game": row.game.name, "version": row.number}
        yield LoggedAction(at=row.written_at, kind="house-game", by=row.written_by, about=about)


def _planned_nights(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    """Yield the nights and series that were planned. The nights of a series are not listed."""
    nights = PlannedNight.objects.filter(league=league, series=None).select_related("made_by")
    for night in _latest(nights, before, most):
        day = timezone.localdate(night.starts_at, ZoneInfo(league.time_zone))
        about = {"day": day.isoformat()}
        yield LoggedAction(at=night.made_at, kind="planned-night", by=night.made_by, about=about)
    series = NightSeries.objects.filter(league=league).select_related("made_by")
    for row in _latest(series, before, most):
        about = {"day": row.starts_on.isoformat()}
        yield LoggedAction(at=row.made_at, kind="night-series", by=row.made_by, about=about)


def _closings(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Closing.objects.filter(league=league).select_related("night", "made_by")
    for row in _latest(rows, before, most):
        about = _of_night(row.night) | {"reason": row.reason}
        yield LoggedAction(at=row.made_at, kind="night-closed", by=row.made_by, about=about)


def _reopened(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Posting.objects.filter(book=league.book_id, reverses__closing__isnull=False)
    rows = rows.select_related("reverses__closing__night")
    for row, by in _with_users(_latest(rows, before, most)):
        about = _of_night(row.reverses.closing.night) if row.reverses else {}
        yield LoggedAction(at=row.made_at, kind="night-reopened", by=by, about=about)


def _buy_ins(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = BuyIn.objects.filter(night__season__league=league)
    for row in _latest(rows.select_related(*OF_EXCHANGES), before, most):
        yield _exchange(row, kind="buy-in", at=row.made_at, by=row.made_by)


def _cash_outs(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = CashOut.objects.filter(night__season__league=league)
    for row in _latest(rows.select_related(*OF_EXCHANGES), before, most):
        yield _exchange(row, kind="cash-out", at=row.made_at, by=row.made_by)


def _undone_exchanges(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    for name in ("buy_in", "cash_out"):
        at = f"reverses__{name}"
        rows = Posting.objects.filter(book=league.book_id, **{f"{at}__isnull": False})
        rows = rows.select_related(*(f"{at}__{each}" for each in OF_EXCHANGES[:-1]))
        kind = f"{name.replace('_', '-')}-undone"
        for row, by in _with_users(_latest(rows, before, most)):
            yield _exchange(getattr(row.reverses, name), kind=kind, at=row.made_at, by=by)


def _exchange(row: BuyIn | CashOut, *, kind: str, at: datetime, by: User | None) -> LoggedAction:
    about = _of_night(row.night) | {"player": str(row.player), "chips": row.chips}
    if row.banker:
        about["banker"] = str(row.banker)
    worth = in_money(row.chips, row.night)
    return LoggedAction(at=at, kind=kind, by=by, about=about, worth=worth)


def _counts(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = ChipCount.objects.filter(night__season__league=league)
    rows = rows.select_related("night", "player", "made_by")
    for row in _latest(rows, before, most):
        about = _of_night(row.night) | {"player": str(row.player)}
        if row.chips is None:
            yield LoggedAction(at=row.made_at, kind="count-removed", by=row.made_by, about=about)
            continue
        about["chips"] = row.chips
        worth = in_money(row.chips, row.night)
        yield LoggedAction(
            at=row.made_at, kind="chip-count", by=row.made_by, about=about, worth=worth
        )


def _charges(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Charge.objects.filter(night__season__league=league)
    rows = _with_chips(rows.select_related("night", "made_by"))
    for row in _latest(rows, before, most):
        yield _charge(row, kind="charge", at=row.made_at, by=row.made_by)


def _tournaments(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Tournament.objects.filter(night__season__league=league)
    for row in _latest(rows.select_related("night", "made_by"), before, most):
        about = _of_night(row.night) | {"tournament": str(row)}
        yield LoggedAction(at=row.made_at, kind="tournament-made", by=row.made_by, about=about)


def _undone_charges(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Posting.objects.filter(book=league.book_id, reverses__charge__isnull=False)
    undone = _with_users(_latest(rows.select_related("reverses"), before, most))
    charges = _with_chips(Charge.objects.select_related("night"))
    charges = charges.filter(posting__in=[row.reverses_id for row, _ in undone])
    of_postings = {charge.posting_id: charge for charge in charges}
    for row, by in undone:
        yield _charge(of_postings[row.reverses_id], kind="charge-undone", at=row.made_at, by=by)


def _with_chips(charges: "QuerySet[Charge]") -> "QuerySet[Any]":
    """Annotate charges with the chips that move. A payment to or from the fund has one side."""
    return charges.annotate(chips=Greatest(Sum("shares__gets"), Sum("shares__owes")))


def _charge(row: Any, *, kind: str, at: datetime, by: User | None) -> LoggedAction:
    about = _of_night(row.night) | {"chips": row.chips}
    worth = in_money(row.chips, row.night)
    if row.kind == Charge.Kind.TOURNAMENT:
        kind = {"charge": "tournament-ended", "charge-undone": "tournament-resumed"}[kind]
        about["tournament"] = row.title or gettext("Tournament")
    else:
        about |= {"charge": row.kind, "reason": row.title}
    return LoggedAction(at=at, kind=kind, by=by, about=about, worth=worth)


def _payments(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = PaymentStep.objects.visible().filter(payment__planned__plan__season__league=league)
    # A promise that was repeated after an undone receipt keeps its time.
    rows = rows.filter(made_at__gte=F("payment__made_at"))
    rows = rows.select_related(
        "payment__planned__payer", "payment__planned__payee", "payment__planned__plan", "made_by"
    )
    for row in _latest(rows, before, most):
        planned = row.payment.planned
        about = {"payer": str(planned.payer), "payee": str(planned.payee)}
        about |= {"chips": row.payment.chips}
        worth = in_money(row.payment.chips, planned.plan)
        was_received = row.state == Payment.State.WITHDRAWN and row.payment.posting_id
        yield LoggedAction(
            at=row.made_at,
            kind=f"payment-{row.state}",
            by=row.made_by,
            about=about,
            worth=worth,
            detail={"undone": Payment.State.CONFIRMED} if was_received else {},
        )


def _season_plans(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    """Yield the plans by settling a season that changed payments. Corrections make plans, too."""
    corrections = Closing.objects.filter(league=league, number__gt=1, plan=None)
    of_corrections = [PaymentPlan.id_of(pk) for pk in corrections.values_list("pk", flat=True)]
    of_plan = {"plan": OuterRef("pk")}
    changes = Exists(PlannedPayment.objects.filter(**of_plan))
    replaces = Exists(PaymentReplacement.objects.filter(**of_plan))
    rows = PaymentPlan.objects.filter(changes | replaces, season__league=league, closing=None)
    rows = rows.exclude(pk__in=of_corrections)
    for row in _latest(rows.select_related("season", "made_by"), before, most):
        about = {"season": row.season.name}
        yield LoggedAction(at=row.made_at, kind="season-planned", by=row.made_by, about=about)


def _erasures(league: League, before: datetime | None, most: int) -> Iterator[LoggedAction]:
    rows = Erasure.objects.filter(player__league=league).select_related("made_by")
    for row in _latest(rows, before, most):
        yield LoggedAction(at=row.made_at, kind="erased", by=row.made_by)


MONEY = (
    _buy_ins,
    _cash_outs,
    _undone_exchanges,
    _counts,
    _charges,
    _undone_charges,
    _closings,
    _reopened,
    _payments,
    _season_plans,
)
OTHERS = (
    _entries,
    _hands,
    _objections,
    _answers,
    _tournaments,
    _house_games,
    _house_rules,
    _planned_nights,
    _erasures,
)


def _of_night(night: Any) -> dict[str, Any]:
    return {"night": str(night), "night_id": str(night.pk)}


def _latest(rows: "QuerySet[Any]", before: datetime | None, most: int) -> "QuerySet[Any]":
    rows = rows.filter(made_at__lt=before) if before else rows
    return rows.order_by("-made_at", "-pk")[:most]


def _with_users(rows: "QuerySet[Posting]") -> list[tuple[Posting, User | None]]:
    """Return the postings with their users. A posting stores the id of its user as a string."""
    postings = list(rows)
    ids = {row.pk: int(row.actor.removeprefix(ACTOR)) for row in postings if row.actor}
    users = User.objects.in_bulk(set(ids.values()))
    return [(row, users.get(ids.get(row.pk, 0))) for row in postings]
