"""Pots and their winners, including side pots, ties, carried chips and payments by losers.

See docs/record.md, "Pots". Uncalled chips are returned first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rules.errors import Problem
from rules.game.game import Due, Game, Pattern, Place, Term
from rules.game.hand import Carried, Hand
from rules.settlement import contest
from rules.settlement.contest import Contest, Entry, Failure, MatchDeal, Outcome, entry_of, play
from rules.showdown.best_hands import best_hands
from rules.showdown.rows import lay_out
from rules.showdown.selections import Shape
from rules.showdown.showdown import Showdown, fewest_wild, highest_cards


class Pot(NamedTuple):
    """Chips and the seats that can win them, in seat order.

    `floor` is the stake above which chips belong to this pot. `late` are the seats that folded
    after the last card and keep a right to the pot if it is carried. `kept_for` are the seats for
    which a separate pot was carried from an earlier hand, even if they have left the game.
    """

    amount: int
    seats: tuple[int, ...]
    floor: int = 0
    late: tuple[int, ...] = ()
    kept_for: tuple[int, ...] | None = None

    def is_won_as(self, other: "Pot") -> bool:
        """Return whether the same players can win both pots and have a right to both."""
        return bool(self.seats) and (self.seats, self.late) == (other.seats, other.late)

    def with_carried(self, carried: "Pot") -> "Pot":
        """Merge a carried pot. If `kept_for` differs, the merged pot is for `seats` and `late`."""
        kept_for = self.kept_for
        if kept_for is not None and kept_for != carried.kept_for:
            kept_for = tuple(sorted((*self.seats, *self.late)))
        return self._replace(amount=self.amount + carried.amount, kept_for=kept_for)


def pots_of(hand: Hand) -> tuple[list[Pot], dict[int, int]]:
    """Return the pots of a hand, and the uncalled chips by seat."""
    players = hand.players
    stakes = [player.paid - player.dead for player in players]
    dead = sum([player.dead for player in players])
    dead += sum([carried.amount for carried in hand.carried if carried.seats is None])
    late = [seat for seat, player in enumerate(players) if player.late]
    live: Sequence[int] = hand.live if hand.ended is None else hand.ended.seats
    seat, extra = uncalled(stakes)
    stakes[seat] -= extra
    pots = split(stakes, live, dead, late)
    if hand.carried:
        pots = _join_carried(pots, hand.carried, live, late)
    return pots, {seat: extra} if extra else {}


def uncalled(stakes: Sequence[int]) -> tuple[int, int]:
    """Return the seat with the highest stake, and how many of its chips were not called."""
    highest = max(stakes)
    seat = stakes.index(highest)
    if len(stakes) == 1 or stakes.count(highest) > 1:
        return seat, 0
    return seat, highest - sorted(stakes)[-2]


def split(
    stakes: Sequence[int], live: Sequence[int], dead: int = 0, late: Sequence[int] = ()
) -> list[Pot]:
    """Return the pots of one deal, main pot first.

    `stakes` are the chips of each seat without returned and dead chips. `live` are the seats left,
    and `late` are the seats that folded after the last card. Dead chips join the main pot. If no
    player is left, the result is one pot without seats.
    """
    levels = sorted({stakes[seat] for seat in live})
    if len(levels) <= 1:
        whole = sum(stakes) + dead
        return [Pot(whole, tuple(live), 0, _above(0, stakes, late))] if whole else []
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        # stakes of folded players above the highest level are dead money in the last pot
        top = level if level != levels[-1] else max(stakes)
        amount = sum([min(stake, top) - floor for stake in stakes if stake > floor])
        seats = tuple([seat for seat in live if stakes[seat] >= level])
        pots.append(Pot(amount + dead, seats, floor, _above(floor, stakes, late)))
        floor, dead = level, 0
    # the first pot, of players without a stake, may hold dead and carried chips or be empty
    return [pot for pot in pots if pot.amount]


def _join_carried(
    made: Sequence[Pot], carried: Iterable[Carried], live: Sequence[int], late: Sequence[int]
) -> list[Pot]:
    """Add the pots carried for certain players to the pots of a deal (docs/rulings.md 3).

    A carried pot with the same eligible players as another merges with it, so that they are divided
    once and have one odd chip. The other carried pots come last.
    """
    pots = list(made)
    for carry in carried:
        if carry.seats is None or not carry.amount:
            continue
        alone = Pot(
            carry.amount,
            tuple(seat for seat in live if seat in carry.seats),
            late=tuple(seat for seat in late if seat in carry.seats),
            kept_for=carry.seats,
        )
        for index, pot in enumerate(pots):
            if pot.is_won_as(alone):
                pots[index] = pot.with_carried(alone)
                break
        else:
            pots.append(alone)
    return pots


def _above(floor: int, stakes: Sequence[int], late: Sequence[int]) -> tuple[int, ...]:
    return tuple([seat for seat in late if stakes[seat] > floor]) if late else ()


class ShareAward(NamedTuple):
    """The amount of a share of a pot, and the chips of its winners by seat."""

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
        """Return the players who declared both ways in this pot and lost it."""
        return self.contest.failures if self.contest else ()


@dataclass
class Awards:
    """All pots of a hand, the uncalled chips, and details of the decisions."""

    pots: list[Award]
    returned: dict[int, int]
    unbroken: list[int] = field(default_factory=list)  # shares with a tie that no round broke
    unordered: list[tuple[int, ...]] = field(default_factory=list)  # equal turned hands
    problems: list[Problem] = field(default_factory=list)
    rounds: dict[int, list[dict[int, int]]] = field(default_factory=dict)  # strengths, measured
    # cards of tied hands, the highest first, and how many of a hand are wild
    highest: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    wild: dict[tuple[int, int, int], int] = field(default_factory=dict)
    # the result of a match deal whose pot stays, as if the pot had been won
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
    if hand.game.keeps_pot:
        _keep_pot(hand, made, showdown, entry, awards)
        return awards
    awards.pots = [_award_pot(hand, pot, showdown, entry, awards) for pot in made]
    return awards


def _keep_pot(
    hand: Hand, made: Sequence[Pot], showdown: Showdown, entry: Entry, awards: Awards
) -> None:
    """Decide a deal of a match for legs or lives, whose pot stays until the match is won.

    Such a deal has no side pots, and its pot may be empty.
    """
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
        chips = contest.pay(whole.amount, deal.champions, hand.from_dealers_left)
        awards.pots = [Award(whole, "match", chips)]
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
    # the last player left may have to show, but wins a side pot without opponents in any case
    if len(pot.seats) == 1 and (len(hand.live) > 1 or not hand.game.must_show):
        return Award(pot, "alone", chips={pot.seats[0]: pot.amount})
    outright = hand.game.both_ways == "outright"
    joint = [share.joint for share in hand.game.shares] if hand.game.is_joint else ()
    result = contest.decide(pot.seats, showdown.strengths, entry, outright=outright, joint=joint)
    outcomes: Sequence[Outcome] = result.outcomes
    if hand.game.ties != "split":
        out = {failure.seat for failure in result.failures}
        left = pot._replace(seats=tuple(seat for seat in pot.seats if seat not in out))
        outcomes = [
            _break_tie(hand, left, outcome, showdown, entry, awards) for outcome in outcomes
        ]
    if hand.game.has_neighbours:
        sides = [hand.game.shares[outcome.share].neighbour for outcome in outcomes]
        outcomes = [
            contest.beside(outcome, outcomes[0].winners, pot.seats, 1 if side == "left" else -1)
            if side
            else outcome
            for side, outcome in zip(sides, outcomes, strict=True)
        ]
    won = len([outcome for outcome in outcomes if outcome.winners])
    if not won and hand.game.unwon == "split":
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

    These are the players who could have won it, and those with chips in it who folded after the
    last card. If there are none, all players may win it.
    """
    if pot.kept_for is not None:
        return pot.kept_for
    return tuple(sorted((*pot.late, *pot.seats))) or tuple(range(len(hand.players)))


