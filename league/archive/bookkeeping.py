"""The books of a season's file: what was done, in its order, and the chips that this moved.

A file says what was done and when, never which chips went where: that follows from the rows, by
the functions by which the writers of the league post. Whatever could not have been done in this
order is refused.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from uuid import UUID

from league.archive import charges
from league.archive.books import Done, Ids, Impossible, Made, Playing
from league.archive.closings import closed_lines, take_over
from league.archive.consistency import leave_nothing_out
from league.archive.file_format import POSTING_KINDS, PostingKind
from league.archive.hands import Settled
from league.archive.plans import plan_closing, plan_season
from league.archive.reading import Errors, Row, SeasonContent
from league.hands.findings import Before, findings
from league.hands.transfers import moves_of_closing, moves_of_hand
from league.models import Hand
from league.nights import accounts
from ledger.posting import Move

WITH_CHIPS = {"hand", "carry put right"}
# What is done over the counter: which sum of a line it goes into.
COUNTED = {
    "buy-in": ("bought", 1),
    "buy-in undone": ("bought", -1),
    "cash-out": ("cashed", 1),
    "cash-out undone": ("cashed", -1),
}


def play(content: SeasonContent, ids: Ids, settled: Mapping[int, Settled], errors: Errors) -> Done:
    """Return what all that was done comes to. Raises RefusedError."""
    playing = Playing(content, ids, settled, errors)
    plan_season(playing, None)
    for row in content.of("Posting"):
        try:
            _do(playing, row)
        except Impossible as wrong:
            errors.add(row.line, wrong.where, "bad-posting", wrong.text)
    leave_nothing_out(playing, errors)
    errors.refuse()
    return playing.done


def _do(playing: Playing, row: Row) -> None:
    posting_kind, done = POSTING_KINDS[row["kind"]], playing.done
    subject = playing.content.row(posting_kind.of, row["of"])
    if row["chips"] and row["kind"] not in WITH_CHIPS:
        raise Impossible("nothing is said of chips here", "chips")
    _of_open_night(playing, row, subject)
    undoes = _undone(done, posting_kind, subject)
    moves = done.made[undoes].mirror() if undoes is not None else _moves(playing, row, subject)
    _stand(playing, row["kind"], subject)
    done.places[row["kind"], subject.number] = len(done.made)
    key = f"{posting_kind.prefix}:{playing.ids[posting_kind.of][subject.number]}"
    memo = posting_kind.memo.format(**_called(playing.content, posting_kind.of, subject))
    done.made.append(
        Made(kind=row["kind"], of=subject.number, key=key, memo=memo, moves=moves, undoes=undoes)
    )
    for move in moves:
        done.balances[move.debit.key] -= move.amount
        done.balances[move.credit.key] += move.amount
    if row["kind"] == "closing":
        rows = playing.lines.get(subject.number, [])
        plan_closing(playing, subject, [done.lines[each.number] for each in rows])


def _called(content: SeasonContent, table: str, row: Row) -> dict[str, object]:
    """Return by which numbers, or as what, people know what a posting is for."""
    called: dict[str, object] = {"number": row.values.get("number", 0), "hand": 0, "night": 0}
    called["kind"] = row.values.get("kind", "")
    if table == "Revision":
        called["hand"] = content.row("Hand", row["hand"])["number"]
    if table == "Closing":
        called["night"] = content.row("Night", row["night"])["number"]
    return called


def _undone(done: Done, posting_kind: PostingKind, subject: Row) -> int | None:
    """Return the place of the posting that this one reverses; None where it reverses none."""
    if not posting_kind.undoes:
        return None
    if (place := done.places.get((posting_kind.undoes, subject.number))) is None:
        raise Impossible("there is nothing to take back yet")
    return place


# --- nights and hands, as they stand ------------------------------------------------------------


def _night_of(content: SeasonContent, table: str, row: Row) -> int | None:
    if table == "Payment":
        return None
    if table == "Revision":
        return int(content.row("Hand", row["hand"])["night"])
    return row.number if table == "Night" else int(row["night"])


def _of_open_night(playing: Playing, row: Row, subject: Row) -> None:
    night = _night_of(playing.content, POSTING_KINDS[row["kind"]].of, subject)
    if night in playing.done.closed and row["kind"] != "closing taken back":
        raise Impossible("the night is closed by then")
    if night in playing.done.open and row["kind"] == "pots handed on":
        raise Impossible("the night has begun by then")
    if night is not None:
        playing.done.open.add(night)


def _stand(playing: Playing, kind: str, subject: Row) -> None:
    """Keep what stands after a posting."""
    done = playing.done
    if kind in COUNTED:
        _sum_up(playing, *COUNTED[kind], subject)
        _stand_cashed(done, kind, subject)
    elif kind in ("closing", "closing taken back"):
        _stand_closed(done, subject, closed=kind == "closing")
    elif kind == "hand":
        _stand_dealt(playing, subject, 1)
        done.hands[subject["hand"]] = subject.number
        done.dealt.setdefault(subject["hand"], len(done.made))
    elif kind == "hand taken back":
        if done.hands.get(subject["hand"]) != subject.number:
            raise Impossible("the hand does not stand so")
        _stand_dealt(playing, subject, -1)
        del done.hands[subject["hand"]]
    elif kind in ("charge", "charge undone"):
        charges.stand(playing, subject, 1 if kind == "charge" else -1)
    elif kind == "payment taken back":
        done.paid[subject["planned"]] -= subject["chips"]


def _stand_closed(done: Done, closing: Row, *, closed: bool) -> None:
    night = closing["night"]
    if closed:
        done.closed[night] = closing.number
        done.open.discard(night)
        if closing["kept"]:
            done.keeping.add(night)
        return
    if done.closed.get(night) != closing.number:
        raise Impossible("the night is not closed by this")
    del done.closed[night]
    done.keeping.discard(night)


def _stand_dealt(playing: Playing, revision: Row, sign: int) -> None:
    """Keep what the rules gave beyond the table's word, and whether a pot was left."""
    done, night = playing.done, _night(playing, revision)
    content = playing.settled[revision.number]
    for name, chips in content.chips.owed.items():
        done.add(night, revision["names"][name], "put_right", sign * chips)
    if content.answer["carry"] > 0:
        carrying = done.carrying.setdefault(night, {})
        if sign > 0:
            carrying[revision["hand"]] = revision.number
        else:
            del carrying[revision["hand"]]
        done.last_carrying.pop(night, None)


