"""Side bets and side games decided by a night's hands. A member has to confirm each charge.

The rules decide who won a bet, and confirming the bet creates the charge. A bet's id is derived
from the hand's revision. Therefore two phones that confirm the same bet create only one charge, and
the bet is offered again after the hand is corrected.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid5

from django.db.models import Q
from django.utils.translation import gettext as _

from league.charges.charging import (
    NewCharge,
    Share,
    best_of_games,
    fund_of,
    high_hand_night,
    is_due,
)
from league.charges.side_games import Round, round_ended_by, rounds_of
from league.hands.revisions import record_at_the_end
from league.models import Charge, Night, Player, Revision, Season, Seat
from league.nights.nights import hands
from league.stats.recorded_hands import rules_of
from rules.api import HighHand, bad_beats, high_hands, won_with_seven_deuce
from rules.presentation.hand_words import hand_phrase

Kind = Charge.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBet:
    """A charge that a member can confirm. `text` is the reason for the charge."""

    id: UUID
    text: str
    new_charge: NewCharge


@dataclass(frozen=True)
class _Table:
    """The data needed for all of a night's bets. Each part is queried once.

    `rounds` are the rounds of the stand-up game.
    """

    night: Night
    rounds: Sequence[Round] = ()

    @cached_property
    def players(self) -> dict[str, Player]:
        return {str(each.pk): each for each in self.night.league.players.all()}

    @cached_property
    def fund(self) -> int:
        return fund_of(self.night)

    def players_of(self, revision: Revision) -> dict[str, Player]:
        return {name: self.players[player] for name, player in revision.names.items()}


def charges_of(night: Night) -> list[Charge]:
    """Return all of the night's charges, oldest first, each annotated with `undone`."""
    rows = Charge.objects.filter(night=night).annotate(undone=Q(posting__reversal__isnull=False))
    rows = rows.select_related("hand__night", "keeper", "made_by").order_by("made_at", "pk")
    return list(rows.prefetch_related("shares__player"))


def valid_charges(charges: Iterable[Charge]) -> list[Charge]:
    """Return the charges from `charges_of` that were not undone."""
    return [each for each in charges if not vars(each)["undone"]]  # set by `charges_of`


def waiting_bets(night: Night, revision: Revision, rounds: Sequence[Round] = ()) -> list[SideBet]:
    """Return the side bets that the hand has decided and that are not charged yet.

    `rounds` are the night's rounds of the stand-up game.
    """
    league = night.league
    if not (league.seven_deuce or league.bad_beat or league.stand_up):
        return []
    return _of_hand(night, revision, charges_of(night), _Table(night, rounds))


def of_night(
    night: Night, revisions: Iterable[Revision], charges: Sequence[Charge]
) -> list[SideBet]:
    """Return all of a night's side bets that are not charged yet.

    Bets on single hands come before bets on the whole night.
    """
    dealt = [revision for revision in revisions if not revision.hand.voided]
    at_table = _Table(night, rounds_of(night, dealt) if night.league.stand_up else ())
    bets = [bet for revision in dealt for bet in _of_hand(night, revision, charges, at_table)]
    kinds = {charge.kind for charge in valid_charges(charges)}
    sat = [seat.player for seat in Seat.objects.filter(night=night).select_related("player")]
    if night.league.high_hand and Kind.HIGH_HAND not in kinds:
        bets += _uncharged_bets(_high_hand(dealt, sat, at_table), charges)
    if is_due(night):
        bets += _uncharged_bets(_season_high_hand(dealt, at_table), charges)
    if night.league.fund_each and night.league.fund_keeper and Kind.FUND not in kinds and sat:
        bets += _uncharged_bets([_into_fund(night, sat)], charges)
    return bets


def night_with_season_high_hand(season: Season) -> Night | None:
    """Return the night to which members can charge the season's high hand, if any."""
    night = high_hand_night(season)
    if night is None:
        return None
    dealt = [each for each in hands(night) if not each.hand.voided]
    return (
        night
        if _uncharged_bets(_season_high_hand(dealt, _Table(night)), charges_of(night))
        else None
    )


def charged_hands(charges: Iterable[Charge], dealt: Sequence[Revision]) -> list[Revision]:
    """Return `dealt` and any other revisions that the charges reference."""
    here = {each.hand_id for each in dealt}
    elsewhere = {each.hand_id for each in charges if each.hand_id} - here
    if not elsewhere:
        return list(dealt)
    rows = Revision.objects.filter(hand__in=elsewhere, current=True)
    return [*dealt, *rows.select_related("hand", "document")]


