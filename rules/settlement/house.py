"""Games against the house: a bank, and bets against the pot.

Cards make players pay to the bank or draw from it. The bank is the dealer, who has no hand and pays
only the chips that are missing (docs/rulings.md, "Put and Take"). In bets against the pot, each
player in turn bets on the next card until the pot is empty. The last card up decides a turn
(docs/record.md, "Against the pot").
"""

from dataclasses import dataclass

from rules.cards import ACE
from rules.game.game import Game
from rules.game.hand import Hand, Player

LOW_ACE = -1  # ranks below the two
POSTS = 2


@dataclass(frozen=True)
class Banking:
    """The chips that each seat puts in and takes, and the bank's result."""

    put: dict[int, int]
    take: dict[int, int]
    paid: dict[int, int]
    won: dict[int, int]
    carry: int


def bank(hand: Hand) -> Banking:
    """Collect payments into the pot, and pay players from it. The dealer pays what is missing."""
    seats = [
        seat
        for seat, player in enumerate(hand.players)
        if seat != hand.button and not player.folded and not player.mucked
    ]
    put = {seat: _due(hand, "put", seat) for seat in seats}
    take = {seat: _due(hand, "take", seat) for seat in seats}
    carried = sum(pot.amount for pot in hand.carried)
    left = sum(put.values()) + carried - sum(take.values())
    stays = any(due.verb == "leftover" and due.word == "carry" for due in hand.game.dues)
    paid = dict.fromkeys(range(len(hand.players)), 0) | put
    won = dict.fromkeys(range(len(hand.players)), 0) | take
    paid[hand.button] = max(-left, 0)
    won[hand.button] = 0 if stays else max(left, 0)
    return Banking(put, take, paid, won, max(left, 0) if stays else 0)


def _due(hand: Hand, verb: str, seat: int) -> int:
    """Return the chips that a player puts in or takes for cards that match these rows."""
    held = [card // 4 for card in (*hand.players[seat].held_down, *hand.players[seat].up)]
    units = 0
    for due in hand.game.dues:
        if due.verb == verb:
            for place, card in enumerate(hand.board[due.row - 1]):
                rank = card // 4
                # a jack counts as 11, a queen as 12, a king as 13
                own = 1 if rank == ACE else rank + 2
                units += (due.values[place] if due.values else own) * held.count(rank)
    return hand.unit * units


# --- bets against the pot -----------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """One player's bet. `times` is the number of bets lost, or 0 for a win."""

    seat: int
    bet: int
    times: int
    put: int  # chips lost; a player who is all in can't pay more than once
    left: int  # chips in the pot afterwards

    @property
    def won(self) -> bool:
        return not self.times


@dataclass(frozen=True)
class PotTurns:
    """The results of all turns, in chips by seat."""

    put_in: dict[int, int]  # chips put in outside of turns
    turns: tuple[Turn, ...]
    paid: dict[int, int]
    won: dict[int, int]
    returned: dict[int, int]
    carry: int


def play_turns(hand: Hand) -> PotTurns:
    """Play all turns from the dealer's left. No bet can exceed the pot."""
    seats = range(len(hand.players))
    in_turn = sorted(filter(lambda seat: takes_turn(hand, seat), seats), key=hand.from_dealers_left)
    put_in = {
        seat: player.dead if seat in in_turn else player.paid
        for seat, player in enumerate(hand.players)
    }
    pot = sum(carried.amount for carried in hand.carried) + sum(put_in.values())
    paid = {seat: hand.players[seat].paid for seat in seats}
    won, returned = dict.fromkeys(seats, 0), dict.fromkeys(seats, 0)
    turns = []
    for seat in in_turn:
        stake = paid[seat] - put_in[seat]
        bet = min(stake, pot)
        returned[seat] = stake - bet
        times = bets_lost(hand.game, hand.players[seat])
        put = bet if hand.players[seat].all_in else bet * times
        if times:
            paid[seat] += put - bet
            pot += put
        else:
            won[seat] = 2 * bet
            pot -= bet
        turns.append(Turn(seat, bet, times, put if times else 0, pot))
    bets = {seat: chips for seat, chips in put_in.items() if chips}
    return PotTurns(bets, tuple(turns), paid, won, returned, pot)


def takes_turn(hand: Hand, seat: int) -> bool:
    """Return whether the player bets and the deciding card was turned over."""
    player = hand.players[seat]
    return seat in hand.live and len(player.up) == hand.game.up.most and bool(player.up)


# --- one turn -----------------------------------------------------------------------------------


def bets_lost(game: Game, player: Player) -> int:
    """Return how many bets a turn costs, or 0 for a win."""
    if game.against_pot == "higher":
        return 0 if winning_cards(player) else 1
    posts, third = player.up[:POSTS], player.up[-1] // 4
    met = sum(post // 4 == third for post in posts)
    if met:  # the last card matches one or both posts
        values = next((due.values for due in game.dues if due.verb == "post"), (1,))
        return (*values, values[-1])[min(met, 2) - 1]
    low, high = sorted(post_ranks(game, player))
    if low == high and "pair" in game.calls:
        return 0 if (third > low) == (player.declared == "high") else 1
    return 0 if low < third < high else 1


def winning_cards(player: Player) -> list[int]:
    """Return the cards in hand that beat the card turned up: higher cards of the same suit."""
    turned = player.up[-1]
    return [card for card in player.held_down if card % 4 == turned % 4 and card > turned]


def post_ranks(game: Game, player: Player) -> list[int]:
    """Return the ranks of the two posts. An ace that comes first may have been called low."""
    ranks = [post // 4 for post in player.up[:POSTS]]
    if ranks[0] == ACE and "ace" in game.calls and player.declared == "low":
        ranks[0] = LOW_ACE
    return ranks


def is_pair(game: Game, player: Player) -> bool:
    """Return whether the posts are a pair, i.e. no rank lies between them."""
    return len(set(post_ranks(game, player))) == 1
