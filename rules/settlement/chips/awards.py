"""Each pot to those who win it: shares, fall-backs, ties, what is carried."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from rules.errors import Problem
from rules.game.game import Game, Pattern, Term
from rules.game.hand import Hand
from rules.game.steps import Place
from rules.settlement.chips import contest
from rules.settlement.chips.contest import Contest, Entry, Failure, Outcome
from rules.settlement.chips.entries import entry_of, pots_of
from rules.settlement.chips.match_deals import MatchDeal, play, won_by
from rules.settlement.chips.pots import Pot
from rules.showdown.best_hands import best_hands
from rules.showdown.selections import Shape
from rules.showdown.showdown import Showdown, fewest_wild, highest_cards
from rules.showdown.wilds import lay_out


class ShareAward(NamedTuple):
    """What a share of a pot came to, and who won it: chips by seat."""

    share: int
    amount: int
    winners: Mapping[int, int]
    outcome: Outcome


class Award(NamedTuple):
    """How one pot went. `why` is alone, contest, split or carried; of a match also kept or match,
    where it stays on the table or is won with the match."""

    pot: Pot
    why: str
    chips: Mapping[int, int]
    shares: tuple[ShareAward, ...] = ()
    contest: Contest | None = None
    carried_for: tuple[int, ...] = ()

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Those who went both ways in this pot and are out of it."""
        return self.contest.failures if self.contest else ()


