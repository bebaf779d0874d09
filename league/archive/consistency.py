"""What the rows of a season's file must say of each other, as a league's writers see to it; and
whether the books leave nothing out: what has moved, and what should have.
"""

from collections.abc import Callable, Hashable, Iterable

from league.archive.books import Playing
from league.archive.reading import Errors, Row, SeasonContent
from league.models import Payment
from league.stats.figures.points import Option, wrong_option

SEATED = ("BuyIn", "CashOut", "Count")
# What each row of a table moves.
TOLD_ONCE = {"BuyIn": "buy-in", "CashOut": "cash-out", "Charge": "charge", "Closing": "closing"}
# What may be said of a payment after what.
State = Payment.State
STEPS: dict[str | None, tuple[str, ...]] = {
    None: (State.PROMISED,),
    State.PROMISED: (State.CONFIRMED, State.DISPUTED, State.WITHDRAWN),
    State.DISPUTED: (State.CONFIRMED, State.WITHDRAWN),
    State.CONFIRMED: (State.WITHDRAWN,),
    State.WITHDRAWN: (),
}


def check_rows(content: SeasonContent, errors: Errors) -> None:
    """Note every row that does not fit the others."""
    _season(content, errors)
    _players(content, errors)
    _seats(content, errors)
    _pots(content, errors)
    _hands(content, errors)
    _plans(content, errors)
    _payments(content, errors)


def _season(content: SeasonContent, errors: Errors) -> None:
    rows = list(content.of("Season"))
    if len(rows) != 1:
        errors.add(rows[1].line if rows else 1, "", "not-whole", "a file is of one season")
        return
    row = rows[0]
    if row["ends_on"] and row["ends_on"] < row["starts_on"]:
        errors.add(row.line, "ends_on", "bad-time", "a season ends after it has begun")
    option = Option(
        scoring=row["scoring"], points=tuple(row["points"]), best_nights=row["best_nights"]
    )
    for each in wrong_option(option):
        errors.add(row.line, each["where"], each["code"], each["text"])


def _players(content: SeasonContent, errors: Errors) -> None:
    _once(content.of("Player"), "name", lambda row: row["name"].lower(), errors)


def _once(rows: Iterable[Row], where: str, key: Callable[[Row], Hashable], errors: Errors) -> None:
    seen = set()
    for row in rows:
        said = key(row)
        if said is not None and said in seen:
            errors.add(row.line, where, "told-twice", "another row says the same")
        seen.add(said)


def _seats(content: SeasonContent, errors: Errors) -> None:
    taken = (row for row in content.of("Seat") if row["left_at"] is None)
    _once(taken, "position", lambda row: (row["night"], row["position"]), errors)
    seated = {(row["night"], row["player"]) for row in content.of("Seat")}
    for name in SEATED:
        for row in content.of(name):
            if (row["night"], row["player"]) not in seated:
                errors.add(row.line, "player", "unknown-player", "there is no seat at this night")
    for row in content.of("Revision"):
        night = content.row("Hand", row["hand"])["night"]
        players = list((row["names"] or {}).values())
        if any((night, player) not in seated for player in players):
            errors.add(row.line, "names", "unknown-player", "there is no seat at this night")
        if len(set(players)) < len(players):
            errors.add(row.line, "names", "told-twice", "one player has two names in this hand")


def _pots(content: SeasonContent, errors: Errors) -> None:
    for row in content.of("Night"):
        for place, pot in enumerate(row["opening_pots"]):
            before = pot["from"] and content.row("Night", pot["from"])["number"]
            if before and before >= row["number"]:
                where = f"opening_pots/{place}/from"
                errors.add(row.line, where, "bad-pot", "a pot comes from a night before")


def _hands(content: SeasonContent, errors: Errors) -> None:
    """A hand has revisions from 1 on; one that takes it back says nothing of its own."""
    revisions = content.grouped("Revision", "hand")
    for hand in content.of("Hand"):
        mine = sorted(revisions.get(hand.number, []), key=lambda row: row["number"])
        if not mine:
            errors.add(hand.line, "", "not-whole", "nothing is told of this hand")
        voided = True  # there was none before the first
        for number, row in enumerate(mine, start=1):
            if row["number"] != number:
                errors.add(row.line, "number", "not-whole", f"revision {number} is missing")
            if row["voids"] and voided:
                errors.add(row.line, "voids", "bad-revision", "there is nothing to take back")
            voided = row["voids"]
            _revision(row, errors)


def _revision(row: Row, errors: Errors) -> None:
    for name in ("record", "names", "answer"):
        if (row[name] is None) != row["voids"]:
            text = "a hand that is taken back tells none" if row["voids"] else "this is missing"
            errors.add(row.line, name, "bad-revision", text)
    if row["voids"] and row["document"] is not None:
        errors.add(row.line, "document", "bad-revision", "a hand that is taken back tells none")


def _plans(content: SeasonContent, errors: Errors) -> None:
    _once(content.of("Plan"), "closing", lambda row: row["closing"], errors)
    for row in content.of("Plan"):
        if row["closing"] and row["after"]:
            text = "of a closing, it was made with it; of the season, it is of no closing"
            errors.add(row.line, "after", "bad-plan", text)
    for row in content.of("PlannedPayment"):
        if row["payer"] == row["payee"]:
            errors.add(row.line, "payee", "bad-payment", "nobody pays oneself")


def _payments(content: SeasonContent, errors: Errors) -> None:
    steps, paid = content.grouped("PaymentStep", "payment"), content.grouped("Payment", "planned")
    for row in content.of("Payment"):
        mine = sorted(steps.get(row.number, []), key=lambda step: step["number"])
        if [step["number"] for step in mine] != list(range(1, len(mine) + 1)):
            errors.add(row.line, "", "not-whole", "a step of this payment is missing")
        if not mine or mine[-1]["state"] != row["state"]:
            errors.add(row.line, "state", "bad-payment", "its last step says otherwise")
        states = [None, *(str(step["state"]) for step in mine)]
        for step, before, state in zip(mine, states, states[1:], strict=False):
            if state not in STEPS[before]:
                errors.add(step.line, "state", "bad-payment", "this is no step from the one before")
        if row["chips"] > content.row("PlannedPayment", row["planned"])["chips"]:
            errors.add(row.line, "chips", "too-much", "so much was never planned")
    for planned in content.of("PlannedPayment"):
        confirmed = [
            row for row in paid.get(planned.number, []) if row["state"] == Payment.State.CONFIRMED
        ]
        if sum(row["chips"] for row in confirmed) > planned["chips"]:
            errors.add(planned.line, "chips", "too-much", "more was paid than was planned")


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
