"""Actions of the dealer: deal cards to players and the board."""

from rules.cards import NATURAL_CARDS, TEXTS, UNSEEN, sign
from rules.errors import counted
from rules.history import betting_round
from rules.history.actions import Action, read_cards
from rules.history.setup import arrive
from rules.history.stages import advance, end_for_all, owe_earned, record_kept_card
from rules.history.table import Seat, Table, place, report

OWN_CARDS = frozenset(("deal", "draw", "buy", "earn", "extra", "push", "roll")) | {
    "hit",
    "swap hand",
}
BOARD = frozenset(("board",))
FACES = {"dh": "", "dd": "down", "du": "up"}
UP = ("up",)

Cards = tuple[int, ...]


def deal(table: Table, action: Action) -> None:
    """Handle `dh p1 AhKh`: deal cards to the zones that are due. `dd` and `du` state the face."""
    cards = _dealt(table, action)
    if cards is None:
        return
    seat = table.seats[action.to]
    if not seat.owed and table.stage.kind == "push":
        record_kept_card(table, seat)
    if not seat.owed and not arrive(table, OWN_CARDS):
        return
    turned = len(seat.up)
    if len(cards) == len(seat.owed) and action.verb == "dh":  # fast path for the common case
        _place_all(table, seat, cards, action.mask)
    else:
        count, due = len(cards), len(seat.owed)
        if count > due:
            report(table, "wrong-count", f"{seat.name} is due {counted(due, 'card')}, not {count}")
        for card in cards[:due]:
            face = FACES[action.verb]
            at = seat.owed.index(face) if face in seat.owed else 0
            zone = seat.owed[at]
            seat.owed = (*seat.owed[:at], *seat.owed[at + 1 :])
            table.owed -= 1
            if face and face != zone:
                report(table, "wrong-face", f"{seat.name}'s card must be dealt {zone}, not {face}")
                zone = face
            check_new(table, card)
            place(table, seat, zone, card)
    if len(seat.up) > turned:
        _after_up(table, seat)
    if not table.owed and not table.waiting:
        advance(table)


def _dealt(table: Table, action: Action) -> Cards | None:
    """Return the cards of a deal, or None if the player or the cards are missing."""
    if action.cards is not None and 0 <= action.to < len(table.seats):
        return action.cards
    report(table, "bad-cards", "a deal must name a player and cards", fatal=True)
    return None


def _place_all(table: Table, seat: Seat, cards: Cards, mask: int) -> None:
    if not _take_fresh(table, mask):
        for card in cards:
            check_new(table, card)
    zones, seat.owed = seat.owed, ()
    table.owed -= len(zones)
    if zones == UP:
        seat.up += cards
    elif zones.count("down") == len(zones):
        seat.down += cards
    else:
        for zone, card in zip(zones, cards, strict=True):
            place(table, seat, zone, card)


def _take_fresh(table: Table, mask: int) -> bool:
    """Take all these cards from the deck. Return false and take none if any is unavailable."""
    if mask & table.script.deck != mask or mask & table.dealt:
        return False
    table.dealt |= mask
    return True


def check_new(table: Table, card: int) -> None:
    """Record that a card is dealt. It must be in the deck and not in play."""
    if card == UNSEEN:
        return
    if not table.dealt >> card & 1 and card in table.game.deck:
        table.dealt |= 1 << card
        return
    table.again = True
    if card not in table.game.deck:
        report(table, "card-not-in-deck", f"the deck has no {sign(TEXTS[card])}")
    in_play = card in table.board.values()
    for seat in table.seats:
        if in_play or card in seat.down or card in seat.up:
            report(table, "card-twice", f"{sign(TEXTS[card])} is already in play")
            return


def _after_up(table: Table, seat: Seat) -> None:
    if table.stage.kind == "earn":
        owe_earned(table, seat, table.stage.ranks)
    if not table.game.enders.isdisjoint(seat.up):
        end_for_all(table)
        return
    if table.calls is None or len(seat.up) < 2 or max(seat.up) >= NATURAL_CARDS:
        return
    hand = betting_round.named(table.game, seat.up)
    words = [] if hand.endswith("high") else [hand]
    words += betting_round.possible(table, seat.up)
    table.calls += [f"{seat.name}: {word}" for word in words]


