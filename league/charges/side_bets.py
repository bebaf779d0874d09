"""Side bets and side games decided by a night's hands. A member has to confirm each charge.

The rules decide who won a bet, and confirming the bet creates the charge. A bet's id is derived
from the hand's revision. Therefore two phones that confirm the same bet create only one charge, and
the bet is offered again after the hand is corrected or the charge is undone. A later hand can beat
a charged high hand of the night. Confirming the new high hand then replaces the charge.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID, uuid5

from django.db.models import Q
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.charges.charging import (
    NewCharge,
    Share,
    best_of_games,
    by_parts,
    fund_of,
    high_hand_night,
    is_due,
)
from league.charges.side_games import Round, round_ended_by, rounds_of
from league.hands.revisions import record_at_the_end
from league.models import Charge, Hand, Night, Player, Revision, Season, Seat
from league.nights.nights import hands
from league.stats.recorded_hands import rules_of
from rules.api import HighHand, bad_beats, high_hands, won_with_seven_deuce
from rules.presentation.hand_words import hand_phrase

Kind = Charge.Kind
_Shown = tuple[list[HighHand], Revision]  # the hands of players who tie, and their deal


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBet:
    """A charge that a member can confirm. `text` is the reason for the charge.

    `replaces` are the charges for hands that this bet's hand beats. They are undone on confirming.
    """

    id: UUID
    text: str
    new_charge: NewCharge
    replaces: tuple[Charge, ...] = ()


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
    def sat(self) -> list[Player]:
        seats = Seat.objects.filter(night=self.night).select_related("player")
        return [seat.player for seat in seats]

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


def waiting_bets(
    night: Night,
    revision: Revision,
    rounds: Sequence[Round] = (),
    dealt: Sequence[Revision] = (),
) -> list[SideBet]:
    """Return the side bets that the hand has decided and that are not charged yet.

    `rounds` are the night's rounds of the stand-up game. `dealt` are its hands. If the hand beats
    the high hand that was charged, the bets include the replacement.
    """
    league = night.league
    if not (league.seven_deuce or league.bad_beat or league.stand_up or league.high_hand):
        return []
    charges, at_table = charges_of(night), _Table(night, rounds)
    bets = _of_hand(night, revision, charges, at_table)
    if league.high_hand and any(each.kind == Kind.HIGH_HAND for each in valid_charges(charges)):
        high_hand = _high_hand([each for each in dealt if not each.hand.voided], charges, at_table)
        bets += [bet for bet in high_hand if bet.new_charge.hand == revision.hand]
    return bets


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
    if night.league.high_hand:
        bets += _high_hand(dealt, charges, at_table)
    if is_due(night):
        bets += _uncharged_bets(_season_high_hand(dealt, at_table), charges)
    puts_in = night.league.fund_each and night.league.fund_keeper and Kind.FUND not in kinds
    if puts_in and at_table.sat:
        bets += _uncharged_bets([_into_fund(night, at_table.sat)], charges)
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


def outdated_charges(
    night: Night, charges: Sequence[Charge], dealt: Sequence[Revision]
) -> list[Charge]:
    """Return the charges for side bets that the corrected hands no longer win."""
    valid = valid_charges(charges)
    revisions = {revision.hand_id: revision for revision in charged_hands(valid, dealt)}
    plays_stand_up = any(charge.kind == Kind.STAND_UP for charge in valid)
    rounds = rounds_of(night, dealt) if plays_stand_up else ()
    return [
        charge
        for charge in valid
        if charge.hand_id and no_longer_won(charge, revisions.get(charge.hand_id), rounds)
    ]


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
    winners = {revision.names[name] for name in WINNERS[charge.kind](revision)}
    return winners != _payees(charge)


def beaten_by(charge: Charge, dealt: Iterable[Revision]) -> Hand | None:
    """Return the hand that beats the night's high hand that was charged, if any."""
    if charge.kind != Kind.HIGH_HAND:
        return None
    best = _best_shown(each for each in dealt if not each.hand.voided)
    return best[1].hand if best and best[1].hand_id != charge.hand_id else None