def no_longer_won(charge: Charge, revision: Revision | None, rounds: Sequence[Round] = ()) -> bool:
    """Check whether the bet's hand was removed, or hands were corrected so that the result changed.

    `rounds` are the night's rounds of the stand-up game. The league's current stakes and the fund's
    balance do not matter.
    """
    if charge.hand_id is None or charge.kind not in {*WINNERS, Kind.STAND_UP}:
        return False
    if revision is None or revision.hand.voided:
        return True
    if charge.kind == Kind.STAND_UP:
        ended, shares = round_ended_by(charge.hand_id, rounds), charge.shares.all()
        return ended is None or (
            {str(share.player_id) for share in shares if share.gets} != ended.payees
            or {str(share.player_id) for share in shares if share.owes} != {ended.loser}
        )
    name = WINNERS[charge.kind](revision)
    winner = {revision.names[name]} if name else set()
    return winner != {str(share.player_id) for share in charge.shares.all() if share.gets}


def _of_hand(
    night: Night, revision: Revision, charges: Sequence[Charge], at_table: _Table
) -> list[SideBet]:
    """Return the bets that the hand has won, except bets whose charge was undone."""
    if revision.hand.voided:
        return []
    charged = {
        charge.kind for charge in valid_charges(charges) if charge.hand_id == revision.hand_id
    }
    won: list[SideBet] = []
    if night.league.seven_deuce:
        won += _seven_deuce(night, revision, at_table.players_of(revision))
    if night.league.bad_beat and night.league.fund_keeper:
        won += _bad_beat(night, revision, at_table)
    if night.league.stand_up:
        won += _stand_up(night, revision, at_table)
    uncharged = _uncharged_bets(won, charges)
    return [bet for bet in uncharged if bet.new_charge.kind not in charged]


def _uncharged_bets(bets: Iterable[SideBet], charges: Iterable[Charge]) -> list[SideBet]:
    charged = {each.pk for each in charges}
    return [each for each in bets if each.id not in charged]


def _won_with_seven_deuce(revision: Revision) -> str | None:
    """Return the player who won the whole pot with 7-2, if any.

    A hand history is replayed only if one player won everything, because replaying takes time.
    """
    if sum(1 for chips in revision.answer["won"].values() if chips) != 1:
        return None
    return won_with_seven_deuce(record_at_the_end(revision), revision.answer)


def _beaten_badly(revision: Revision) -> HighHand | None:
    game = rules_of(revision.record, revision.document_id)
    lost = bad_beats(game, revision.answer) if game else []
    return lost[0] if lost else None


def _name_beaten_badly(revision: Revision) -> str | None:
    return lost.player if (lost := _beaten_badly(revision)) else None


def _highest(revision: Revision) -> HighHand | None:
    game = rules_of(revision.record, revision.document_id)
    shown = high_hands(game, revision.answer) if game else []
    return shown[0] if shown else None


def _name_with_high_hand(revision: Revision) -> str | None:
    return best.player if (best := _highest(revision)) else None


# For each kind of bet, the function that finds the winner in a hand's revision.
WINNERS: dict[str, Callable[[Revision], str | None]] = {
    Kind.BOUNTY: _won_with_seven_deuce,
    Kind.BAD_BEAT: _name_beaten_badly,
    Kind.HIGH_HAND: _name_with_high_hand,
    Kind.SEASON_HIGH_HAND: _name_with_high_hand,
}


def _seven_deuce(night: Night, revision: Revision, players: dict[str, Player]) -> Iterator[SideBet]:
    name, chips = _won_with_seven_deuce(revision), night.league.seven_deuce
    if name is None or len(players) < 2:
        return
    shares = _paid_by_others(players.values(), players[name], chips)
    text = _("%(name)s wins with 7-2. Everyone pays %(name)s %(chips)s.")
    yield SideBet(
        id=_id(revision, Kind.BOUNTY),
        text=text % {"name": name, "chips": f"{chips:,}"},
        new_charge=NewCharge(kind=Kind.BOUNTY, title="7-2", shares=shares, hand=revision.hand),
    )


def _bad_beat(night: Night, revision: Revision, at_table: _Table) -> Iterator[SideBet]:
    lost = _beaten_badly(revision)
    chips = min(night.league.bad_beat, at_table.fund) if lost else 0
    if lost is None or not chips:
        return
    text = _("%(name)s loses with %(hand)s. %(chips)s from the season fund.")
    yield SideBet(
        id=_id(revision, Kind.BAD_BEAT),
        text=text % {"name": lost.player, "hand": hand_phrase(lost.name), "chips": f"{chips:,}"},
        new_charge=NewCharge(
            kind=Kind.BAD_BEAT,
            title=lost.name,
            shares={at_table.players_of(revision)[lost.player]: Share(gets=chips)},
            hand=revision.hand,
            fund=-chips,
            keeper=night.league.fund_keeper,
        ),
    )


