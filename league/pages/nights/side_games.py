"""Sentences about the side games of an open night."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from league.charges.side_games import (
    SideGames,
    best_known_bomb_pot,
    bomb_pot_reminder,
    round_ended_by,
    side_games,
)
from league.matches import MatchStatus
from league.models import League, Night, Seat
from league.pages.nights.hand_list import HandLine


@dataclass(frozen=True, slots=True)
class SideGamesView:
    """The side games for the night page and the TV screen."""

    league: League
    games: SideGames

    @property
    def stand_up(self) -> str:
        """The players still standing, or "" if the stand-up game is not played."""
        if self.games.rounds is None:
            return ""
        if self.games.running is None:
            return _("Stand-up game: everyone is standing.")
        return _("Still standing: %(names)s") % {
            "names": ", ".join(player.name for player in self.games.still_standing)
        }

    @property
    def bomb_pot(self) -> str:
        """The reminder if the next hand is a bomb pot, otherwise ""."""
        return bomb_pot_reminder(self.league) if self.games.bomb_pot_next else ""

    @property
    def bomb_pot_game(self) -> str:
        """The slug of the game to deal as a bomb pot."""
        return best_known_bomb_pot()

    def round_end(self, hand: UUID) -> str:
        """Return how the hand ended a round of the stand-up game, or "" if it didn't."""
        ended = round_ended_by(hand, self.games.rounds or ())
        if ended is None:
            return ""
        players = [seat.player for seat in self.games.seats]
        names = [player.name for player in players if str(player.pk) == ended.loser]
        if not names:
            return _("The round is over. No one pays.")
        return _("The round is over: %(name)s is the last player standing.") % {"name": names[0]}


def side_games_of(
    night: Night, seats: Sequence[Seat], hands: Sequence[HandLine], match: MatchStatus | None
) -> SideGamesView | None:
    """Return the night's side games, if any. `hands` are newest first."""
    revisions = (line.revision for line in hands)
    games = side_games(night, revisions, seats, in_match=bool(match and not match.over))
    return SideGamesView(night.league, games) if games else None
