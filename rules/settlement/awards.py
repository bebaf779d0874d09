"""Award each pot to its winners: shares, ties, odd chips, carried pots and what losers pay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rules.cards import NATURAL_CARDS, RANKS
from rules.errors import Problem
from rules.game.game import Due, Game, Pattern, Place, Term
from rules.game.hand import Hand
from rules.settlement import contest
from rules.settlement.contest import Contest, Entry, Failure, Outcome, entry_of
from rules.settlement.matches import MatchDeal, play
from rules.settlement.pots import Pot, pots_of
from rules.showdown.best_hands import best_hands
from rules.showdown.rows import lay_out
from rules.showdown.selections import Shape
from rules.showdown.showdown import Showdown, fewest_wild, highest_cards, lowest_wins


class RankedCard(NamedTuple):
    """A card, and its rank when single cards are compared. The higher rank wins."""

    rank: int
    card: int


class ShareAward(NamedTuple):
    """The amount of a pot's share, and the chips of its winners, keyed by seat."""

    share: int
    amount: int
    winners: Mapping[int, int]
    outcome: Outcome


class Award(NamedTuple):
    """The result of one pot.

    `why` is alone, contest, split or carried. In a match it may also be kept (the pot stays on the
    table) or match (the pot is won with the match).
    """

    pot: Pot
    why: str
    chips: Mapping[int, int]
    shares: tuple[ShareAward, ...] = ()
    contest: Contest | None = None
    carried_for: tuple[int, ...] = ()

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Return the players who declared both ways and lost this pot."""
        return self.contest.failures if self.contest else ()

    @property
    def lost(self) -> tuple[int, ...]:
        """Return the players with a carried pot's best hands who failed to win both ways."""
        if self.why != "carried" or self.contest is None:
            return ()
        return tuple(dict.fromkeys(seat for one in self.contest.outcomes for seat in one.lost))


def is_redealt(game: Game, award: Award) -> bool:
    """Return whether the pot stays and the same dealer deals the game again.

    This happens if a player declared both ways and lost, and no other player won the pot.
    """
    stays = award.why == "carried" and award.pot.amount > 0
    return game.lost_both == "redeal" and stays and bool(award.failures)


