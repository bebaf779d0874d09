"""The side games of a night: the stand-up game, and bomb pots every n hands.

In the stand-up game, all players stand. A player who wins a pot, or a part of one, sits down, and
the last player standing pays each of the others. Then all players stand again. The squid game is
the same, but winners collect tokens (sources: docs/rulings.md 17). Rounds are computed from a
night's hands and never stored, so correcting a hand also corrects its round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from uuid import UUID

from django.utils.translation import gettext as _

from league.models import League, Night, Player, Revision, Seat
from league.stats.recorded_hands import rules_of
from rules.api import game_of, is_bomb_pot, pot_winners
from rules.documents import catalog

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
    return next((each for each in played if each.over and each.hand == hand), None)


@cache
def best_known_bomb_pot() -> str:
    """Return the slug of the catalog's most popular game that is a bomb pot by default."""
    slugs = (*catalog.popular_slugs(), *catalog.slugs())
    games = ((slug, game_of({"variant": slug}).game) for slug in slugs)
    return next(slug for slug, game in games if game and is_bomb_pot(game))


def is_bomb_pot_due(league: League, newest_first: Iterable[Revision]) -> bool:
    """Return whether the next hand is a bomb pot.

    The hands since the last bomb pot are counted, or the night's hands if there was none. Dealing
    another game skips the bomb pot: the next one is due `bomb_pot_every` hands later.
    """
    every = league.bomb_pot_every
    return bool(every) and (hands_since_bomb_pot(newest_first) + 1) % every == 0


def hands_since_bomb_pot(newest_first: Iterable[Revision]) -> int:
    """Return the number of hands since the last bomb pot. Voided hands don't count."""
    hands = 0
    for revision in newest_first:
        if revision.hand.voided:
            continue
        game = rules_of(revision.record, revision.document_id)
        if game and is_bomb_pot(game):
            break
        hands += 1
    return hands


def bomb_pot_reminder(league: League) -> str:
    """Return the reminder that the next hand is a bomb pot."""
    if not league.bomb_pot_ante:
        return _("Next hand: bomb pot.")
    return _("Next hand: bomb pot, everyone antes %(chips)s.") % {
        "chips": f"{league.bomb_pot_ante:,}"
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SideGames:
    """The state of the side games after the night's last hand.

    `rounds` are the rounds of the stand-up game, or None if it is not played. `seats` are all of
    the night's seats.
    """

    rounds: Sequence[Round] | None
    seats: Sequence[Seat]
    bomb_pot_next: bool

    @property
    def running(self) -> Round | None:
        """The round of the stand-up game that is not over, if any."""
        last = self.rounds[-1] if self.rounds else None
        return None if last is None or last.over else last

    @property
    def still_standing(self) -> list[Player]:
        """The seated players still standing. Between rounds, all seated players are standing."""
        if self.rounds is None:
            return []
        here = [seat.player for seat in self.seats if seat.left_at is None]
        if self.running is None:
            return here
        return [player for player in here if str(player.pk) in self.running.standing]


def side_games(
    night: Night, newest_first: Iterable[Revision], seats: Sequence[Seat], *, in_match: bool
) -> SideGames | None:
    """Return the side games, or None if the night is closed or its league plays none.

    `newest_first` contains the night's hands and is read only if needed. A running match determines
    the next game, so no bomb pot is next.
    """
    league = night.league
    if night.state != Night.State.OPEN or not (league.stand_up or league.bomb_pot_every):
        return None
    revisions = list(newest_first)
    return SideGames(
        rounds=rounds_of(night, reversed(revisions)) if league.stand_up else None,
        seats=seats,
        bomb_pot_next=not in_match and is_bomb_pot_due(league, revisions),
    )
