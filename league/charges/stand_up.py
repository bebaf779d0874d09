"""The stand-up game: rounds of hands in which each player has to win a pot.

All players stand. A player who wins a pot, or a part of one, sits down, and the last player
standing pays each of the others. Then all players stand again. The squid game is the same, but
winners collect tokens (sources: docs/rulings.md 17). Rounds are computed from a night's hands and
never stored, so correcting a hand also corrects its round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from league.models import Night, Revision, Seat
from league.stats.recorded_hands import rules_of
from rules.api import pot_winners

LEAST_PLAYERS = 3  # with two players, every hand would be a round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand with the ids of the players who were dealt in and of those who won a pot.

    `gone` contains players who had left the table before the hand.
    """

    id: UUID
    players: frozenset[str]
    winners: frozenset[str]
    gone: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Round:
    """A round with the ids of its players and of those still standing. `hand` is its last hand."""

    players: frozenset[str]
    standing: frozenset[str]
    hand: UUID

    @property
    def over(self) -> bool:
        return len(self.standing) < 2

    @property
    def loser(self) -> str | None:
        """The last player standing, or None if the last ones sat down together or left."""
        return next(iter(self.standing)) if len(self.standing) == 1 and self.payees else None

    @property
    def payees(self) -> frozenset[str]:
        return self.players - self.standing

    def after(self, hand: PlayedHand) -> "Round":
        """Return the round after one more hand. Players who have left are out of the round."""
        standing = self.standing - hand.winners - hand.gone
        return replace(self, players=self.players - hand.gone, standing=standing, hand=hand.id)


def rounds(hands: Iterable[PlayedHand]) -> list[Round]:
    """Return the rounds. `hands` are in order. Only the last round may still be running.

    The players of a round are those dealt into its first hand, at least `LEAST_PLAYERS`.
    """
    played: list[Round] = []
    for hand in hands:
        if played and not played[-1].over:
            played[-1] = played[-1].after(hand)
        elif len(hand.players) >= LEAST_PLAYERS:
            played.append(Round(hand.players, hand.players, hand.id).after(hand))
    return played


def rounds_of(night: Night, revisions: Iterable[Revision]) -> list[Round]:
    """Return the night's rounds. `revisions` are its hands in order; voided hands are skipped."""
    seats = Seat.objects.filter(night=night).values_list("player", "left_at")
    left_at = {str(player): moment for player, moment in seats if moment}
    hands = []
    for revision in (each for each in revisions if not each.hand.voided):
        names, dealt_at = revision.names, revision.hand.made_at
        players = frozenset(names.values())
        gone = frozenset(player for player, moment in left_at.items() if moment <= dealt_at)
        if revision.depth != Revision.Depth.RESULT:
            won = pot_winners(revision.answer)
        else:  # without cards, the players who took chips from the pot have won it
            game = rules_of(revision.record, revision.document_id)
            took = revision.answer["won"] if game and game.compares_hands else {}
            won = frozenset(name for name, chips in took.items() if chips)
        winners = frozenset(names[name] for name in won)
        hands.append(
            PlayedHand(id=revision.hand_id, players=players, winners=winners, gone=gone - players)
        )
    return rounds(hands)


def round_ended_by(hand: UUID, played: Sequence[Round]) -> Round | None:
    """Return the round that ended with this hand, if any."""
    return next((each for each in played if each.over and each.hand == hand), None)