@dataclass
class Awards:
    """All pots of a hand, the uncalled chips, and what else is worth a word."""

    pots: list[Award]
    returned: dict[int, int]
    unbroken: list[int] = field(default_factory=list)  # shares whose tie no round broke
    unordered: list[tuple[int, ...]] = field(default_factory=list)  # equal turned hands
    problems: list[Problem] = field(default_factory=list)
    rounds: dict[int, list[dict[int, int]]] = field(default_factory=dict)  # strengths, measured
    # cards of tied hands, the highest first, and how many of a hand are wild
    highest: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    wild: dict[tuple[int, int, int], int] = field(default_factory=dict)
    decided: Award | None = None  # a deal of a match whose pot stays, as if it had been won
    deal: MatchDeal | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won anything; of a deal whose pot stays, those that would have."""
        if self.decided is not None:
            return tuple(self.decided.chips) if self.decided.why in {"alone", "contest"} else ()
        won = (seat for one in self.pots for seat, chips in one.chips.items() if chips)
        return tuple(dict.fromkeys(won))


def award(hand: Hand, showdown: Showdown) -> Awards:
    """Who wins what. `showdown` is empty when no hands are compared."""
    made, returned = pots_of(hand)
    awards = Awards([], returned)
    entry = entry_of(hand)
    if hand.game.keeps_pot:
        _keep_pot(hand, made, showdown, entry, awards)
        return awards
    awards.pots = [_award_pot(hand, pot, showdown, entry, awards) for pot in made]
    return awards


def _keep_pot(
    hand: Hand, made: Sequence[Pot], showdown: Showdown, entry: Entry, awards: Awards
) -> None:
    """A deal of a match for legs or lives: it is decided as ever, and its pot stays until the
    match is won. There are no side pots of it, and it may be empty."""
    rules = hand.game.match
    if rules is None:
        return
    whole = Pot(sum(pot.amount for pot in made), tuple(hand.live))
    decided = _award_pot(hand, whole, showdown, entry, awards)
    if awards.problems:
        return
    awards.decided = decided
    best = tuple(decided.shares[0].winners) if decided.shares else awards.winners
    awards.deal = deal = play(hand, rules, best, awards.winners, showdown.strengths)
    if not whole.amount:
        return
    if deal.champions:
        awards.pots = [Award(whole, "match", won_by(hand, deal, whole.amount))]
    else:
        awards.pots = [Award(whole, "kept", {}, carried_for=deal.left)]


def _award_pot(
    hand: Hand,
    pot: Pot,
    showdown: Showdown,
    entry: Entry,
    awards: Awards,
) -> Award:
    if not pot.seats or hand.ended is not None:
        return Award(pot, "carried", {}, carried_for=_entitled(hand, pot))
    # the last player of all may have to show; a side pot of one is that player's in any case
    if len(pot.seats) == 1 and (len(hand.live) > 1 or not hand.game.must_show):
        return Award(pot, "alone", chips={pot.seats[0]: pot.amount})
    outright = hand.game.both_ways == "outright"
    joint = [share.joint for share in hand.game.shares] if hand.game.is_joint else ()
    found = contest.decide(pot.seats, showdown.strengths, entry, outright=outright, joint=joint)
    outcomes: Sequence[Outcome] = found.outcomes
    if hand.game.ties in BY_CARDS:
        outcomes = [_by_cards(hand, outcome, showdown, awards) for outcome in outcomes]
    elif hand.game.ties != "split":
        out = {failure.seat for failure in found.failures}
        left = pot._replace(seats=tuple(seat for seat in pot.seats if seat not in out))
        outcomes = [_settle_tie(hand, left, outcome, entry, awards) for outcome in outcomes]
    if hand.game.has_neighbours:
        outcomes = [_with_neighbour(hand, pot, outcome, outcomes[0]) for outcome in outcomes]
    won = len([outcome for outcome in outcomes if outcome.winners])
    if not won:
        return _unwon(hand, pot, found)
    amounts = iter(contest.divide(pot.amount, won))
    shares = tuple(
        [
            _pay(hand, showdown, outcome, next(amounts) if outcome.winners else 0, awards)
            for outcome in outcomes
        ]
    )
    return Award(pot, "contest", _total(shares), shares, found)


def _with_neighbour(hand: Hand, pot: Pot, outcome: Outcome, first: Outcome) -> Outcome:
    side = hand.game.shares[outcome.share].neighbour
    if not side:
        return outcome
    return contest.beside(outcome, first.winners, pot.seats, 1 if side == "left" else -1)


def _total(shares: Sequence[ShareAward]) -> Mapping[int, int]:
    """What each seat won of all shares."""
    if len(shares) == 1:
        return shares[0].winners
    chips: dict[int, int] = {}
    for share in shares:
        for seat, amount in share.winners.items():
            chips[seat] = chips.get(seat, 0) + amount
    return chips


def _unwon(hand: Hand, pot: Pot, found: Contest) -> Award:
    if hand.game.unwon == "split":
        chips = contest.pay(pot.amount, pot.seats, hand.from_dealers_left)
        return Award(pot, "split", contest=found, chips=chips)
    return Award(pot, "carried", {}, contest=found, carried_for=_entitled(hand, pot))


def _entitled(hand: Hand, pot: Pot) -> tuple[int, ...]:
    """Who may win a carried pot: those who could have won it and those who folded after the last
    card with chips in it; everybody when nobody is left (docs/rulings.md 14)."""
    if pot.kept_for is not None:
        return pot.kept_for
    return tuple(sorted((*pot.late, *pot.seats))) or tuple(range(len(hand.players)))


# --- ties ---------------------------------------------------------------------------------------


def _settle_tie(hand: Hand, pot: Pot, outcome: Outcome, entry: Entry, awards: Awards) -> Outcome:
    if hand.game.ties == "first" and len(outcome.winners) > 1:
        awards.unordered.append(outcome.winners)
        first = min(outcome.winners, key=hand.from_dealers_left)
        return outcome._replace(winners=(first,))
    if hand.game.ties == "deal" and len(outcome.winners) != 1:
        return _deal_for(hand, pot, outcome, entry, awards)
    return outcome


BY_CARDS = ("suit", "natural")


def _by_cards(hand: Hand, outcome: Outcome, showdown: Showdown, awards: Awards) -> Outcome:
    """Equal hands by their highest card, suits included; or by how many of them are wild."""
    if len(outcome.winners) < 2:
        return outcome
    standing = {}
    for seat in outcome.winners:
        if hand.game.ties == "suit":
            standing[seat] = _standing(hand, showdown, outcome, seat, awards)
        else:
            standing[seat] = [-_fewest_wild(hand, showdown, outcome, seat, awards)]
    best = max(standing.values())
    winners = tuple(seat for seat in outcome.winners if standing[seat] == best)
    return outcome._replace(winners=winners)


def _fewest_wild(
    hand: Hand, showdown: Showdown, outcome: Outcome, seat: int, awards: Awards
) -> int:
    if outcome.alternative is None:
        return 0
    measure = outcome.share, outcome.alternative
    if (*measure, seat) not in awards.wild:
        strength = showdown.strengths[outcome.share][outcome.alternative][seat]
        awards.wild[*measure, seat] = fewest_wild(hand, seat, measure, strength)
    return awards.wild[*measure, seat]


def _deal_for(hand: Hand, pot: Pot, outcome: Outcome, entry: Entry, awards: Awards) -> Outcome:
    """Tied hands, or everyone when nobody qualifies, are settled by the rounds dealt
    (docs/rulings.md 11); what is still tied after the last one splits."""
    tied = outcome.winners or tuple(entry.contesting(outcome.share, pot.seats))
    left = tied
    for index, dealt in enumerate(hand.tiebreaks):
        if len(left) < 2:
            break
        names = [hand.players[seat].name for seat in left]
        for name in names:
            if name not in dealt:
                text = f"{name} is tied for a pot and has no hand in the round"
                awards.problems.append(Problem(f"tiebreaks/{index}", "tiebreak-lacks-player", text))
        if awards.problems:
            return outcome._replace(winners=left, tied=tied)
        if index not in awards.rounds:
            awards.rounds[index] = _measured_round(hand, dealt)
        left = _best_of_round(awards.rounds[index], left)
    if len(left) > 1 and not hand.tiebreaks:
        awards.unbroken.append(outcome.share)
    return outcome._replace(winners=left, tied=tied)


def _measured_round(hand: Hand, dealt: Mapping[str, list[int]]) -> list[dict[int, int]]:
    """The strengths of a round's hands by seat, for each measure; once for all pots."""
    plain = _round_game(hand.game)
    seats = [seat for seat, player in enumerate(hand.players) if player.name in dealt]
    hands = [dealt[hand.players[seat].name] for seat in seats]
    cards = lay_out(plain, Shape(len(hands[0]), 0), hands, [()] * len(hands))
    measured = best_hands(plain, hand.game.tiebreak, cards)
    return [dict(zip(seats, best.strengths.tolist(), strict=True)) for best in measured]