def _payees(charge: Charge) -> set[str]:
    return {str(share.player_id) for share in charge.shares.all() if share.gets}


def _of_hand(
    night: Night, revision: Revision, charges: Sequence[Charge], at_table: _Table
) -> list[SideBet]:
    """Return the bets that the hand has won and that are not charged."""
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
    """Return the bets that are not charged. If a bet's charge was undone, the bet gets a new id."""
    undone = {each.pk: bool(vars(each)["undone"]) for each in charges}  # set by `charges_of`
    uncharged = []
    for bet in bets:
        bet_id = bet.id
        while undone.get(bet_id):
            bet_id = uuid5(bet_id, "again")
        if bet_id not in undone:
            uncharged.append(replace(bet, id=bet_id))
    return uncharged


def _won_with_seven_deuce(revision: Revision) -> str | None:
    """Return the player who won the whole pot with 7-2, if any.

    A hand history is replayed only if one player won everything, because replaying takes time.
    """
    if sum(1 for chips in revision.answer["won"].values() if chips) != 1:
        return None
    return won_with_seven_deuce(record_at_the_end(revision), revision.answer)


def _beaten_badly(revision: Revision) -> list[HighHand]:
    """Return the strongest hands that are bad beats, several if they tie."""
    game = rules_of(revision.record, revision.document_id)
    return _strongest(bad_beats(game, revision.answer) if game else [])


def _highest(revision: Revision) -> list[HighHand]:
    """Return the strongest hands shown, several if they tie."""
    game = rules_of(revision.record, revision.document_id)
    return _strongest(high_hands(game, revision.answer) if game else [])


def _strongest(shown: Sequence[HighHand]) -> list[HighHand]:
    return [each for each in shown if each.strength == shown[0].strength]


def _names(shown: Iterable[HighHand]) -> list[str]:
    return [each.player for each in shown]


def _listed(shown: Iterable[HighHand]) -> str:
    return get_text_list(_names(shown), _("and"))


# For each kind of bet, the function that finds the winners in a hand's revision.
WINNERS: dict[str, Callable[[Revision], list[str]]] = {
    Kind.BOUNTY: lambda revision: [name] if (name := _won_with_seven_deuce(revision)) else [],
    Kind.BAD_BEAT: lambda revision: _names(_beaten_badly(revision)),
    Kind.HIGH_HAND: lambda revision: _names(_highest(revision)),
    Kind.SEASON_HIGH_HAND: lambda revision: _names(_highest(revision)),
}


def _seven_deuce(night: Night, revision: Revision, players: dict[str, Player]) -> Iterator[SideBet]:
    name, chips = _won_with_seven_deuce(revision), night.league.seven_deuce
    if name is None or len(players) < 2:
        return
    shares = _paid_by_others(players.values(), [players[name]], chips)
    text = _("%(name)s wins with 7-2. Everyone pays %(name)s %(chips)s.")
    yield SideBet(
        id=_id(revision, Kind.BOUNTY),
        text=text % {"name": name, "chips": f"{chips:,}"},
        new_charge=NewCharge(kind=Kind.BOUNTY, title="7-2", shares=shares, hand=revision.hand),
    )


def _bad_beat(night: Night, revision: Revision, at_table: _Table) -> Iterator[SideBet]:
    lost = _beaten_badly(revision)
    chips = min(night.league.bad_beat, at_table.fund) if lost else 0
    if not chips:
        return
    text = (
        _("%(name)s loses with %(hand)s. %(chips)s from the season fund.")
        if len(lost) == 1
        else _("%(name)s lose with %(hand)s and share %(chips)s from the season fund.")
    )
    words = {"name": _listed(lost), "hand": hand_phrase(lost[0].name), "chips": f"{chips:,}"}
    yield _from_fund(Kind.BAD_BEAT, text % words, (lost, revision), at_table, chips)


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
    dealt: Iterable[Revision], charges: Sequence[Charge], at_table: _Table
) -> list[SideBet]:
    """Return the bet on the night's best hand, unless it is charged.

    Players who tie in a hand share. If different hands tie, the hand shown first wins.
    """
    best = _best_shown(dealt)
    if best is None:
        return []
    shown, revision = best
    names, players = _names(shown), at_table.players_of(revision)
    night, winners = at_table.night, [players[name] for name in names]
    shares = _paid_by_others(at_table.sat, winners, night.league.high_hand)
    charged = [each for each in valid_charges(charges) if each.kind == Kind.HIGH_HAND]
    won = {str(player.pk) for player in winners}
    if not shares or any(
        each.hand_id == revision.hand_id and _payees(each) == won for each in charged
    ):
        return []
    bet = SideBet(
        id=_id(revision, Kind.HIGH_HAND),
        text=_high_hand_text(shown, night, charged),
        new_charge=NewCharge(
            kind=Kind.HIGH_HAND, title=shown[0].name, shares=shares, hand=revision.hand
        ),
        replaces=tuple(charged),
    )
    return _uncharged_bets([bet], charges)


