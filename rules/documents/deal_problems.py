"""Whether a game can be dealt: the board is there, what goes is held, the deck suffices."""

from collections.abc import Iterator

from rules.errors import Problem, bad_game
from rules.game.game import Game
from rules.game.steps import Step
from rules.game.zones import Zones, count_step


def board_problems(game: Game) -> Iterator[Problem]:
    slots = [slot for row in game.board for slot in row]
    dealt: set[str] = set()
    for step in game.steps:
        if step.verb == "board":
            for slot in step.slots:
                if slot in dealt:
                    yield bad_game("deal", f"slot {slot} is dealt twice", slot)
                elif slot not in slots:
                    yield bad_game("deal", f"{step.text!r}: {is_away(slot)}", slot)
            dealt |= set(step.slots)
    for line in game.lines:
        yield from (bad_game("lines", is_away(slot), slot) for slot in line if slot not in slots)
    for slot in slots:
        if slot not in dealt:
            yield bad_game("deal", f"slot {slot} of the board is never dealt", slot)


def is_away(slot: str) -> str:
    return f"under these options the board has no slot {slot}"


def deal_problems(game: Game) -> Iterator[Problem]:
    """Nobody can part with more cards than are held; cards thrown away may be dealt again, but
    those held together must all come from one deck."""
    hands = game.players[1] - (1 if game.bank else 0)
    held, common, taken, needed = Zones(), 0, 0, 0
    for step in game.steps:
        if step.verb in PARTING and _parted(step) > _partable(held, step):
            cards = _partable(held, step)
            yield bad_game(
                "deal", f"{step.text!r}: no more than {cards} cards are held there", step.text
            )
        count_step(held, step)
        common += len(step.slots)
        taken += _taken(step)
        own = held.together - taken
        needed = max(needed, own * hands + common + len(held.extra_cards))
    if needed > len(game.deck):
        reason = f"{game.players[1]} players need {needed} cards, the deck has {len(game.deck)}"
        yield bad_game("players", reason)


def _taken(step: Step) -> int:
    """The most cards that one player takes from the table."""
    if step.verb == "take":
        return step.most
    return len(step.place.slots) if step.verb == "bid" and step.place else 0


def table_problems(game: Game) -> Iterator[Problem]:
    """Rows from which cards are taken must lie there and have them, and a price for each or all."""
    dealt: set[str] = set()
    for step in game.steps:
        dealt |= set(step.slots)
        if step.verb in NOT_WHILE_TURNING and (game.bank or game.turned is not None):
            what = "a bank" if game.bank else "cards turned one by one"
            yield bad_game("deal", f"{step.text!r} can't stand beside {what}", step.text)
        if step.place is None:
            continue
        if not dealt.issuperset(game.slots_at(step.place)):
            yield bad_game("deal", f"{step.text!r}: not all of it is dealt before", step.text)
        if step.verb not in {"take", "swap"}:
            continue
        row = game.slots_at(step.place)
        wanted = step.least * game.players[1] if step.verb == "take" else step.most
        if max(wanted, step.most) > len(row):
            reason = f"{step.text!r} asks for {max(wanted, step.most)} cards"
            yield bad_game("deal", f"{reason}, the row has {len(row)}", step.text)
        if len(step.prices) not in {0, 1, len(row)}:
            reason = f"{step.text!r}: one price, or one for each of {len(row)} cards"
            yield bad_game("deal", reason, step.text)


NOT_WHILE_TURNING = {"take", "swap", "swap hand", "extra", "hit", "toll", "push", "bid"}
PARTING = {"discard", "draw", "buy", "pass", "swap", "swap hand", "turn", "set"}
FROM_DOWN = {"swap hand", "turn"}


def _parted(step: Step) -> int:
    """How many cards a step takes away; what is laid into piles leaves the hand. Of a whole hand
    that goes away there is a card at least."""
    if step.verb == "set":
        return sum(int(laid.split(" ")[1]) for laid in step.word.split(", "))
    return max(step.most, step.verb == "swap hand")


def _partable(held: Zones, step: Step) -> int:
    """The most cards that a player may hold where a step takes some away."""
    zones = {"any": ("down", "up"), "up": ("up",)}.get(step.zone, ("down",))
    return sum(held.most[zone] for zone in (("down",) if step.verb in FROM_DOWN else zones))