# --- ties ---------------------------------------------------------------------------------------

BY_CARDS = ("suit", "natural")


def _break_tie(
    hand: Hand, pot: Pot, outcome: Outcome, showdown: Showdown, entry: Entry, awards: Awards
) -> Outcome:
    """Break a tie by the game's rule. `pot` contains the seats that can still win."""
    ties, winners = hand.game.ties, outcome.winners
    if ties == "deal" and len(winners) != 1:
        return _deal_for(hand, pot, outcome, entry, awards)
    if len(winners) < 2:
        return outcome
    if ties == "first":
        awards.unordered.append(winners)
        return outcome._replace(winners=(min(winners, key=hand.from_dealers_left),))
    if ties not in BY_CARDS or outcome.alternative is None:
        return outcome
    if ties == "suit":  # by the highest card including its suit
        standing = {seat: _single_ranks(hand, showdown, outcome, seat, awards) for seat in winners}
    else:
        standing = {}
        for seat in winners:
            key = (outcome.share, outcome.alternative, seat)
            if key not in awards.wild:
                strength = showdown.strengths[outcome.share][outcome.alternative][seat]
                awards.wild[key] = fewest_wild(hand, seat, key[:2], strength)
            standing[seat] = [-awards.wild[key]]
    best = max(standing.values())
    return outcome._replace(winners=tuple(seat for seat in winners if standing[seat] == best))