def _stand_cashed(done: Done, kind: str, row: Row) -> None:
    """Keep who went home with chips, and when."""
    if kind == "cash-out":
        places = done.cashed_out.setdefault((row["night"], row["player"]), [])
        places.append(len(done.made))
    elif kind == "cash-out undone":
        done.cashed_by_mistake.add(done.places["cash-out", row.number])


def _sum_up(playing: Playing, name: str, sign: int, row: Row) -> None:
    """Keep what a player bought or cashed, and what it did to the tabs where a banker had cash."""
    done, night, banker = playing.done, row["night"], row["banker"]
    done.add(night, row["player"], name, sign * row["chips"])
    if banker is not None:
        cash = sign * (row["chips"] if name == "bought" else -row["chips"])
        done.add(night, row["player"], "cash", cash)
        done.add(night, banker, "cash", -cash)
        done.beside.add((night, playing.player(banker)))


# --- what each kind moves ------------------------------------------------------------------------


def _moves(playing: Playing, row: Row, subject: Row) -> tuple[Move, ...]:
    return tuple(MOVES[row["kind"]](playing, row, subject))


def _buy_in(playing: Playing, _row: Row, bought: Row) -> Iterable[Move]:
    payer = accounts.tab(playing.player(bought["banker"] or bought["player"]))
    yield Move(payer, playing.stack(bought), bought["chips"])


def _cash_out(playing: Playing, _row: Row, out: Row) -> Iterable[Move]:
    payee = accounts.tab(playing.player(out["banker"] or out["player"]))
    yield Move(playing.stack(out), payee, out["chips"])