def _best_of_round(measured: list[dict[int, int]], seats: Sequence[int]) -> tuple[int, ...]:
    for strengths in measured:
        strongest = max(strengths[seat] for seat in seats)
        if strongest >= 0:
            return tuple(seat for seat in seats if strengths[seat] == strongest)
    return tuple(seats)


@lru_cache(maxsize=256)
def _round_game(game: Game) -> Game:
    """The game of a tie-break: the cards dealt, nothing wild, no board."""
    all_down = Pattern((Term("all", (Place("down"),)),), text="all down")
    return replace(game, hand=(all_down,), wild=(), bug=(), board=(), lines=(), piles=())


# --- chips --------------------------------------------------------------------------------------


def _pay(
    hand: Hand, showdown: Showdown, outcome: Outcome, amount: int, awards: Awards
) -> ShareAward:
    if len(outcome.winners) < 2:
        chips = dict.fromkeys(outcome.winners, amount)
        return ShareAward(outcome.share, amount, chips, outcome)
    first = hand.from_dealers_left
    if hand.odd_chip == "high card":
        ordered = sorted(outcome.winners, key=first)
        highest = {seat: _standing(hand, showdown, outcome, seat, awards) for seat in ordered}
        ordered.sort(key=lambda seat: highest[seat], reverse=True)
        chips = contest.pay(amount, outcome.winners, ordered.index)
    else:
        chips = contest.pay(amount, outcome.winners, first)
    return ShareAward(outcome.share, amount, chips, outcome)


def _standing(
    hand: Hand, showdown: Showdown, outcome: Outcome, seat: int, awards: Awards
) -> list[int]:
    """How high the cards of a tied hand stand, highest first; in however many pots, found once."""
    if outcome.alternative is None:
        return []
    measure = outcome.share, outcome.alternative
    if (*measure, seat) not in awards.highest:
        strength = showdown.strengths[outcome.share][outcome.alternative][seat]
        awards.highest[*measure, seat] = highest_cards(hand, seat, measure, strength)
    return [hand.game.singles.get(card, 0) for card in awards.highest[*measure, seat]]
