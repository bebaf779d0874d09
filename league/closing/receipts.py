"""A night's receipt with results, hands and payments. Anyone with its link can see it."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from league.audit_log import Kind
from league.closing.payments import not_replaced
from league.common.crypto import hashed
from league.common.errors import problem, refuse
from league.common.money import worth
from league.common.text import safe_cell
from league.hands.objections import objections_of
from league.models import (
    Charge,
    ChipCount,
    Closing,
    ClosingLine,
    Night,
    Objection,
    PlannedPayment,
    Player,
    ReceiptLink,
    Revision,
    User,
)
from league.nights.nights import DOCUMENT, hands
from league.nights.share_links import create_link, revoke_links
from league.proofs.signing import former_names, proof_of
from league.proofs.verification import Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The receipt of a closed night.

    `closing` is the closing in effect. `closings` contains all closings, oldest first. `former`
    maps players who were renamed since to their names in this closing, and `renamed` maps those on
    a receipt with signed names to their new names. `box` is the cash left in the cash box by the
    night, in chips, or None if it was not used.
    """

    night: Night
    closing: Closing
    closings: list[Closing]
    lines: list[ClosingLine]
    former: dict[UUID, str]
    box: int | None
    charges: list[Charge]
    hands: list[Revision]
    payments: list[PlannedPayment]
    objections: list[Objection]
    renamed: dict[UUID, str] = field(default_factory=dict)

    def proof(self) -> Proof | None:
        """Return the proof of the current closing, or None if it is not signed."""
        return proof_of(self.closing)

    def players(self) -> Iterator[Player]:
        """Yield the players of all rows, except the records of hands."""
        yield from (line.player for line in self.lines)
        for charge in self.charges:
            yield from (share.player for share in charge.shares.all())
            if charge.keeper:
                yield charge.keeper
        yield from (objection.player for objection in self.objections)
        for payment in self.payments:
            yield from (payment.payer, payment.payee)


def share(night: Night, *, by: User | None) -> str:
    """Create a link to the night's receipt and return its token, which is not stored.

    Raises RefusedError while the night is open.
    """
    closed = Night.objects.filter(pk=night.pk, state=Night.State.CLOSED).exists()
    refuse(() if closed else [problem("night", "night-open", "the night is not closed")])
    return create_link(ReceiptLink(night=night, made_by=by), Kind.RECEIPT_SHARED, night)


def unshare(night: Night, *, by: User | None = None) -> int:
    """Revoke all links to the night's receipt and return their number."""
    return revoke_links(night.receipt_links.all(), Kind.RECEIPT_UNSHARED, night, by=by)


def is_shared(night: Night) -> bool:
    return night.receipt_links.filter(revoked_at=None).exists()


def shared_night(token: str) -> Night | None:
    """Return the closed night whose receipt the token opens, or None."""
    links = ReceiptLink.objects.filter(token_hash=hashed(token), revoked_at=None)
    link = links.select_related("night__season__league__book").first()
    return link.night if link and link.night.state == Night.State.CLOSED else None


def receipt(night: Night) -> Receipt | None:
    """Return the night's receipt, or None while the night is open."""
    closings = list(night.closings.order_by("number"))
    current = Closing.objects.filter(night=night, posting__reversal=None).first()
    if current is None:
        return None
    charges = Charge.objects.filter(night=night, posting__reversal=None).order_by("made_at", "pk")
    return Receipt(
        night=night,
        closing=current,
        closings=closings,
        lines=list(player_lines(current)),
        former=former_names(current),
        box=left_in_box(current),
        charges=list(charges.select_related("keeper").prefetch_related("shares__player")),
        hands=list(hands(night).defer(DOCUMENT)),
        payments=list(payments_of(night)),
        objections=list(objections_of(night)),
    )


def signed_receipt(night: Night) -> Receipt | None:
    """Return the receipt with the names of the players in its closing, or None if there is none.

    The records of hands keep the new names.
    """
    made = receipt(night)
    if made:
        for player in made.players():
            if player.pk in made.former:
                made.renamed.setdefault(player.pk, player.name)
                player.name = made.former[player.pk]
    return made


def player_lines(closing: Closing) -> QuerySet[ClosingLine]:
    """Return the players' lines of a closing, in seat order."""
    lines = closing.lines.filter(player__is_box=False).select_related("player")
    return with_corrections(lines.order_by("position", "player__name"))