def deal_board(table: Table, action: Action) -> None:
    cards = _cards(table, action)
    if cards is None or not arrive(table, BOARD):
        return
    slots = table.slots_due
    if len(cards) > len(slots):
        text = f"the board is due {counted(len(slots), 'card')}, not {len(cards)}"
        report(table, "wrong-count", text)
        cards = cards[: len(slots)]
    if len(cards) == len(action.cards or ()) and _take_fresh(table, action.mask):
        table.board.update(zip(slots, cards, strict=False))
    else:
        for slot, card in zip(slots, cards, strict=False):
            check_new(table, card)
            table.board[slot] = card
    table.slots_due = slots[len(cards) :]
    table.owed -= len(cards)
    if not table.owed:
        advance(table)


def _cards(table: Table, action: Action) -> tuple[int, ...] | None:
    if action.cards:
        return action.cards
    report(
        table,
        "bad-cards",
        "cards are required: two characters each, ?? for an unseen card",
        fatal=True,
    )
    return None


def turn_board(table: Table, action: Action) -> None:
    """Turn over a face-down card of the board."""
    cards = _cards(table, action)
    for card in cards or ():
        slot = next((s for s, known in table.board.items() if known == UNSEEN), None)
        if slot is None:
            report(table, "no-such-card", "no card of the board is face down")
            return
        check_new(table, card)
        table.board[slot] = card


def replace_board(table: Table, action: Action) -> None:
    """Handle `rb a Kh`: replace the card of a slot."""
    words = action.words
    cards = read_cards("".join(words[1:])) if len(words) > 1 else None
    if not cards or words[0] not in table.board:
        report(
            table,
            "bad-cards",
            "a slot of the board that has a card, and a card, are required",
            fatal=True,
        )
        return
    if table.stage.kind != "replace":
        report(table, "no-such-step", "no card of the board can be replaced now")
    table.board[words[0]] = cards[0]
    if table.stage.kind == "replace" and table.owed:
        table.owed -= 1
        if not table.owed:
            advance(table)


def remove_row(table: Table, action: Action) -> None:
    """Handle `rr 2`: remove a row of the board. The effect is stated as a fact in the record."""
    if len(action.words) != 1 or not action.words[0].isdigit():
        report(table, "bad-amount", "which row?", fatal=True)


def deal_common(table: Table, action: Action) -> None:
    """Deal a card shared by all players who bought one."""
    cards = _cards(table, action)
    buyers = tuple(index for index, seat in enumerate(table.seats) if seat.bought and seat.live)
    if cards is None:
        return
    if not buyers:
        report(table, "no-such-step", "no player bought a card")
        return
    for card in cards:
        check_new(table, card)
        table.shared.append((card, buyers))
    for index in buyers:
        table.seats[index].bought = False
    if table.common_due:
        table.common_due = False
        table.owed -= 1
        if not table.owed and not table.waiting:
            advance(table)


def deal_tiebreak(table: Table, action: Action) -> None:
    """Deal cards of a tie-break. A player's second full hand starts another round."""
    cards = _dealt(table, action)
    if not cards:
        return
    wanted = table.game.tiebreak_cards
    if not wanted:
        report(table, "no-such-step", "this game does not break ties by dealing cards")
        return
    for card in cards:
        rounds = table.tiebreaks
        if not rounds or len(rounds[-1].get(action.to, ())) >= wanted:
            rounds.append({})
        rounds[-1].setdefault(action.to, []).append(card)


def do_nothing(table: Table, action: Action) -> None:
    """Ignore a burn card, a shuffle, a comment or an empty string."""


def state_fact(table: Table, action: Action) -> None:
    """Handle `fact follower 7`: check a die or a card against the record's options."""
    words = action.words
    if len(words) < 2 or words[0] not in table.game.chosen:
        report(table, "bad-fact", "a fact of the game and its value are required", fatal=True)
    elif str(table.game.chosen[words[0]]) != " ".join(words[1:]):
        stated = table.game.chosen[words[0]]
        report(table, "fact-differs", f"the record gives {words[0]} as {stated}")