def _hand(playing: Playing, row: Row, revision: Row) -> Iterable[Move]:
    settled, hand = playing.settled.get(revision.number), revision["hand"]
    if settled is None:
        raise Impossible("taking a hand back is no posting of its own")
    if hand in playing.done.hands:
        raise Impossible("the hand stands already, by another revision")
    short = row["chips"]
    if not 0 <= short <= settled.chips.carried:
        text = f"a hand that took {settled.chips.carried} carried chips can't lack {short}"
        raise Impossible(text, "chips")
    _look_before(playing, revision, settled, short)
    dealt = Hand(id=playing.ids["Hand"][hand], night_id=playing.night(_night(playing, revision)))
    return moves_of_hand(dealt, settled.chips, dict(settled.names), short=short)


def _carry_put_right(playing: Playing, row: Row, revision: Row) -> Iterable[Move]:
    night, chips = playing.night(_night(playing, revision)), row["chips"]
    if revision["number"] == 1 or not chips:
        raise Impossible("this is no correction that changed the carry")
    carry, drift = accounts.carry(night), accounts.drift(night)
    payer, payee = (carry, drift) if chips > 0 else (drift, carry)
    yield Move(payer, payee, abs(chips))


def _handed_on(playing: Playing, _row: Row, night: Row) -> Iterable[Move]:
    chips: Counter[UUID] = Counter()
    for pot in night["opening_pots"]:
        chips[playing.night(pot["from"]) if pot["from"] else playing.done.before] += pot["amount"]
    if not chips:
        raise Impossible("the night opened with no pots")
    take_over(playing, night)
    for before, amount in chips.items():
        yield Move(accounts.carry(before), accounts.carry(playing.night(night.number)), amount)


def _closing(playing: Playing, _row: Row, closing: Row) -> Iterable[Move]:
    done = playing.done
    done.closings[closing["night"]] += 1
    if closing["number"] != done.closings[closing["night"]]:
        raise Impossible("closings of a night are numbered in their order")
    return moves_of_closing(playing.night(closing["night"]), closed_lines(playing, closing))


def _payment(playing: Playing, _row: Row, payment: Row) -> Iterable[Move]:
    planned, done = playing.content.row("PlannedPayment", payment["planned"]), playing.done
    if planned["plan"] not in done.plans:
        raise Impossible("it is of a plan that was made later")
    done.paid[planned.number] += payment["chips"]
    if done.paid[planned.number] > planned["chips"]:
        raise Impossible("more had been paid by then than was planned")
    payer, payee = playing.player(planned["payer"]), playing.player(planned["payee"])
    yield Move(accounts.tab(payee), accounts.tab(payer), payment["chips"])


def _night(playing: Playing, revision: Row) -> int:
    return int(playing.content.row("Hand", revision["hand"])["night"])


MOVES: dict[str, Callable[[Playing, Row, Row], Iterable[Move]]] = {
    "buy-in": _buy_in,
    "cash-out": _cash_out,
    "charge": charges.moves_of,
    "hand": _hand,
    "carry put right": _carry_put_right,
    "pots handed on": _handed_on,
    "closing": _closing,
    "payment": _payment,
}


# --- what looked wrong about a hand -------------------------------------------------------------


def _look_before(playing: Playing, revision: Row, settled: Settled, short: int) -> None:
    """Keep what does not fit between the hand and the chips that stood before it.

    What hands before a corrected one had left is known where it was less than the hand took.
    """
    night, balances = playing.night(_night(playing, revision)), playing.done.balances
    stacks = {name: balances[accounts.stack(night, who).key] for name, who in settled.names.items()}
    first = revision["number"] == 1
    carry = balances[accounts.carry(night).key] if first else settled.chips.carried - short
    out = frozenset() if first else _cashed_out_since(playing, revision, settled)
    before = Before(stacks=stacks, carry=carry, in_order=first, cashed_out=out)
    playing.done.findings[revision.number] = list(findings(settled.names, before, settled.chips))


def _cashed_out_since(playing: Playing, revision: Row, settled: Settled) -> frozenset[str]:
    """Return who has cashed out after the hand was first dealt."""
    done, night, names = playing.done, _night(playing, revision), revision["names"]
    since = done.dealt.get(revision["hand"], len(done.made))
    return frozenset(
        name for name in settled.names if done.has_cashed_out(night, names[name], since=since)
    )
