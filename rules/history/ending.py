"""The end that a replay came to: the hand as `settle` takes it, and the record of it."""

from collections.abc import Mapping
from typing import Any

from rules.cards import UNSEEN, format_cards
from rules.errors import Problem
from rules.game.hand import SHOWDOWN, Hand, Player
from rules.history.table import Seat, Table, board_rows, wrong
from rules.settlement.checks import counting_zones, hand_problems
from rules.settlement.reading import Reader

Record = dict[str, Any]
KEPT = ("variant", "modifiers", "options", "button", "carried", "took", "match")


def final_hand(table: Table, told: Mapping[str, Any]) -> tuple[Hand | None, list[Problem]]:
    """The hand at its end, and every reason why it can't be settled."""
    mucked = _mucked(table)
    names = {seat.name: at for at, seat in enumerate(table.seats)}
    reader = Reader(told)
    hand = Hand(
        game=table.game,
        variant=told["variant"] if type(told["variant"]) is str else table.game.name,
        depth=SHOWDOWN,
        button=table.button,
        players=[_player(table, seat, at in mucked) for at, seat in enumerate(table.seats)],
        board=board_rows(table),
        carried=reader.carried(names) if "carried" in told else [],
        took=reader.took(names) if "took" in told else _took(table),
        tiebreaks=[
            {table.seats[seat].name: cards for seat, cards in dealt.items()}
            for dealt in table.tiebreaks
        ],
        odd_chip=str(table.game.chosen.get("odd_chip", "seat")),
        unit=int(table.game.chosen.get("unit", 1)),
        match=reader.match(names) if "match" in told else None,
    )
    for card, seats in table.shared:
        for at in seats:
            hand.players[at].shared = [*hand.players[at].shared, card]
    problems = reader.problems
    problems += hand_problems(hand, [card for card, _ in table.shared], problems)
    return (None if problems else hand), problems


def taker(table: Table, told: Mapping[str, Any]) -> int | None:
    """Who takes all of a hand that went by the rules since nobody else is left or shows; None
    where hands are compared, or something may be wrong between the cards and the game."""
    left = [at for at, seat in enumerate(table.seats) if seat.live and seat.shown is not False]
    if len(left) != 1 or table.irregularities or table.again or not table.script.plain:
        return None
    if told.get("carried") or told.get("took") is not None or table.tiebreaks:
        return None
    if table.game.match is not None:  # its pot may stay
        return None
    seats, last = table.seats, table.seats[left[0]]
    short = last.paid - last.dead < max([seat.paid - seat.dead for seat in seats])
    unseen = table.left > 1 and _is_unseen(table, last)
    return None if short or unseen or len(seats) > table.game.players[1] else left[0]


def _took(table: Table) -> dict[str, int] | None:
    return {seat.name: seat.took for seat in table.seats if seat.took} or None


def _player(table: Table, seat: Seat, mucked: bool) -> Player:
    told = bool(seat.paid) or not table.game.bank  # the bank's sums follow from the cards
    return Player(
        seat.name,
        paid=seat.paid,
        dead=seat.dead,
        folded=not (seat.live or seat.killed),
        late=seat.late,
        mucked=mucked,
        all_in=seat.all_in,
        paid_told=told,
        declared=seat.declared,
        down=seat.down,
        up=seat.up,
        out=seat.out,
        piles=seat.piles,
    )


# --- as a record --------------------------------------------------------------------------------


def final_record(table: Table, told: Mapping[str, Any]) -> Record:
    """The record of the end: what a phone would have stored without the actions."""
    record: Record = {key: told[key] for key in KEPT if key in told}
    mucked = _mucked(table)
    record["players"] = [_as_told(table, seat, at in mucked) for at, seat in enumerate(table.seats)]
    rows = board_rows(table)
    if rows:
        record["board"] = [format_cards(row) for row in rows]
    names = [seat.name for seat in table.seats]
    if table.shared:
        record["shared"] = [
            {"card": format_cards([card])[0], "for": [names[seat] for seat in seats]}
            for card, seats in table.shared
        ]
    if table.tiebreaks:
        record["tiebreaks"] = [
            {names[seat]: format_cards(cards) for seat, cards in dealt_hands.items()}
            for dealt_hands in table.tiebreaks
        ]
    if "took" not in record and (took := _took(table)):
        record["took"] = took
    return record


def _as_told(table: Table, seat: Seat, mucked: bool) -> Record:
    player: Record = {"name": seat.name, "paid": seat.paid}
    if table.game.bank and not seat.paid:
        del player["paid"]
    if seat.dead:
        player["dead"] = seat.dead
    if not seat.live and not seat.killed:
        player["folded"] = "late" if seat.late else True
    elif mucked:
        player["mucked"] = True
    if seat.all_in:
        player["all_in"] = True
    for zone, cards in (("down", seat.down), ("up", seat.up), ("out", seat.out)):
        if cards:
            player[zone] = format_cards(cards)
    if seat.piles:
        player["piles"] = {pile: format_cards(cards) for pile, cards in seat.piles.items()}
    if seat.declared:
        player["declared"] = seat.declared
    return player


# --- who shows ----------------------------------------------------------------------------------


def _mucked(table: Table) -> set[int]:
    """Who is in and shows nothing: those who said so, and those whose cards nobody saw.

    Never everybody: when all threw their cards away, those whose cards are known show them.
    """
    live = [at for at, seat in enumerate(table.seats) if seat.live]
    if len(live) < 2 or table.game.bank:
        return set()
    unseen = {at for at in live if _is_unseen(table, table.seats[at])}
    away = {at for at in live if table.seats[at].shown is False}
    if unseen.union(away) != set(live):
        for at in sorted(unseen - away):
            name = table.seats[at].name
            if table.seats[at].shown is None:
                wrong(table, "cards-unknown", f"{name}'s cards are not known: taken as mucked")
        return unseen | away
    return unseen if unseen != set(live) else set()


def _is_unseen(table: Table, seat: Seat) -> bool:
    if UNSEEN not in seat.down and UNSEEN not in seat.up:
        return False
    zones = counting_zones(table.game)
    return ("down" in zones and UNSEEN in seat.down) or ("up" in zones and UNSEEN in seat.up)