def _stand_up(night: Night, revision: Revision, at_table: _Table) -> Iterator[SideBet]:
    """Yield the charge for the round that ended with this hand.

    Its id depends on the players, because correcting an earlier hand can change them.
    """
    ended, chips = round_ended_by(revision.hand_id, at_table.rounds), night.league.stand_up
    if ended is None or ended.loser is None:
        return
    loser = at_table.players[ended.loser]
    payees = sorted((at_table.players[each] for each in ended.payees), key=lambda who: who.name)
    shares = {loser: Share(owes=chips * len(payees)), **dict.fromkeys(payees, Share(gets=chips))}
    who = " ".join([ended.loser, *sorted(ended.payees)])
    text = _("Stand-up game: %(name)s pays %(chips)s to each of the others.")
    yield SideBet(
        id=uuid5(revision.pk, f"{Kind.STAND_UP} {who}"),
        text=text % {"name": loser.name, "chips": f"{chips:,}"},
        new_charge=NewCharge(kind=Kind.STAND_UP, shares=shares, hand=revision.hand),
    )


def _high_hand(
    revisions: Iterable[Revision], sat: Sequence[Player], at_table: _Table
) -> list[SideBet]:
    """Return the bet on the night's best hand. If hands tie, the hand shown first wins."""
    best = _best_shown(revisions)
    if best is None:
        return []
    best_hand, revision = best
    winner, chips = at_table.players_of(revision)[best_hand.player], at_table.night.league.high_hand
    shares = _paid_by_others(sat, winner, chips)
    if len(shares) < 2:
        return []
    text = _("%(name)s has the high hand, %(hand)s. Everyone pays %(name)s %(chips)s.")
    words = {"name": winner.name, "hand": best_hand.name, "chips": f"{chips:,}"}
    new_charge = NewCharge(
        kind=Kind.HIGH_HAND, title=best_hand.name, shares=shares, hand=revision.hand
    )
    return [SideBet(id=_id(revision, Kind.HIGH_HAND), text=text % words, new_charge=new_charge)]


def _season_high_hand(dealt: Sequence[Revision], at_table: _Table) -> list[SideBet]:
    """Return the bet on the season's best hand. If hands tie, the hand shown first wins."""
    night = at_table.night
    best = _best_shown([*best_of_games(night), *dealt])
    chips = min(night.league.season_high_hand, at_table.fund)
    if best is None or not chips:
        return []
    best_hand, revision = best
    winner = at_table.players_of(revision)[best_hand.player]
    text = _("%(name)s has the high hand of the season, %(hand)s. %(chips)s from the season fund.")
    words = {"name": winner.name, "hand": best_hand.name, "chips": f"{chips:,}"}
    new_charge = NewCharge(
        kind=Kind.SEASON_HIGH_HAND,
        title=best_hand.name,
        shares={winner: Share(gets=chips)},
        hand=revision.hand,
        fund=-chips,
        keeper=night.league.fund_keeper,
    )
    return [
        SideBet(id=_id(revision, Kind.SEASON_HIGH_HAND), text=text % words, new_charge=new_charge)
    ]


def _best_shown(revisions: Iterable[Revision]) -> tuple[HighHand, Revision] | None:
    best: tuple[HighHand, Revision] | None = None
    for revision in revisions:
        shown = _highest(revision)
        if shown and (best is None or shown.strength > best[0].strength):
            best = shown, revision
    return best


def _paid_by_others(players: Iterable[Player], winner: Player, chips: int) -> dict[Player, Share]:
    """Return the shares of a bet in which every other player pays the winner."""
    others = [player for player in players if player != winner]
    shares = {player: Share(owes=chips) for player in others}
    return {winner: Share(gets=chips * len(others)), **shares}


def _into_fund(night: Night, sat: Sequence[Player]) -> SideBet:
    chips = night.league.fund_each
    shares = {player: Share(owes=chips) for player in sat}
    text = _("Everyone puts %(chips)s into the season fund.") % {"chips": f"{chips:,}"}
    new_charge = NewCharge(
        kind=Kind.FUND,
        shares=shares,
        fund=chips * len(sat),
        keeper=night.league.fund_keeper,
    )
    who = " ".join(sorted(str(player.pk) for player in sat))
    return SideBet(
        id=uuid5(night.pk, f"{Kind.FUND} {chips} {who}"), text=text, new_charge=new_charge
    )


def _id(revision: Revision, kind: Kind) -> UUID:
    return uuid5(revision.pk, kind)