def with_corrections(lines: QuerySet[ClosingLine]) -> QuerySet[ClosingLine]:
    """Set `changed` of the lines: the change of the expected chips since the count was settled.

    The first closing after the count that has the same chips and difference settled the count.
    """
    counts = ChipCount.objects.filter(
        night=OuterRef("closing__night"), player=OuterRef("player")
    ).order_by("-number")
    borne = ClosingLine.objects.filter(closing=OuterRef("closing")).values("closing")
    missing = Subquery(borne.values(chips=Sum("bears")))  # of all players
    same = ("closing__night", "player", "counted", "bought", "cashed", "missing")
    settled = (
        ClosingLine.objects.alias(missing=missing)
        .filter(
            closing__made_at__gte=Coalesce(
                Subquery(counts.values("made_at")[:1]), F("closing__made_at")
            ),
            **{name: OuterRef(name) for name in same},
        )
        .order_by("closing__number")
    )
    expected = F("stack") + F("back")
    before = settled.annotate(expected=expected).values("expected")[:1]
    lines = lines.alias(missing=missing)
    return lines.annotate(changed=expected - Coalesce(Subquery(before), expected))


def left_in_box(closing: Closing) -> int | None:
    """Return the cash left in the cash box by the night, in chips, or None if it was not used."""
    line = closing.lines.filter(player__is_box=True).first()
    return None if line is None else -line.cash - line.charged


def payments_of(night: Night) -> QuerySet[PlannedPayment]:
    """Return the night's planned payments that are not replaced in full, first plan first."""
    rows = not_replaced().filter(plan__closing__night=night)
    rows = rows.select_related("payer", "payee", "plan__closing")
    return rows.prefetch_related("paid", "replacements").order_by(
        "plan__closing__number", "position"
    )


def as_csv(made: Receipt) -> str:
    """Return a receipt with signed names as a CSV file with a table for each kind of row."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in _rows(made):
        writer.writerow([safe_cell(cell) for cell in row])
    return out.getvalue()


def _rows(made: Receipt) -> Iterator[Iterable[object]]:
    yield from _player_rows(made)
    if made.charges:
        yield ()
        yield ("charge", "for", "player", "gets", "owes", "keeper")
        yield from _charge_rows(made.charges)
    yield ()
    yield ("hand", "game", "state", "player", "net")
    for revision in made.hands:
        state = "voided" if revision.hand.voided else revision.depth
        for name, chips in revision.answer["net"].items():
            net = 0 if revision.hand.voided else chips
            signed = made.former.get(UUID(revision.names[name]), name)
            yield (revision.hand.number, revision.document.name, state, signed, net)
    if made.box is not None:
        yield ()
        yield ("in the cash box", made.box)
    yield ()
    yield ("payer", "payee", "chips", "still open")
    for payment in made.payments:
        yield (payment.payer.name, payment.payee.name, payment.due, payment.open_chips())
    if made.objections:
        yield ()
        yield ("objection to hand", "player", "reason", "answer", "text")
        for row in made.objections:
            answer = row.final_answer
            words = (answer.kind, answer.text) if answer else ("open", "")
            yield (row.hand.number, row.player.name, row.reason, *words)
    yield ()
    yield ("hash", made.closing.hash)


def _charge_rows(charges: Iterable[Charge]) -> Iterator[Iterable[object]]:
    """Yield the shares of each charge. What players owe and get, with the season fund, is equal."""
    for charge in charges:
        for share in charge.shares.all():
            yield (charge.kind, charge.title, share.player.name, share.gets, share.owes, "")
        if charge.fund:
            fund = (max(charge.fund, 0), max(-charge.fund, 0))
            yield (charge.kind, charge.title, "season fund", *fund, charge.keeper)


def _player_rows(made: Receipt) -> Iterator[Iterable[object]]:
    night = made.night
    yield (
        "player",
        "bought",
        "cashed out",
        "at the end",
        "counted",
        "difference",
        "tournaments",
        "net",
        night.currency,
        "paid in cash",
        "costs and bets",
        "to settle",
        "paid to the wrong player",
        "share of the difference",
    )
    for line in made.lines:
        counted = "" if line.counted is None else line.counted
        money = worth(line.net, night).replace(",", "")
        chips = (line.bought, line.cashed, line.chips, counted, line.excess)
        settled = (line.cash, line.charged, line.settles, line.put_right, line.bears)
        yield (line.player.name, *chips, line.in_tournaments, line.net, money, *settled)
