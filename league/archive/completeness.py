"""Whether the books of a season's file leave nothing out: what has moved, and what should have."""

from league.archive.books import Playing
from league.archive.reading import Errors, Row
from league.models import Payment

# What each row of a table moves.
TOLD_ONCE = {"BuyIn": "buy-in", "CashOut": "cash-out", "Charge": "charge", "Closing": "closing"}


def leave_nothing_out(playing: Playing, errors: Errors) -> None:
    """Note rows whose chips have not moved, or have and should not have."""
    content, places = playing.content, playing.done.places
    for table, kind in TOLD_ONCE.items():
        for row in content.of(table):
            if (kind, row.number) not in places:
                errors.add(row.line, "", "no-posting", "its chips have not moved")
    for row in content.of("Night"):
        if row["opening_pots"] and ("pots handed on", row.number) not in places:
            errors.add(row.line, "opening_pots", "no-posting", "its chips have not moved")
    _hands_stand(playing, errors)
    steps = content.of("PaymentStep")
    came = {row["payment"] for row in steps if row["state"] == Payment.State.CONFIRMED}
    for row in content.of("Payment"):
        moved = ("payment", row.number) in places
        back = ("payment taken back", row.number) in places
        taken_back = moved and row["state"] == Payment.State.WITHDRAWN
        if (moved, back) != (row.number in came, taken_back):
            errors.add(row.line, "state", "no-posting", "its chips have moved otherwise")


def _hands_stand(playing: Playing, errors: Errors) -> None:
    """Of each hand the last revision stands, and every one has stood."""
    last = {row["hand"]: row for row in sorted(playing.content.of("Revision"), key=_by_number)}
    for row in playing.content.of("Revision"):
        if not row["voids"] and ("hand", row.number) not in playing.done.places:
            errors.add(row.line, "", "no-posting", "its chips have not moved")
    for hand, row in last.items():
        if playing.done.hands.get(hand) != (None if row["voids"] else row.number):
            errors.add(row.line, "", "no-posting", "the books have another revision of the hand")


def _by_number(row: Row) -> int:
    return int(row["number"])
