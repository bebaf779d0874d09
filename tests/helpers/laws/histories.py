"""Random legal hands, generated action by action from the deal script of a game.

The player to act takes any legal action, and cards come from a shuffled deck.
"""

from random import Random
from typing import Any

from rules.api import problems
from rules.cards import TEXTS, UNSEEN, format_cards
from rules.documents import catalog
from rules.documents.game_lookup import game_of
from rules.history import Choice, Table, act, begin, choices
from rules.history.actions import DEALER, read_cards, write_cards
from rules.history.table import must_throw

TOLD_BY_ACTIONS = tuple(  # bets against the pot are recorded as cards, not as actions
    slug
    for slug in catalog.slugs()
    if not any(due.startswith("against pot") for due in catalog.document(slug).get("dues", ()))
)
MOST = 2_000  # maximum number of actions; a hand with more would not end


def history(
    chance: Random, slug: str | dict[str, Any], modifiers: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Draw a complete hand of a game, with only legal actions."""
    record = _seats(chance, slug, modifiers)
    table, wrong = begin(record)
    assert table is not None, wrong
    deck = _deck(chance, table)
    while options := choices(table):
        if table.over and chance.random() < 0.3:
            break
        option = _pick(chance, options)
        action = _action_text(chance, table, option, deck)
        act(table, action)
        record["actions"].append(action)
        assert len(record["actions"]) < MOST, (slug, table.stage)
    return record


def history_with_runs(chance: Random, slug: str) -> dict[str, Any]:
    """Draw a hand whose betting ends before the last card of the board, run two to four times."""
    while True:
        record = _run_again(chance, history(chance, slug))
        if record and not problems(record):
            return record


def _run_again(chance: Random, record: dict[str, Any]) -> dict[str, Any] | None:
    """Return the hand with further runs, or None if there are no cards to deal again."""
    actions = [each.split() for each in record["actions"]]
    last = max(at for at, words in enumerate(actions) if words[1] not in ("db", "sm"))
    dealt = [at for at, words in enumerate(actions) if at > last and words[1] == "db"]
    cards = [card for at in dealt for card in read_cards(actions[at][2]) or []]
    used = {card for words in actions for card in read_cards(words[-1]) or []}
    game = game_of(record).game
    assert game is not None, record
    deck = sorted(game.deck - used)
    if not cards or len(deck) < len(cards):
        return None
    chance.shuffle(deck)
    runs = chance.randint(1, min(3, len(deck) // len(cards)))
    others = [[deck.pop() for _ in cards] for _ in range(runs)]
    unchanged = [each for at, each in enumerate(record["actions"]) if at not in dealt]
    boards = [{"board": [format_cards(each)]} for each in (cards, *others)]
    return {**record, "actions": unchanged, "runs": boards}


def _seats(
    chance: Random, slug: str | dict[str, Any], modifiers: tuple[str, ...]
) -> dict[str, Any]:
    record: dict[str, Any] = {"variant": slug, "modifiers": list(modifiers), "actions": []}
    document = catalog.document(slug) if isinstance(slug, str) else slug
    record["options"] = {
        name: chance.choice(words).split("=")[0].strip()
        for table in ("options", "asked")
        for name, words in document.get(table, {}).items()
        if not words[0][0].isdigit() or len(words) > 1
    }
    game = game_of(record).game
    assert game is not None, record
    count = chance.randint(max(game.players[0], 2), min(game.players[1], 5))
    names = [f"player {number}" for number in range(1, count + 1)]
    stacks = [chance.choice((3, 12, 40, 150, 900)) for _ in names]
    stakes = {"ante": chance.choice((0, 1, 2)), "small": 2, "big": 4, "min": 2, "mid": 2}
    if any(step.verb in {"blinds", "button-blind"} for step in game.steps):
        stakes["blinds"] = [1, 2]
    if any(step.verb == "bring-in" for step in game.steps):
        stakes["bring_in"] = 1
    players = [{"name": name} for name in names]
    return record | {
        "button": chance.randrange(count),
        "players": players,
        "stacks": stacks,
        "stakes": stakes,
    }


def _deck(chance: Random, table: Table) -> list[int]:
    deck = sorted(table.game.deck)
    chance.shuffle(deck)
    return deck


def _draw(chance: Random, table: Table, deck: list[int], number: int) -> str:
    """Draw cards from the deck. Discards are shuffled in when the deck is empty."""
    cards = []
    for _ in range(number):
        if not deck:
            deck += sorted({card for seat in table.seats for card in seat.out})
            for seat in table.seats:
                seat.out = []
            chance.shuffle(deck)
        cards.append(deck.pop() if deck else UNSEEN)
    return write_cards(cards)


def _pick(chance: Random, options: list[Choice]) -> Choice:
    """Choose an action. Folds are rare, which makes hands continue."""
    weights = [1 if option.verb in {"f", "out"} else 6 for option in options]
    return chance.choices(options, weights)[0]


def _action_text(chance: Random, table: Table, option: Choice, deck: list[int]) -> str:
    if option.seat == DEALER:
        return _dealt(chance, table, option, deck)
    who = f"p{option.seat + 1} {option.verb}"
    seat = table.seats[option.seat]
    amount = chance.choice((option.least, option.most, chance.randint(option.least, option.most)))
    match option.verb:
        case "cbr" | "mid" | "pb" | "bid":
            return f"{who} {amount}"
        case "declare":
            return f"{who} {chance.choice(option.words)}"
        case "set":
            held = [*seat.down, *(seat.up if table.stage.zone == "any" else ())]
            return f"{who} {option.words[0]} {write_cards(chance.sample(held, amount))}"
        case "pick":
            return f"{who} {_picked(chance, table, option, amount)}"
        case "sd" | "buy":
            held = _throwable(table, option.seat)
            cards = write_cards(chance.sample(held, min(amount, len(held))))
            price = "1 " if option.verb == "buy" and not option.words[0].isdigit() else ""
            return f"{who} {price}{cards}".strip()
        case "pass" | "tu":
            who += f" {write_cards(chance.sample(seat.down, min(amount, len(seat.down))))}"
        case "sm":
            return chance.choice((who, f"{who} -", f"{who} {write_cards(seat.down + seat.up)}"))
    return who


def _dealt(chance: Random, table: Table, option: Choice, deck: list[int]) -> str:
    cards = _draw(chance, table, deck, chance.randint(option.least, option.most))
    if option.verb == "rb":
        return f"d rb {chance.choice(option.words)} {cards}"
    return f"d dh p{option.to + 1} {cards}" if option.to >= 0 else f"d {option.verb} {cards}"


def _picked(chance: Random, table: Table, option: Choice, amount: int) -> str:
    taken = write_cards([table.board[slot] for slot in chance.sample(option.words, amount)])
    if table.stage.kind == "take":
        return taken
    return f"{taken} {write_cards(chance.sample(_throwable(table, option.seat), amount))}"


def _throwable(table: Table, index: int) -> list[int]:
    seat = table.seats[index]
    if table.stage.kind == "discard" and table.stage.table_slots:
        return must_throw(table, seat) or []
    zones = {"any": seat.down + seat.up, "up": seat.up}
    return zones.get(table.stage.zone, seat.down)


__all__ = ["TEXTS", "history", "history_with_runs"]
