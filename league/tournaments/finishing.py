"""End a tournament. The prizes and bounties become a charge in the night.

A tournament ends when one player is left, or when all remaining players agree on a deal.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone

from league.charges.charging import NewCharge, Share, charge, undo
from league.common.errors import Problem, RefusedError, problem, refuse
from league.common.money import in_money
from league.models import MOST_CHIPS, Charge, Tournament, User
from league.nights.nights import lock_and_bump
from league.tournaments import field
from league.tournaments.events import TournamentState, elapsed_milliseconds, results_of, state_of
from league.tournaments.making import is_over, lock_running


@transaction.atomic
def finish(
    tournament: Tournament,
    *,
    deal: Mapping[UUID, int] | None = None,
    by: User | None,
) -> Charge:
    """End the tournament and charge the players' payments and winnings.

    `deal` maps the remaining players to their prizes, in order of place. Ending the tournament
    twice changes nothing. Raises RefusedError if there are no entries, if several players are left
    without a deal, or if the deal does not cover all remaining players or does not add up to the
    rest of the pool.
    """
    lock_and_bump(tournament.night)
    stored = Tournament.objects.select_related("charge__posting").get(pk=tournament.pk)
    if stored.charge is not None and is_over(stored):
        return stored.charge
    tournament = lock_running(tournament)
    state = state_of(tournament)
    refuse(_wrong_end(state, deal))
    tournament.deal = deal and [[str(player), chips] for player, chips in deal.items()]
    results = results_of(tournament, state.field)
    shares = {
        state.players[result.player]: Share(
            result.prize + result.bounties, result.paid, result.place
        )
        for result in results
    }
    new_charge = NewCharge(kind=Charge.Kind.TOURNAMENT, title=tournament.name, shares=shares)
    # Results that were undone keep their ids.
    ids = (uuid5(tournament.pk, f"result:{number}") for number in count())
    charge_id = next(each for each in ids if not Charge.objects.filter(pk=each).exists())
    tournament.charge = charge(tournament.night, new_charge, charge_id=charge_id, by=by)
    tournament.clock_passed = elapsed_milliseconds(tournament, timezone.now())
    tournament.clock_started_at = None
    tournament.save(update_fields=["deal", "charge", "clock_passed", "clock_started_at"])
    return tournament.charge


def resume(tournament: Tournament, *, by: User | None) -> None:
    """Undo the result, if there is one, so that the tournament continues. Raises RefusedError."""
    if tournament.charge is not None:
        undo(tournament.charge, by=by)


def prizes_left(state: TournamentState) -> list[int]:
    """Return the prizes for the remaining players, starting with first place."""
    playing = len(state.field.playing)
    return [*state.prizes, *[0] * playing][:playing]


def deals(state: TournamentState, stacks: Mapping[UUID, int]) -> dict[str, dict[UUID, int]]:
    """Return the remaining players' shares by chip count and by ICM, largest stack first.

    Raises RefusedError if a stack is missing or is not a whole number, or if there are too many
    players for ICM.
    """
    if set(stacks) != set(state.field.playing):
        text = "enter the chips of each player who is still in"
        raise RefusedError([problem("stacks", "bad-stacks", text)])
    if any(type(chips) is not int or not 1 <= chips <= MOST_CHIPS for chips in stacks.values()):
        text = f"enter whole numbers from 1 to {MOST_CHIPS}"
        raise RefusedError([problem("stacks", "bad-chips", text)])
    order = sorted(stacks, key=lambda player: -stacks[player])
    chips, prizes = [stacks[player] for player in order], prizes_left(state)
    ways = {"chips": field.by_chips, "icm": field.by_icm}
    return {name: dict(zip(order, way(chips, prizes), strict=True)) for name, way in ways.items()}


def _wrong_end(state: TournamentState, deal: Mapping[UUID, int] | None) -> Iterator[Problem]:
    playing = state.field.playing
    if len(state.field.players) < 2:
        yield problem("tournament", "too-few", "at least two players must enter")
    elif deal is None:
        if len(playing) > 1:
            text = f"{len(playing)} players are still in: play on to one winner or make a deal"
            yield problem("deal", "still-playing", text)
    elif set(deal) != set(playing):
        yield problem("deal", "bad-deal", "a deal needs a payout for each player who is still in")
    elif any(type(chips) is not int or not 0 <= chips <= MOST_CHIPS for chips in deal.values()):
        yield problem("deal", "bad-chips", f"enter whole numbers from 0 to {MOST_CHIPS}")
    elif sum(deal.values()) != sum(prizes_left(state)):
        agreed, left = (
            f"{chips:,} chips ({in_money(chips, state.tournament.night)})"
            for chips in (sum(deal.values()), sum(prizes_left(state)))
        )
        yield problem(
            "deal", "does-not-add-up", f"the payouts add up to {agreed}, but {left} are left to pay"
        )