def _high_hand_text(shown: Sequence[HighHand], night: Night, replaced: Sequence[Charge]) -> str:
    if len(shown) > 1:
        text = _("%(name)s share the high hand%(so_far)s, %(hand)s. Everyone else pays %(chips)s.")
    else:
        text = _(
            "%(name)s has the high hand%(so_far)s, %(hand)s. Everyone pays %(name)s %(chips)s."
        )
    words = {
        "name": _listed(shown),
        "so_far": _(" so far") if night.state == Night.State.OPEN else "",
        "hand": shown[0].name,
        "chips": f"{night.league.high_hand:,}",
    }
    replaces = [
        _("This replaces the charge for hand %(number)s.") % {"number": each.hand.number}
        for each in replaced
        if each.hand
    ]
    return " ".join([text % words, *replaces])


def _season_high_hand(dealt: Sequence[Revision], at_table: _Table) -> list[SideBet]:
    """Return the bet on the season's best hand.

    Players who tie in a hand share. If different hands tie, the hand shown first wins.
    """
    night = at_table.night
    best = _best_shown([*best_of_games(night), *dealt])
    chips = min(night.league.season_high_hand, at_table.fund)
    if best is None or not chips:
        return []
    shown = best[0]
    text = (
        _("%(name)s has the high hand of the season, %(hand)s. %(chips)s from the season fund.")
        if len(shown) == 1
        else _("%(name)s share the season's high hand, %(hand)s. %(chips)s from the season fund.")
    )
    words = {"name": _listed(shown), "hand": shown[0].name, "chips": f"{chips:,}"}
    return [_from_fund(Kind.SEASON_HIGH_HAND, text % words, best, at_table, chips)]


def _from_fund(kind: Kind, text: str, best: _Shown, at_table: _Table, chips: int) -> SideBet:
    """Return the bet in which the fund pays the players who showed these hands."""
    shown, revision = best
    players, paid = at_table.players_of(revision), by_parts(chips, dict.fromkeys(_names(shown), 1))
    return SideBet(
        id=_id(revision, kind),
        text=text,
        new_charge=NewCharge(
            kind=kind,
            title=shown[0].name,
            shares={players[name]: Share(gets=gets) for name, gets in paid.items()},
            hand=revision.hand,
            fund=-chips,
            keeper=at_table.night.league.fund_keeper,
        ),
    )


def _best_shown(revisions: Iterable[Revision]) -> _Shown | None:
    """Return the best hands shown, several if they tie in one deal, with the first such deal."""
    best: _Shown | None = None
    for revision in revisions:
        shown = _highest(revision)
        if shown and (best is None or shown[0].strength > best[0][0].strength):
            best = shown, revision
    return best


def _paid_by_others(
    players: Iterable[Player], winners: Sequence[Player], chips: int
) -> dict[Player, Share]:
    """Return the shares of a bet in which every other player pays, and the winners split.

    Odd chips go to the first winners. Return {} if there are too few chips for every winner.
    """
    others = [player for player in players if player not in winners]
    if chips * len(others) < len(winners):
        return {}
    gets = by_parts(chips * len(others), dict.fromkeys(winners, 1))
    return {winner: Share(gets=gets[winner]) for winner in winners} | {
        player: Share(owes=chips) for player in others
    }


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
