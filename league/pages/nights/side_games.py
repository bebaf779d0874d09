"""The side games of an open night: who still stands, and whether the next hand is a bomb pot."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from league.charges import bomb_pots
from league.charges.stand_up import Round, round_ended_by, rounds_of
from league.models import League, Night, Revision, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SideGames:
    """The state of the side games after the night's last hand.

    `rounds` are the rounds of the stand-up game, or None if it is not played. `bomb_pot` is the
    reminder if the next hand is a bomb pot, otherwise "".
    """

    rounds: Sequence[Round] | None
    seats: Sequence[Seat]
    bomb_pot: str

    @property
    def bomb_pot_game(self) -> str:
        """The slug of the game to deal as a bomb pot."""
        return bomb_pots.best_known()

    @property
    def stand_up(self) -> str:
        """Who still stands, or "" if the game is not played."""
        if self.rounds is None:
            return ""
        if not self.rounds or self.rounds[-1].over:
            return _("Stand-up game: everyone stands.")
        standing = self.rounds[-1].standing
        here = [seat for seat in self.seats if seat.left_at is None]
        names = [seat.player.name for seat in here if str(seat.player_id) in standing]
        return _("Standing: %(names)s") % {"names": ", ".join(names)}

    def round_end(self, hand: UUID) -> str:
        """Return how the hand ended a round of the stand-up game, or "" if it didn't."""
        ended = round_ended_by(hand, self.rounds or ())
        if ended is None:
            return ""
        names = [each.player.name for each in self.seats if str(each.player_id) == ended.loser]
        if not names:
            return _("The round is over without a last player standing.")
        return _("The round is over: %(name)s is the last one standing.") % {"name": names[0]}


def side_games(
    night: Night, newest_first: Sequence[Revision], seats: Sequence[Seat], *, in_match: bool
) -> SideGames | None:
    """Return the side games, or None if the night is closed or its league plays none.

    `seats` are all of the night's seats. A running match determines the next game, so the table
    isn't reminded of a bomb pot.
    """
    league = night.league
    if night.state != Night.State.OPEN or not (league.stand_up or league.bomb_pot_every):
        return None
    is_due = not in_match and bomb_pots.is_due(league, newest_first)
    return SideGames(
        rounds=rounds_of(night, reversed(newest_first)) if league.stand_up else None,
        seats=seats,
        bomb_pot=bomb_pot_reminder(league) if is_due else "",
    )


def bomb_pot_reminder(league: League) -> str:
    """Return the reminder that the next hand is a bomb pot."""
    if not league.bomb_pot_ante:
        return _("Next hand: bomb pot.")
    return _("Next hand: bomb pot, everyone puts in %(chips)s.") % {
        "chips": f"{league.bomb_pot_ante:,}"
    }