def _deal_for(hand: Hand, pot: Pot, outcome: Outcome, entry: Entry, awards: Awards) -> Outcome:
    """Break a tie by the rounds dealt (docs/rulings.md 11).

    If no hand qualifies, all hands are tied. A tie that remains after the last round is split.
    """
    tied = outcome.winners or tuple(entry.contesting(outcome.share, pot.seats))
    left = tied
    for index, dealt in enumerate(hand.tiebreaks):
        if len(left) < 2:
            break
        for name in [hand.players[seat].name for seat in left]:
            if name not in dealt:
                text = f"{name} is tied for a pot but has no hand in the tie-break"
                awards.problems.append(Problem(f"tiebreaks/{index}", "tiebreak-lacks-player", text))
        if awards.problems:
            return outcome._replace(winners=left, tied=tied)
        if index not in awards.rounds:
            awards.rounds[index] = _measure_round(hand, dealt)
        for strengths in awards.rounds[index]:
            strongest = max([strengths[seat] for seat in left])
            if strongest >= 0:
                left = tuple(seat for seat in left if strengths[seat] == strongest)
                break
    if len(left) > 1 and not hand.tiebreaks:
        awards.unbroken.append(outcome.share)
    return outcome._replace(winners=left, tied=tied)


def _measure_round(hand: Hand, dealt: Mapping[str, list[int]]) -> list[dict[int, int]]:
    """Return the strengths of a round's hands by seat, one mapping per measure."""
    game = _round_game(hand.game)
    seats = [seat for seat, player in enumerate(hand.players) if player.name in dealt]
    hands = [dealt[hand.players[seat].name] for seat in seats]
    cards = lay_out(game, Shape(len(hands[0]), 0), hands, [()] * len(hands))
    measured = best_hands(game, hand.game.tiebreak, cards)
    return [dict(zip(seats, best.strengths.tolist(), strict=True)) for best in measured]


@lru_cache(maxsize=256)
def _round_game(game: Game) -> Game:
    """Return the game of a tie-break: only the cards dealt, no wild cards, no board."""
    all_down = Pattern((Term("all", (Place("down"),)),), text="all down")
    return replace(game, hand=(all_down,), wild=(), bug=(), board=(), lines=(), piles=())


# --- chips --------------------------------------------------------------------------------------


def _pay(
    hand: Hand, showdown: Showdown, outcome: Outcome, amount: int, awards: Awards
) -> dict[int, int]:
    """Divide a share among its winners. Odd chips go by seat or by the highest card."""
    first, winners = hand.from_dealers_left, outcome.winners
    if len(winners) < 2:
        return dict.fromkeys(winners, amount)
    if hand.odd_chip != "high card" or outcome.alternative is None:
        return contest.pay(amount, winners, first)
    ordered = sorted(winners, key=first)
    highest = {seat: _single_ranks(hand, showdown, outcome, seat, awards) for seat in ordered}
    ordered.sort(key=lambda seat: highest[seat], reverse=True)
    return contest.pay(amount, winners, ordered.index)


def _single_ranks(
    hand: Hand, showdown: Showdown, outcome: Outcome, seat: int, awards: Awards
) -> list[int]:
    """Return the ranks of the cards of a tied hand, highest first. All pots share the result."""
    if outcome.alternative is None:
        return []
    key = (outcome.share, outcome.alternative, seat)
    if key not in awards.highest:
        strength = showdown.strengths[outcome.share][outcome.alternative][seat]
        awards.highest[key] = highest_cards(hand, seat, key[:2], strength)
    return [hand.game.singles.get(card, 0) for card in awards.highest[key]]


# --- what losers pay ----------------------------------------------------------------------------


def match_pot(hand: Hand, awards: Awards) -> dict[int, int]:
    """Return what losers pay into the next pot, by seat, in games where losers match the pot."""
    # the match is over, so there is no next pot
    over = awards.deal is not None and awards.deal.champions
    due = next((due for due in hand.game.dues if due.word == "match pot"), None)
    return {} if over or due is None else _price_of_losing(hand, awards, due)


def pay_winners(hand: Hand, awards: Awards) -> tuple[dict[int, int], dict[int, int]]:
    """Return what losers pay to the winners of a deal, and what the winners receive, by seat."""
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
    """Return what every loser owes, which is a fixed price or the amount of the pot up to a limit.

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
    less than half of the pots lose as well.
    """
    if due.under_half:
        ended = hand.ended is not None
        return [] if ended else [seat for seat in hand.live if not _wins_half(awards, seat)]
    winners = awards.winners
    if not winners and not hand.game.has_table_hand:
        return []
    return [seat for seat in hand.live if seat not in winners]


def _wins_half(awards: Awards, seat: int) -> bool:
    """Return whether a player wins at least half of the pots that the player can win.

    Odd chips do not count, so two players who win a share each both win half.
    """
    whole, part = 0, Fraction(0)
    for one in [awards.decided] if awards.decided is not None else awards.pots:
        if seat not in one.pot.seats:
            continue
        whole += one.pot.amount
        won = [share.winners for share in one.shares if share.winners] or [one.chips]
        of_each = Fraction(one.pot.amount, len(won))
        part += sum(of_each / len(winners) for winners in won if seat in winners)
    return 2 * part >= whole
