"""What the dealer does: cards down, up and to the board, and all that goes with them."""

from rules.cards import NATURAL_CARDS, TEXTS, UNSEEN
from rules.history import opening
from rules.history.actions import read_cards, read_deal
from rules.history.stages import advance, arrive, owe_earned
from rules.history.table import Seat, Table, place, wrong

OWN_CARDS = frozenset(("deal", "draw", "buy", "extra", "roll"))
BOARD = frozenset(("board",))


def deal_as_said(table: Table, words: tuple[str, ...]) -> None:
    """`dh p1 AhKh`: cards go where the game says."""
    _deal(table, words, "")


def deal_down(table: Table, words: tuple[str, ...]) -> None:
    _deal(table, words, "down")


def deal_up(table: Table, words: tuple[str, ...]) -> None:
    _deal(table, words, "up")


def _deal(table: Table, words: tuple[str, ...], face: str) -> None:
    index, cards = _player_and_cards(table, words)
    if index < 0 or cards is None:
        return
    seat = table.seats[index]
    if not seat.owed and not arrive(table, OWN_CARDS):
        return
    if len(cards) > len(seat.owed):
        wrong(table, "wrong-count", f"{seat.name} gets {len(seat.owed)} cards, not {len(cards)}")
    turned = len(seat.up)
    if not face and len(cards) == len(seat.owed):  # the usual case at once
        _place_all(table, seat, cards)
    else:
        for card in cards[: len(seat.owed)]:
            _place_owed(table, seat, face, card)
    if len(seat.up) > turned:
        _after_up(table, seat)
    if not table.owed and not table.waiting:
        advance(table)


def _place_all(table: Table, seat: Seat, cards: tuple[int, ...]) -> None:
    check_all_new(table, cards)
    if seat.owed.count("down") == len(cards):
        seat.down += cards
    else:
        for zone, card in zip(seat.owed, cards, strict=True):
            place(table, seat, zone, card)
    table.owed -= len(cards)
    seat.owed = []


def _player_and_cards(table: Table, words: tuple[str, ...]) -> tuple[int, tuple[int, ...] | None]:
    index, cards = read_deal(words)
    if not 0 <= index < len(table.seats) or cards is None:
        wrong(table, "bad-cards", "a deal says to which player and which cards", fatal=True)
        return -1, None
    return index, cards


def _place_owed(table: Table, seat: Seat, face: str, card: int) -> None:
    at = seat.owed.index(face) if face in seat.owed else 0
    zone = seat.owed.pop(at)
    table.owed -= 1
    if face and face != zone:
        wrong(table, "wrong-face", f"{seat.name}'s card is dealt {zone}, not {face}")
        zone = face
    check_new(table, card)
    place(table, seat, zone, card)


def check_all_new(table: Table, cards: tuple[int, ...]) -> None:
    """Cards that are dealt together; the usual case at once."""
    fresh = table.dealt.isdisjoint(cards) and table.game.deck.issuperset(cards)
    if fresh and len(set(cards)) == len(cards):
        table.dealt.update(cards)
    else:
        for card in cards:
            check_new(table, card)


def check_new(table: Table, card: int) -> None:
    """A card that is dealt lies nowhere else."""
    if card == UNSEEN:
        return
    if card not in table.dealt and card in table.game.deck:
        table.dealt.add(card)
        return
    if card not in table.game.deck:
        wrong(table, "card-not-in-deck", f"the deck has no {TEXTS[card]}")
    in_play = card in table.board.values()
    for seat in table.seats:
        if in_play or card in seat.down or card in seat.up:
            wrong(table, "card-twice", f"{TEXTS[card]} is in play already")
            return


def _after_up(table: Table, seat: Seat) -> None:
    if table.stage.kind == "extra":
        owe_earned(table, seat, table.stage.ranks)
    if table.calls is not None:
        table.calls += [f"{seat.name}: {said}" for said in _words_for(table, seat)]


