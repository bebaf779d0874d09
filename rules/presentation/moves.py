"""The cards that each step of a deal moves, derived from the final hands of a record."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rules.cards import parse_card
from rules.game.game import Game, Step

Record = Mapping[str, Any]


@dataclass(slots=True)
class Move:
    """The effect of a step: places that receive a card face down or up, and places turned up."""

    down: list[str]
    up: list[str]
    turned: tuple[str, ...] = ()


def moves_of(game: Game, record: Record) -> list[Move]:
    """Return the moves of each step of the deal, derived from the final hands of a record."""
    moves = [Move([], []) for _ in game.steps]
    last_deal = [at for at, step in enumerate(game.steps) if step.verb == "deal"][-1]
    for seat, player in enumerate(record["players"]):
        hand = _Hand(game, seat, player, is_bank=game.bank and seat == record["button"])
        for step, move in zip(game.steps, moves, strict=True):
            hand.take(step, move)
        hand.take_rest(moves[last_deal])
    rows = record.get("board", ())
    places = {
        slot: f"board/{row}/{at}"
        for row, slots in enumerate(game.board[: len(rows)])
        for at, slot in enumerate(slots[: len(rows[row])])
    }
    shared = [f"shared/{at}" for at in range(len(record.get("shared", ())))]
    for step, move in zip(game.steps, moves, strict=True):
        if step.verb == "board":
            cards = [places.pop(slot) for slot in step.slots if slot in places]
            (move.down if step.face_down else move.up).extend(cards)
        elif step.verb in ("buy", "draw") and step.zone == "common":
            move.up += _next(shared, 1)
    moves[last_deal].up += shared  # shared cards that no step has dealt
    return moves


class _Hand:
    """A player's cards that have not been dealt yet."""

    def __init__(self, game: Game, seat: int, player: Record, *, is_bank: bool) -> None:
        self.where = f"players/{seat}"
        self.cards = {
            zone: [f"{self.where}/{zone}/{at}" for at in range(len(player.get(zone, ())))]
            for zone in ("down", "up")
        }
        self.piles = {
            pile: [f"{self.where}/piles/{pile}/{at}" for at in range(len(cards))]
            for pile, cards in player.get("piles", {}).items()
        }
        self.earners = [
            place
            for place, card in zip(self.cards["up"], player.get("up", ()), strict=True)
            if parse_card(card) in game.extra_cards
        ]
        self.unseen = not is_bank and not any((*self.cards.values(), *self.piles.values()))
        turned = self._turned(game)
        self.up = [place for place in self.cards["up"] if place not in turned]
        self.waiting = [place for place in self.cards["up"] if place in turned]
        zones = {step.zone for step in game.steps}
        self.dealt_piles = [pile for pile in self.piles if f"pile {pile}" in zones]
        set_later = (self.piles[pile] for pile in self.piles if pile not in self.dealt_piles)
        self.down = [*self.waiting, *self.cards["down"], *chain.from_iterable(set_later)]
        dealt_up = [s.most for s in game.steps if s.verb == "deal" and s.zone == "up"]
        self.surplus_up = len(self.up) - sum(dealt_up)

    def _turned(self, game: Game) -> set[str]:
        """Return the player's cards that were dealt face down and turned up later."""
        cards: set[str] = set()
        at = 0
        for step in game.steps:
            if step.verb == "deal" and step.zone == "up":
                at += step.most
            elif step.verb == "turn":
                cards.update(self.cards["up"][at : at + step.most])
                at += step.most
            elif step.verb == "turn until":
                cards.update(self.cards["up"][at:])
        return cards

    def take(self, step: Step, move: Move) -> None:
        """Deal the cards of a step to the player."""
        match step.verb:
            case "deal" if self.unseen:
                self._take_unseen(step, move)
            case "deal" if step.zone.startswith("pile "):
                move.down += _next(self.piles.get(step.zone.removeprefix("pile "), []), step.most)
            case "deal" if step.zone == "up":
                move.up += _next(self.up, step.most)
            case "deal":
                move.down += _next(self.down, step.most)
            case "draw" | "buy" | "extra" | "hit" | "take" | "push":
                self._take_more(step, move)
            case "turn":
                move.turned += tuple(_next(self.waiting, step.most))
            case "turn until":  # earned cards can't be turned over yet
                there = [place for place in self.waiting if place not in self.down]
                move.turned += tuple(_next(self.waiting, len(there)))
            case "earn":
                self._take_earned(move)

    def _take_unseen(self, step: Step, move: Move) -> None:
        """Deal unseen cards once to a player whose cards were not recorded."""
        if step.zone in ("down", "up"):
            move.down += [f"{self.where}/unseen/{at}" for at in range(step.most)]
        self.unseen = False

    def _take_more(self, step: Step, move: Move) -> None:
        """Deal additional cards. Drawn cards take the places of the discards."""
        count = step.change if step.verb in {"draw", "buy"} else step.most
        laid, held = (move.up, self.up) if step.zone == "up" else (move.down, self.down)
        laid += _next(held, max(count, 0))

    def _take_earned(self, move: Move) -> None:
        """Deal a card for each turned-up card that earns one.

        The card is dealt up if up cards are left, or if it was turned over like the others.
        """
        seen = [place for place in self.earners if place not in self.up]
        self.earners = [place for place in self.earners if place in self.up]
        for _ in seen:
            if self.surplus_up > 0:
                self.surplus_up -= 1
                move.up += _next(self.up, 1)
            else:
                earned = _next(self.down, 1)
                (move.up if set(earned) <= set(self.waiting) else move.down).extend(earned)

    def take_rest(self, move: Move) -> None:
        """Place the cards that no step has dealt, so that no card is missing."""
        move.down += self.down
        move.up += self.up
        move.down += [place for pile in self.dealt_piles for place in self.piles.get(pile, ())]


def _next(places: list[str], count: int) -> list[str]:
    taken = places[:count]
    del places[:count]
    return taken
