"""The table before the night's next hand: its seats, last hand and dealer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import UUIDField

from league.common.errors import RefusedError, problem, refuse
from league.common.statements import Given, RowLookup
from league.games.lookup import house_games
from league.matches import (
    MatchStatus,
    as_match_deal,
    match_deals,
    match_status,
    pots_of_matches,
)
from league.models import Deal, DealtPlayer, Night, Revision, Seat
from league.nights import nights
from rules.documents import catalog
from rules.errors import GameError
from rules.presentation.form import form
from rules.presentation.form import game_of as game_of_form
from rules.presentation.rules_page import rules_card

_OPEN_DEAL = RowLookup(
    Deal.objects.filter(night=Given("night", UUIDField())).select_related("dealer")
)


@dataclass(frozen=True, slots=True)
class LeftPots:
    """The pots that a hand left for the next hand."""

    hand: Revision
    pots: list[dict[str, Any]]

    def limited_to(self, here: set[str]) -> set[str]:
        """Return the names of the players who may win the pots, or none if all players here may."""
        if all(here <= set(pot.get("for", here)) for pot in self.pots):
            return set()
        return {name for pot in self.pots for name in pot.get("for", here)}

    def dealt_again_to(self, variant: object, here: set[str]) -> set[str]:
        """Return the names of the players in the next deal, or none if all players are dealt in.

        Only the game that left the pots is dealt again to the players who may win them. A hand with
        other players passed the pots on.
        """
        names = {player["name"] for player in self.hand.record["players"]}
        may_win = self.limited_to(here)
        passed_on = bool(self.hand.record.get("carried")) and not names <= may_win
        return set() if passed_on or variant != self.hand.record["variant"] else may_win


class Table:
    """The data that a night's next hand depends on. Each part is read once, on first use.

    The data is never reloaded. Use an instance for one request only, or within a transaction before
    the transaction writes.
    """

    def __init__(self, night: Night) -> None:
        self.night = night

    @cached_property
    def seats(self) -> list[Seat]:
        """All seats with their players, in order. Players who have left are included."""
        return nights.seats(self.night)

    @cached_property
    def taken(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.left_at is None]

    @cached_property
    def last_hand(self) -> Revision | None:
        """The current revision of the hand that was dealt last and is not voided."""
        return nights.last_hand(self.night)

    @cached_property
    def carry(self) -> int:
        """How many chips earlier hands left, including the pots of unfinished matches."""
        return nights.carry(self.night)

    @cached_property
    def match_pots(self) -> dict[str, int]:
        """The pots of unfinished matches, keyed by match, latest last."""
        return pots_of_matches(self.night) if self.carry else {}

    @property
    def free_carry(self) -> int:
        """How many chips the pot of the next hand starts with if it is not a deal of a match."""
        return max(0, self.carry - sum(self.match_pots.values()))

    @cached_property
    def left_pots(self) -> LeftPots | None:
        """The pots of the free carry, or None if no hand left exactly these chips."""
        # A late hand has the last number, but was dealt earlier. Either can have left the chips.
        last = (self.last_hand, nights.last_recorded(self.night)) if self.free_carry else ()
        for hand in filter(None, last):
            pots = hand.answer.get("carries", [])
            if sum(pot["amount"] for pot in pots) == self.free_carry:
                return LeftPots(hand, pots)
        return None

    def dealt_again_to(self, variant: object) -> set[str]:
        """Return the names of the seated players in a deal of this game, or none if all are."""
        here = {seat.player.name for seat in self.taken}
        return self.left_pots.dealt_again_to(variant, here) if self.left_pots else set()

    @cached_property
    def match(self) -> MatchStatus | None:
        """The match that the next hand continues, if the night is open.

        It is the match of the last hand, or a match whose pot waited while another game was played.
        If another game left a pot, it is played again before the match continues.
        """
        last = self.last_hand
        if self.night.state != Night.State.OPEN or last is None:
            return None
        match = as_match_deal(last).match_id
        if match is None or last.answer["match"]["over"]:
            match = None if self.free_carry else next(reversed(self.match_pots), None)
        return match_status(match_deals(self.night, [match])) if match else None

    @cached_property
    def sitting_out(self) -> frozenset[str]:
        """The seated players who were left out of the running match's last deal.

        Players who sat down after that deal are not included.
        """
        match = self.match
        if match is None:
            return frozenset()
        return frozenset(seat.player.name for seat in self.taken if match.leaves_out(seat))

    @cached_property
    def open_deal(self) -> Deal | None:
        """The deal whose hand is not recorded yet."""
        deal = _OPEN_DEAL.first(night=self.night.pk)
        if deal:
            deal.night = self.night
        return deal

    @cached_property
    def dealer(self) -> Seat | None:
        """The next dealer's seat, or None if no seat is taken."""
        return next_dealer(self.last_hand, self.seats, self.match)

    @cached_property
    def dealer_in_turn(self) -> Seat | None:
        """The next dealer's seat if the next game is not part of the running match."""
        return next_dealer(self.last_hand, self.seats, None)


