"""The side games of an open night: players still standing, and whether a bomb pot is next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from league.charges import bomb_pots
from league.charges.stand_up import Round, rounds_of
from league.models import Night, Player, Revision, Seat


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
    def standing(self) -> list[Player]:
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
        bomb_pot_next=not in_match and bomb_pots.is_due(league, revisions),
    )