@dataclass
class Awards:
    """All pots of a hand, the uncalled chips, and details of the decisions."""

    pots: list[Award]
    returned: dict[int, int]
    # shares with a tie that no tie-break round resolved
    unbroken: list[int] = field(default_factory=list)
    # tied hands among the hands that were turned over
    unordered: list[tuple[int, ...]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # measured strengths, keyed by tie-break round
    rounds: dict[int, list[dict[int, int]]] = field(default_factory=dict)
    # the cards that decide between tied hands and about odd chips, first the one compared first,
    # and the number of wild cards
    highest: dict[tuple[int, int, int], list[RankedCard]] = field(default_factory=dict)
    odd: dict[tuple[int, int, int], list[RankedCard]] = field(default_factory=dict)
    wild: dict[tuple[int, int, int], int] = field(default_factory=dict)
    # how the pot would have been won, if this is one deal of a match and the pot stays
    decided: Award | None = None
    deal: MatchDeal | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that won chips, or would have won them if the pot did not stay."""
        if self.decided is not None:
            return tuple(self.decided.chips) if self.decided.why in {"alone", "contest"} else ()
        won = (seat for one in self.pots for seat, chips in one.chips.items() if chips)
        return tuple(dict.fromkeys(won))


def award(hand: Hand, showdown: Showdown) -> Awards:
    """Award all pots. `showdown` is empty if no hands are compared."""
    made, returned = pots_of(hand)
    awards = Awards([], returned)
    entry = entry_of(hand)
    rules = hand.game.match
    if rules is None or not rules.keeps_pot:
        awards.pots = [_award_pot(hand, pot, showdown, entry, awards) for pot in made]
        return awards
    # A deal of a match for legs or lives has no side pots, and its pot may be empty. The pot stays
    # until the match is won.
    whole = Pot(sum(pot.amount for pot in made), tuple(hand.live))
    decided = _award_pot(hand, whole, showdown, entry, awards)
    if awards.problems:
        return awards
    awards.decided = decided
    best = tuple(decided.shares[0].winners) if decided.shares else awards.winners
    awards.deal = deal = play(hand, rules, best, awards.winners, showdown.strengths)
    if whole.amount and deal.champions:
        chips = contest.pay(whole.amount, deal.champions, hand.from_dealers_left)
        awards.pots = [Award(whole, "match", chips)]
    elif whole.amount:
        awards.pots = [Award(whole, "kept", {}, carried_for=deal.left)]
    return awards


def _award_pot(hand: Hand, pot: Pot, showdown: Showdown, entry: Entry, awards: Awards) -> Award:
    if not pot.seats or hand.ended is not None:
        return Award(pot, "carried", {}, carried_for=_entitled(hand, pot))
    # the last remaining player may have to show a hand, but always wins a side pot that has no
    # opponents
    if len(pot.seats) == 1 and (len(hand.live) > 1 or not hand.game.must_show):
        return Award(pot, "alone", chips={pot.seats[0]: pot.amount})
    result = contest.decide(
        pot.seats,
        showdown.strengths,
        entry,
        outright=hand.game.both_ways == "outright",
        lost_both=hand.game.lost_both,
        joint=[share.joint for share in hand.game.shares] if hand.game.is_joint else (),
    )
    outcomes: Sequence[Outcome] = result.outcomes
    if hand.game.ties != "split":
        out = {failure.seat for failure in result.failures if not result.cancelled}
        left = pot._replace(seats=tuple(seat for seat in pot.seats if seat not in out))
        outcomes = [
            _break_tie(hand, left, outcome, showdown, entry, awards) for outcome in outcomes
        ]
    if hand.game.has_neighbours:
        # some shares go to the neighbours of the first share's winners
        first = outcomes[0].winners
        sides = [hand.game.shares[outcome.share].neighbour for outcome in outcomes]
        outcomes = [
            contest.share_of_neighbours(outcome, first, pot.seats, side) if side else outcome
            for outcome, side in zip(outcomes, sides, strict=True)
        ]
    won = len([outcome for outcome in outcomes if outcome.winners])
    redealt = result.failures and hand.game.lost_both == "redeal"
    if not won and hand.game.unwon == "split" and not redealt:
        chips = contest.pay(pot.amount, pot.seats, hand.from_dealers_left)
        return Award(pot, "split", contest=result, chips=chips)
    if not won:
        return Award(pot, "carried", {}, contest=result, carried_for=_entitled(hand, pot))
    amounts = iter(contest.divide(pot.amount, won))
    shares = []
    total: dict[int, int] = {}
    for outcome in outcomes:
        amount = next(amounts) if outcome.winners else 0
        winners = _pay(hand, showdown, outcome, amount, awards)
        shares.append(ShareAward(outcome.share, amount, winners, outcome))
        for seat, won_here in winners.items():
            total[seat] = total.get(seat, 0) + won_here
    return Award(pot, "contest", total, tuple(shares), result)


def _entitled(hand: Hand, pot: Pot) -> tuple[int, ...]:
    """Return the seats that may win a carried pot (docs/rulings.md 14).

    These are the players who could have won the pot, and players with chips in the pot who folded
    after the last card. Without such players, all players may win the pot.
    """
    if pot.kept_for is not None:
        return pot.kept_for
    return tuple(sorted((*pot.late, *pot.seats))) or tuple(range(len(hand.players)))


# --- ties ---------------------------------------------------------------------------------------

BY_CARDS = ("suit", "natural")


def _break_tie(
    hand: Hand, pot: Pot, outcome: Outcome, showdown: Showdown, entry: Entry, awards: Awards
) -> Outcome:
    """Break a tie using the game's rule. `pot` contains the seats that can still win it."""
    ties, winners = hand.game.ties, outcome.winners
    if outcome.lost:
        return outcome
    if ties == "deal" and len(winners) != 1:
        return _deal_for(hand, pot, outcome, entry, awards)
    if len(winners) < 2:
        return outcome
    if ties == "first":
        awards.unordered.append(winners)
        return outcome._replace(winners=(min(winners, key=hand.from_dealers_left),))
    if ties not in BY_CARDS or outcome.alternative is None:
        return outcome
    if ties == "suit":  # the highest card decides, including its suit
        ranked = {
            seat: ranks(_highest_cards(hand, showdown, outcome, seat, awards)) for seat in winners
        }
    else:
        ranked = {}
        for seat in winners:
            key = (outcome.share, outcome.alternative, seat)
            if key not in awards.wild:
                strength = showdown.strengths[outcome.share][outcome.alternative][seat]
                awards.wild[key] = fewest_wild(hand, seat, key[:2], strength)
            ranked[seat] = [-awards.wild[key]]
    best = max(ranked.values())
    return outcome._replace(winners=tuple(seat for seat in winners if ranked[seat] == best))


def _deal_for(hand: Hand, pot: Pot, outcome: Outcome, entry: Entry, awards: Awards) -> Outcome:
    """Break a tie using the rounds that were dealt (docs/rulings.md 11).

    If no hand qualifies, all hands are tied. A tie that remains after the last round is split.
    """
    tied = outcome.winners or tuple(entry.contesting(outcome.share, pot.seats))
    left = tied
    for index, dealt in enumerate(hand.tiebreaks):
        if len(left) < 2:
            break
        names = [hand.players[seat].name for seat in left]
        for name in [name for name in names if name not in dealt]:
            text = f"{name} is tied for a pot but has no hand in the tie-break"
            run = hand.run
            where = f"runs/{run.index}/tiebreaks" if run and run.own_tiebreaks else "tiebreaks"
            awards.problems.append(Problem(f"{where}/{index}", "tiebreak-lacks-player", text))
        if awards.problems:
            return outcome._replace(winners=left, tied=tied)
        if index not in awards.rounds:
            seats = [seat for seat, player in enumerate(hand.players) if player.name in dealt]
            hands = [dealt[hand.players[seat].name] for seat in seats]
            game = _round_game(hand.game)
            cards = lay_out(game, Shape(len(hands[0]), 0), hands, [()] * len(hands))
            awards.rounds[index] = [
                dict(zip(seats, best.strengths.tolist(), strict=True))
                for best in best_hands(game, hand.game.tiebreak, cards)
            ]
        for strengths in awards.rounds[index]:
            strongest = max([strengths[seat] for seat in left])
            if strongest >= 0:
                left = tuple(seat for seat in left if strengths[seat] == strongest)
                break
    if len(left) > 1 and not hand.tiebreaks:
        awards.unbroken.append(outcome.share)
    return outcome._replace(winners=left, tied=tied)


@lru_cache(maxsize=256)
def _round_game(game: Game) -> Game:
    """Return the game of a tie-break, which has no wild cards and no board."""
    all_down = Pattern((Term("all", (Place("down"),)),), text="all down")
    return replace(game, hand=(all_down,), wild=(), bug=(), board=(), lines=(), piles=())


# --- chips --------------------------------------------------------------------------------------


def _pay(
    hand: Hand, showdown: Showdown, outcome: Outcome, amount: int, awards: Awards
) -> dict[int, int]:
    """Divide a share among its winners. Odd chips are given out by seat or by the cards."""
    first, winners = hand.from_dealers_left, outcome.winners
    if len(winners) < 2:
        return dict.fromkeys(winners, amount)
    if hand.odd_chip == "seat" or outcome.alternative is None:
        return contest.pay(amount, winners, first)
    decisive = {}
    for seat in winners:
        key = (outcome.share, outcome.alternative, seat)
        if hand.odd_chip == "high card":
            awards.odd[key] = _highest_cards(hand, showdown, outcome, seat, awards)
        else:
            awards.odd[key] = _own_cards(hand, seat, key[:2])
        decisive[seat] = ranks(awards.odd[key])
    ordered = sorted(winners, key=first)
    ordered.sort(key=decisive.__getitem__, reverse=True)
    return contest.pay(amount, winners, ordered.index)


def ranks(cards: Sequence[RankedCard]) -> list[int]:
    return [rank for rank, _ in cards]


def _own_cards(hand: Hand, seat: int, measure: tuple[int, int]) -> list[RankedCard]:
    """Return all cards of a player by suit: the highest first, or the lowest if lows are compared.

    Jokers and unknown cards do not count. Source: Robert's Rules of Poker, "Ties".
    """
    player = hand.players[seat]
    piles = (card for pile in player.piles.values() for card in pile)
    cards = [card for card in (*player.held_down, *player.up, *piles) if 0 <= card < NATURAL_CARDS]
    ranked = [RankedCard(hand.game.singles[card], card) for card in cards]
    lowest, aces_low = lowest_wins(hand.game, measure)
    if lowest:
        below = {card: NATURAL_CARDS for card in cards if aces_low and RANKS[card // 4] == "A"}
        ranked = [RankedCard(below.get(card, 0) - rank, card) for rank, card in ranked]
    return sorted(ranked, reverse=True)


def _highest_cards(
    hand: Hand, showdown: Showdown, outcome: Outcome, seat: int, awards: Awards
) -> list[RankedCard]:
    """Return the cards of a tied hand, highest first. Cached for all pots."""
    if outcome.alternative is None:
        return []
    key = (outcome.share, outcome.alternative, seat)
    if key not in awards.highest:
        strength = showdown.strengths[outcome.share][outcome.alternative][seat]
        cards = highest_cards(hand, seat, key[:2], strength)
        singles = hand.game.singles
        awards.highest[key] = [RankedCard(singles.get(card, 0), card) for card in cards]
    return awards.highest[key]


def match_pot(hand: Hand, awards: Awards) -> dict[int, int]:
    """Return the chips that losers pay into the next pot, keyed by seat.

    The result is empty unless losers match the pot.
    """
    # the match is over, so there is no next pot
    over = awards.deal is not None and awards.deal.champions
    due = next((due for due in hand.game.dues if due.word == "match pot"), None)
    return {} if over or due is None else _price_of_losing(hand, awards, due)


def pay_winners(hand: Hand, awards: Awards) -> tuple[dict[int, int], dict[int, int]]:
    """Return the chips that losers pay to winners, and the winners' chips, keyed by seat."""
    due = next((due for due in hand.game.dues if due.word.startswith("pay")), None)
    if due is None:
        return {}, {}
    paid = _price_of_losing(hand, awards, due)
    lost = losers(hand, awards, due)
    winners = [seat for seat in awards.winners if seat not in lost]
    if not winners or not paid:
        return {}, {}
    return paid, contest.pay(sum(paid.values()), winners, hand.from_dealers_left)


def _price_of_losing(hand: Hand, awards: Awards, due: Due) -> dict[int, int]:
    """Return the chips that each loser owes: a fixed price, or the size of the pot up to a limit.

    A player who is all in owes nothing.
    """
    if due.values:
        price = hand.unit * due.values[0]
    else:
        price = sum(one.pot.amount for one in awards.pots)
        price = min(price, hand.unit * due.most) if due.most else price
    lost = losers(hand, awards, due) if price else []
    return {seat: price for seat in lost if not hand.players[seat].all_in}


def losers(hand: Hand, awards: Awards, due: Due) -> list[int]:
    """Return the players who stayed in and won nothing.

    If no player and no hand on the table wins, no player loses. With `under_half`, players who won
    less than half of the chips in the pots that they can win lose as well. Odd chips do not count,
    so if two players win one share each, both of them win half.
    """
    if not due.under_half:
        winners = awards.winners
        if not winners and not hand.game.has_table_hand:
            return []
        return [seat for seat in hand.live if seat not in winners]
    if hand.ended is not None:
        return []
    lost = []
    for seat in hand.live:
        whole, part = 0, Fraction(0)
        for award in [awards.decided] if awards.decided is not None else awards.pots:
            if seat in award.pot.seats:
                whole += award.pot.amount
                won = [share.winners for share in award.shares if share.winners] or [award.chips]
                of_each = Fraction(award.pot.amount, len(won))
                part += sum(of_each / len(winners) for winners in won if seat in winners)
        if 2 * part < whole:
            lost.append(seat)
    return lost
