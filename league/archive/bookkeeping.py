"""Replay a season file's bookkeeping: the postings in order and the chips they moved.

The file contains the postings and their times, but not the chips that moved. The chips are computed
from the rows by the same functions that the league uses to post. Postings that are not possible at
their position in the file are rejected.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from uuid import UUID

from league.archive.closings import (
    BookkeepingError,
    Ids,
    Replay,
    ReplayedPosting,
    check_replaced,
    closed_lines,
    plan_closing,
    plan_season,
    take_over_pots,
)
from league.archive.file_format import POSTING_KINDS
from league.archive.reading import Errors, Row, SeasonContent
from league.charges.charging import MOST_SHARES, WITH_BOX, WITH_FUND, charge_transfers
from league.hands.chip_movements import closing_transfers, hand_transfers
from league.hands.findings import PriorState, chip_findings
from league.hands.validation import Verdict
from league.matches import CarryingHand, pots_after
from league.models import Charge, Hand, Payment
from league.nights import accounts
from ledger.models import NewTransfer


def play(
    content: SeasonContent, ids: Ids, settled: Mapping[int, Verdict], errors: Errors
) -> Replay:
    """Replay the file's postings and return the final state of the books. Raises RefusedError."""
    playing = Replay(content, ids, settled, errors)
    plan_season(playing, None)
    for row in content.of("Posting"):
        try:
            _post(playing, row)
        except BookkeepingError as wrong:
            errors.add(row.line, wrong.where, "bad-posting", wrong.text)
    # rows whose chips should have moved but did not, or the reverse
    places = playing.done.places
    for kind in ("buy-in", "cash-out", "charge", "closing", "pots handed on", "hand"):
        for row in content.of(POSTING_KINDS[kind].of):
            due = row.values.get("opening_pots") != [] and not row.values.get("voids")
            if due and (kind, row.number) not in places:
                where = "opening_pots" if kind == "pots handed on" else ""
                errors.add(row.line, where, "no-posting", "its chips have not moved")
    rows = sorted(content.of("Revision"), key=lambda row: int(row["number"]))
    for hand, row in {row["hand"]: row for row in rows}.items():
        if playing.done.hands.get(hand) != (None if row["voids"] else row.number):
            errors.add(row.line, "", "no-posting", "a different revision of the hand was posted")
    states = Payment.State
    steps = content.of("PaymentStep")
    confirmed = {row["payment"] for row in steps if row["state"] == states.CONFIRMED}
    for row in content.of("Payment"):
        posted = ("payment", row.number) in places
        back = ("payment taken back", row.number) in places
        withdrawn = posted and row["state"] == states.WITHDRAWN
        if (posted, back) != (row.number in confirmed, withdrawn):
            errors.add(row.line, "state", "no-posting", "its postings don't match its state")
    check_replaced(playing)
    errors.refuse()
    return playing


def _post(playing: Replay, row: Row) -> None:
    """Replay a posting of the file. Raises BookkeepingError."""
    kind, posting_kind, done = row["kind"], POSTING_KINDS[row["kind"]], playing.done
    subject = playing.content.row(posting_kind.of, row["of"])
    if row["chips"] and kind not in ("hand", "carry put right"):
        raise BookkeepingError("this posting can't have chips", "chips")
    _check_night(playing, kind, subject)
    undoes = None
    if posting_kind.undoes:
        undoes = done.places.get((posting_kind.undoes, subject.number))
        if undoes is None:
            raise BookkeepingError("the posting to undo does not exist yet")
        mirrored = done.postings[undoes].transfers
        transfers = tuple(NewTransfer(each.credit, each.debit, each.amount) for each in mirrored)
    else:
        transfers = tuple(MOVES[kind](playing, row, subject))
    if update := UPDATES.get(kind):
        update(playing, kind, subject)
    named = {name: subject.values.get(name) for name in ("number", "kind", "hand", "night")}
    if posting_kind.of == "Revision":
        named["hand"] = playing.content.row("Hand", subject["hand"])["number"]
    elif posting_kind.of == "Closing":
        named["night"] = playing.content.row("Night", subject["night"])["number"]
    done.places[kind, subject.number] = len(done.postings)
    done.postings.append(
        ReplayedPosting(
            kind=kind,
            of=subject.number,
            key=posting_kind.key.of(playing.ids[posting_kind.of][subject.number]),
            memo=posting_kind.memo.format(**named),
            transfers=transfers,
            undoes=undoes,
        )
    )
    for transfer in transfers:
        done.balances[transfer.debit.key] -= transfer.amount
        done.balances[transfer.credit.key] += transfer.amount
    if playing.box and done.balances[accounts.tab(playing.box).key] > 0:
        raise BookkeepingError("the cash box did not have enough chips")
    if kind == "closing":
        plan_closing(playing, subject)