def _words_for(table: Table, seat: Seat) -> list[str]:
    known = [card for card in seat.up if card < NATURAL_CARDS]
    if len(known) < len(seat.up) or len(known) < 2:
        return []
    pairs = opening.named(table.game, known)
    said = [pairs] if not pairs.endswith("high") else []
    return said + opening.possible(table, seat.up)


def deal_board(table: Table, words: tuple[str, ...]) -> None:
    cards = _cards(table, words)
    if cards is None or not arrive(table, BOARD):
        return
    if len(cards) > len(table.slots_due):
        text = f"{len(cards)} cards to the board, the game deals {len(table.slots_due)}"
        wrong(table, "wrong-count", text)
    for card in cards[: len(table.slots_due)]:
        check_new(table, card)
        table.board[table.slots_due.pop(0)] = card
        table.owed -= 1
    if not table.owed:
        advance(table)


def _cards(table: Table, words: tuple[str, ...]) -> tuple[int, ...] | None:
    cards = read_cards("".join(words)) if words else None
    if not cards:
        wrong(table, "bad-cards", "which cards? two letters each, ?? for one unseen", fatal=True)
        return None
    return cards


def turn_board(table: Table, words: tuple[str, ...]) -> None:
    """A card of the board that lay face down is turned over."""
    cards = _cards(table, words)
    for card in cards or ():
        slot = next((s for s, known in table.board.items() if known == UNSEEN), None)
        if slot is None:
            wrong(table, "no-such-card", "no card of the board lies face down")
            return
        check_new(table, card)
        table.board[slot] = card


def replace_board(table: Table, words: tuple[str, ...]) -> None:
    """`rb a Kh`: the card of a slot is dealt anew."""
    cards = read_cards("".join(words[1:])) if len(words) > 1 else None
    if not cards or words[0] not in table.board:
        wrong(table, "bad-cards", "a slot of the board that has a card, and a card", fatal=True)
        return
    if table.stage.kind != "replace":
        wrong(table, "no-such-step", "the board is not dealt anew now")
    table.board[words[0]] = cards[0]
    if table.stage.kind == "replace" and table.owed:
        table.owed -= 1
        if not table.owed:
            advance(table)


def remove_row(table: Table, words: tuple[str, ...]) -> None:
    """`rr 2`: a row of the board counts no more. What that means the game's record says."""
    if len(words) != 1 or not words[0].isdigit():
        wrong(table, "bad-amount", "which row?", fatal=True)


def deal_common(table: Table, words: tuple[str, ...]) -> None:
    """A card that all who bought hold together."""
    cards = _cards(table, words)
    buyers = tuple(index for index, seat in enumerate(table.seats) if seat.bought and seat.live)
    if cards is None:
        return
    if not buyers:
        wrong(table, "no-such-step", "nobody bought a card")
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


def deal_tiebreak(table: Table, words: tuple[str, ...]) -> None:
    """Cards of a hand that breaks a tie; a player's second full hand begins another round."""
    index, cards = _player_and_cards(table, words)
    if index < 0 or not cards:
        return
    wanted = table.game.tiebreak_cards
    if not wanted:
        wrong(table, "no-such-step", "ties are not broken by dealing in this game")
        return
    for card in cards:
        rounds = table.tiebreaks
        if not rounds or len(rounds[-1].get(index, ())) >= wanted:
            rounds.append({})
        rounds[-1].setdefault(index, []).append(card)


def do_nothing(table: Table, words: tuple[str, ...]) -> None:
    """A card burnt, a shuffle: said for the record."""


def state_fact(table: Table, words: tuple[str, ...]) -> None:
    """`fact follower 7`: what a die or a card decided; the record's options say it too."""
    if len(words) < 2 or words[0] not in table.game.chosen:
        wrong(table, "bad-fact", "a fact that the game asks for, and what it is", fatal=True)
    elif str(table.game.chosen[words[0]]) != " ".join(words[1:]):
        told = table.game.chosen[words[0]]
        wrong(table, "fact-differs", f"the record has {words[0]} as {told}")