def next_dealer(
    last: Revision | None, seats: Sequence[Seat], match: MatchStatus | None
) -> Seat | None:
    """Return the seat that deals after the hand `last`, or None if no seat is taken.

    The deal passes to the next taken seat, or stays if the game is dealt again (docs/rulings.md 6).
    After a deal of the match that continues, its rules name the dealer. After another game, the
    deal passes to the next player of the match, unless its rules keep the same dealer. `seats`
    contains all of the night's seats in order.
    """
    taken = [seat for seat in seats if seat.left_at is None]
    if last is None:
        return next(iter(taken), None)
    match = None if match and match.over else match
    dealer = last.names[last.record["players"][last.record["button"]]["name"]]
    named = match.dealer if match and (match.keeps_dealer or match.hand == last.hand_id) else ""
    again = dealer if is_dealt_again(last) else ""
    by_rules = [seat for seat in taken if seat.player.name == named]
    by_rules += [seat for seat in taken if str(seat.player_id) == again]
    if by_rules:
        return by_rules[0]
    place = next((seat.position for seat in seats if str(seat.player_id) == dealer), -1)
    in_turn = sorted(taken, key=lambda seat: (seat.position <= place, seat.position))
    playing = [seat for seat in in_turn if not (match and match.skips(seat))]
    return next(iter(playing or in_turn), None)


def is_dealt_again(hand: Revision) -> bool:
    """Return whether the verdict requires the same dealer to deal the same game again."""
    return any("dealer" in reason for reason in hand.answer.get("reasons", ()))


IN, OUT = "in", "out"  # what players declare at a stage with the key `STAYING`
STAYING = "staying"
HOLDING = frozenset({DealtPlayer.State.IN, DealtPlayer.State.ALL_IN})


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game as named by the dealer, with its slug, variations and options."""

    variant: str
    modifiers: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A deal's game, with its rules card and its form."""

    variant: str | Mapping[str, Any]
    card: Mapping[str, Any]
    form: Mapping[str, Any]

    @property
    def stages(self) -> list[dict[str, str]]:
        stages: list[dict[str, str]] = self.card["stages"]
        return stages

    def stage(self, number: int) -> dict[str, str]:
        return self.stages[min(number, len(self.stages) - 1)]

    def declarations(self, number: int) -> list[str]:
        """Return what players can declare at this stage."""
        declared: list[str] = self.form["declarations"]
        return [IN, OUT] if STAYING in self.stage(number) else declared

    def has_bet(self, number: int) -> bool:
        """Return whether players bet at this stage or before it."""
        return any("betting" in stage for stage in self.stages[: number + 1])

    @property
    def first_dealt(self) -> int:
        """The index of the first stage at which cards are dealt."""
        dealt = (at for at, stage in enumerate(self.stages) if stage["kind"] in ("deal", "draw"))
        return next(dealt, 0)

    @property
    def last_dealt(self) -> int:
        """The index of the last stage at which cards are dealt."""
        dealt = [at for at, stage in enumerate(self.stages) if stage["kind"] in ("deal", "draw")]
        return max(dealt, default=0)


def board_steps(variant: str | Mapping[str, Any], form: Mapping[str, Any]) -> list[Sequence[str]]:
    """Return the names of the board's slots that each step deals, in the order of the deal."""
    game = game_of_form(variant, form["modifiers"], form["chosen"])
    return [step.slots for step in game.steps if step.verb == "board"]


def game_of(deal: Deal) -> Game:
    """Return the deal's game from the league or the catalog. Raises RefusedError."""
    return read_game(deal.night, NamedGame(deal.variant, deal.modifiers, deal.options))


def read_game(night: Night, named: NamedGame) -> Game:
    """Return the game with this name in the night.

    Raises RefusedError if the game is unknown or its options are invalid.
    """
    slug = named.variant
    house = {} if slug in catalog.slugs() else house_games(night)
    if slug not in catalog.slugs() and slug not in house:
        refuse([problem("variant", "unknown-game", "Choose a game.")])
    try:
        words = (house.get(slug, slug), named.modifiers, named.options)
        return Game(words[0], rules_card(*words), form(*words))
    except GameError as bad:
        raise RefusedError(
            problem(fault.where, fault.code, fault.text) for fault in bad.problems
        ) from None