def _check_night(playing: Replay, kind: str, subject: Row) -> None:
    """Check that the posting's night is open. The first posting of a night opens it."""
    table, done = POSTING_KINDS[kind].of, playing.done
    if table == "Payment":
        return
    if table == "Revision":
        night = playing.night_of(subject)
    else:
        night = subject.number if table == "Night" else int(subject["night"])
    if night in done.closed and kind != "closing taken back":
        raise BookkeepingError("the night was already closed at that time")
    if night in done.open and kind == "pots handed on":
        raise BookkeepingError("the night had already begun at that time")
    done.open.add(night)


# --- chip exchanges and payments ------------------------------------------------------------------


def _buy_in(playing: Replay, _row: Row, bought: Row) -> Iterable[NewTransfer]:
    payer = accounts.tab(playing.player(bought["banker"] or bought["player"]))
    yield NewTransfer(payer, playing.stack(bought), bought["chips"])


def _cash_out(playing: Replay, _row: Row, out: Row) -> Iterable[NewTransfer]:
    payee = accounts.tab(playing.player(out["banker"] or out["player"]))
    yield NewTransfer(playing.stack(out), payee, out["chips"])


def _update_counter(playing: Replay, kind: str, row: Row) -> None:
    """Update how many chips a player bought or cashed out, and a banker's cash."""
    done, night, player = playing.done, row["night"], row["player"]
    bought = kind.startswith("buy-in")
    chips = -row["chips"] if POSTING_KINDS[kind].undoes else row["chips"]
    done.add(night, player, "bought" if bought else "cashed", chips)
    if row["banker"] is not None:
        cash = chips if bought else -chips
        done.add(night, player, "cash", cash)
        done.add(night, row["banker"], "cash", -cash)
        done.beside.add((night, playing.player(row["banker"])))
    if kind == "cash-out":
        done.cashed_out.setdefault((night, player), []).append(len(done.postings))
    elif kind == "cash-out undone":
        done.cashed_by_mistake.add(done.places["cash-out", row.number])


def _payment(playing: Replay, _row: Row, payment: Row) -> Iterable[NewTransfer]:
    planned, done = playing.content.row("PlannedPayment", payment["planned"]), playing.done
    if planned["plan"] not in done.plans:
        raise BookkeepingError("its plan was made later")
    done.paid[planned.number] += payment["chips"]
    if done.paid[planned.number] > planned["chips"]:
        raise BookkeepingError("more was paid than planned")
    payer, payee = playing.player(planned["payer"]), playing.player(planned["payee"])
    yield NewTransfer(accounts.tab(payee), accounts.tab(payer), payment["chips"])


def _update_payment(playing: Replay, _kind: str, payment: Row) -> None:
    playing.done.paid[payment["planned"]] -= payment["chips"]


# --- hands ----------------------------------------------------------------------------------------


def _hand(playing: Replay, row: Row, revision: Row) -> Iterable[NewTransfer]:
    verdict, hand = playing.settled.get(revision.number), revision["hand"]
    if verdict is None:
        raise BookkeepingError("a removed hand can't be posted")
    if hand in playing.done.hands:
        raise BookkeepingError("a different revision of the hand is already posted")
    chips, short = verdict.chips, row["chips"]
    if not 0 <= short <= chips.carried:
        text = f"a hand that took {chips.carried} carried chips can't lack {short}"
        raise BookkeepingError(text, "chips")
    night, balances = playing.night(playing.night_of(revision)), playing.done.balances
    first = revision["number"] == 1
    cashed_out: set[str] = set()  # the players who have cashed out since the hand was dealt
    if not first:
        done = playing.done
        dealt_at = done.dealt.get(hand, len(done.postings))
        for name, player in revision["names"].items():
            places = done.cashed_out.get((playing.night_of(revision), player), [])
            while places and places[-1] in done.cashed_by_mistake:
                places.pop()
            if places and places[-1] > dealt_at:
                cashed_out.add(name)
    carry = balances[accounts.carry(night).key] if first else chips.carried - short
    pots = playing.done.match_pots.get(night, {}) if first else {}
    before = PriorState(
        stacks={
            name: balances[accounts.stack(night, player).key]
            for name, player in verdict.names.items()
        },
        # for a corrected hand, the chips left by earlier hands are unknown unless it took more
        carry=carry,
        pots=pots,
        in_order=first,
        cashed_out=frozenset(cashed_out),
    )
    playing.done.findings[revision.number] = list(chip_findings(verdict, before))
    dealt = Hand(id=playing.ids["Hand"][hand], night_id=night)
    if first and (pots or "match" in verdict.answer):
        carrying = CarryingHand.of(dealt.pk, verdict.answer, chips.carried, chips.carry)
        playing.done.match_pots[night] = pots_after(pots, carry, carrying)
    return hand_transfers(dealt, chips, verdict.names, from_drift=short)


def _update_hand(playing: Replay, kind: str, revision: Row) -> None:
    """Update the chips owed under the rules, and whether the hand left a pot."""
    done, hand, taken_back = playing.done, revision["hand"], kind == "hand taken back"
    if taken_back:
        if done.hands.get(hand) != revision.number:
            raise BookkeepingError("this revision of the hand is not posted")
        del done.hands[hand]
    else:
        done.hands[hand] = revision.number
        done.dealt.setdefault(hand, len(done.postings))
    night, verdict = playing.night_of(revision), playing.settled[revision.number]
    for name, chips in verdict.chips.owed.items():
        player = revision["names"][name]
        done.add(night, player, "put_right", -chips if taken_back else chips)
    if verdict.answer["carry"] > 0:
        carrying = done.carrying.setdefault(night, {})
        if taken_back:
            del carrying[hand]
        else:
            carrying[hand] = revision.number
        done.last_carrying.pop(night, None)


def _correct_carry(playing: Replay, row: Row, revision: Row) -> Iterable[NewTransfer]:
    night, chips = playing.night(playing.night_of(revision)), row["chips"]
    if revision["number"] == 1 or not chips:
        raise BookkeepingError("this correction did not change the carry")
    carry, drift = accounts.carry(night), accounts.drift(night)
    payer, payee = (carry, drift) if chips > 0 else (drift, carry)
    yield NewTransfer(payer, payee, abs(chips))


# --- charges --------------------------------------------------------------------------------------


def _charge(playing: Replay, _row: Row, charge: Row) -> Iterable[NewTransfer]:
    shares, kind, fund = playing.shares.get(charge.number, []), charge["kind"], charge["fund"]
    places = range(1, len(shares) + 1) if kind == Charge.Kind.TOURNAMENT else [0] * len(shares)
    nets = {playing.player(share["player"]): share["gets"] - share["owes"] for share in shares}
    hand = charge["hand"] and playing.content.row("Hand", charge["hand"])
    # a season's high hand may come from any night of the season
    of_night = not hand or kind == Charge.Kind.SEASON_HIGH_HAND or hand["night"] == charge["night"]
    required = {
        "a charge has both chips of the fund and a keeper, or neither": (
            bool(fund) == bool(charge["keeper"])
        ),
        "a charge of this kind can't change the fund": not fund or kind in WITH_FUND,
        "a charge needs shares, and each share needs chips": (
            1 <= len(shares) <= MOST_SHARES
            and all(share["gets"] or share["owes"] for share in shares)
        ),
        "in a tournament, one player takes each place; other charges have no places": (
            sorted(share["place"] or 0 for share in shares) == list(places)
        ),
        "only starting cash and a count change the cash box": (
            (playing.box in nets) == (kind in WITH_BOX)
        ),
        "its shares don't add up to zero": sum(nets.values()) + fund == 0,
        "its hand belongs to another night": of_night,
    }
    for text, holds in required.items():
        if not holds:
            raise BookkeepingError(text)
    keeper = playing.player(charge["keeper"]) if charge["keeper"] else None
    return charge_transfers(playing.season, nets, fund=fund, keeper=keeper)


def _update_charge(playing: Replay, kind: str, charge: Row) -> None:
    """Update the columns of closings that a charge changes, and check the fund."""
    sign, night, done = 1 if kind == "charge" else -1, charge["night"], playing.done
    changes: list[tuple[int, str, int]] = []
    for share in playing.shares.get(charge.number, []):
        player, owes, gets = share["player"], share["owes"], share["gets"]
        if charge["kind"] == Charge.Kind.TOURNAMENT:
            changes += [(player, "entered", owes), (player, "prizes", gets)]
        else:
            changes.append((player, "charged", gets - owes))
    if charge["keeper"]:
        changes.append((charge["keeper"], "charged", charge["fund"]))
    for player, column, chips in changes:
        done.add(night, player, column, sign * chips)
        done.beside.add((night, playing.player(player)))
    if done.balances[accounts.fund(playing.season).key] + sign * charge["fund"] < 0:
        raise BookkeepingError("the fund did not have enough chips")


# --- nights ---------------------------------------------------------------------------------------


def _hand_on_pots(playing: Replay, _row: Row, night: Row) -> Iterable[NewTransfer]:
    chips: Counter[UUID] = Counter()
    for pot in night["opening_pots"]:
        chips[playing.night(pot["from"]) if pot["from"] else playing.done.before] += pot["amount"]
    if not chips:
        raise BookkeepingError("the night opened with no pots")
    take_over_pots(playing, night)
    for before, amount in chips.items():
        yield NewTransfer(
            accounts.carry(before), accounts.carry(playing.night(night.number)), amount
        )


def _closing(playing: Replay, _row: Row, closing: Row) -> Iterable[NewTransfer]:
    done = playing.done
    done.closings[closing["night"]] += 1
    if closing["number"] != done.closings[closing["night"]]:
        raise BookkeepingError("the closings of a night must be numbered in order")
    return closing_transfers(playing.night(closing["night"]), closed_lines(playing, closing))


def _update_closing(playing: Replay, kind: str, closing: Row) -> None:
    done, night = playing.done, closing["night"]
    if kind == "closing":
        done.closed[night] = closing.number
        done.open.discard(night)
        if closing["kept"]:
            done.keeping.add(night)
        return
    if done.closed.get(night) != closing.number:
        raise BookkeepingError("this closing is not in effect")
    del done.closed[night]
    done.keeping.discard(night)


# Functions that return the transfers for each posting kind, called with (replay, posting, subject).
# Reversals mirror the original posting.
MOVES: dict[str, Callable[[Replay, Row, Row], Iterable[NewTransfer]]] = {
    "buy-in": _buy_in,
    "cash-out": _cash_out,
    "charge": _charge,
    "hand": _hand,
    "carry put right": _correct_carry,
    "pots handed on": _hand_on_pots,
    "closing": _closing,
    "payment": _payment,
}
# Functions that make the other changes for each posting kind, called with (replay, kind, subject).
UPDATES: dict[str, Callable[[Replay, str, Row], None]] = {
    "buy-in": _update_counter,
    "buy-in undone": _update_counter,
    "cash-out": _update_counter,
    "cash-out undone": _update_counter,
    "charge": _update_charge,
    "charge undone": _update_charge,
    "hand": _update_hand,
    "hand taken back": _update_hand,
    "closing": _update_closing,
    "closing taken back": _update_closing,
    "payment taken back": _update_payment,
}
