"""Random poker nights as PokerNow logs, with an independent model of the chips.

The model shares no code with the engine. It deals, bets, creates side pots, compares hands, pays,
and writes PokerNow log lines. `a_night` returns the lines, oldest first, and each player's net over
all hands.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.helpers.rules.log_cards import DECK, strength

HOLDEM, OMAHA = "No Limit Texas Hold'em", "Pot Limit Omaha Hi"
NAMES = ("Ann", "Bob", "Cat @ home", 'Dan "the man"', "Eve 2.5", "Fay", "Gus (1)", "Hal")
STREETS = ((0, 0), (0, 3), (3, 4), (4, 5))  # range of board cards dealt on each street
RIVER = 3
ANTE, SMALL, BIG = 2, 5, 10  # uneven amounts, which test odd chips
RUNS = ("first run", "second run", "third run")
RUN_EVERY = 5  # in every fifth hand, all players go all in and run it twice or three times


@dataclass
class Player:
    id: str
    name: str
    stack: int = 0
    seated: bool = False
    known: bool = False  # whether the player has played before
    missed: bool = False  # whether the player has to post blinds after a break
    won: int = 0

    @property
    def quoted(self) -> str:
        return f'"{self.name} @ {self.id}"'


@dataclass
class Hand:
    """The state of a hand."""

    players: list[Player]
    held: dict[str, list[str]]
    rows: list[list[str]]  # the boards
    cards: list[str]  # the remaining deck
    bomb: bool
    shown: bool = False
    all_in_on: int = -1  # the street on which all players go all in
    now: int = 0  # the current street
    other_runs: list[list[str]] = field(default_factory=list)  # the boards after the first run
    street: Counter[str] = field(default_factory=Counter)  # bets on this street, keyed by name
    paid: Counter[str] = field(default_factory=Counter)
    dead: int = 0
    folded: set[str] = field(default_factory=set)
    size: int = BIG

    def left(self) -> list[Player]:
        return [each for each in self.players if each.name not in self.folded]

    def high(self) -> int:
        return max(self.street.values(), default=0)


class Table:
    """A night's table. `lines` is the log so far."""

    def __init__(self, chance: Random, *, places: int, plain: bool = False) -> None:
        """Start a night. `plain` leaves out features that other rooms lack or handle differently.

        Other rooms have no bomb pots or bounties, and handle missed and short blinds differently.
        """
        self.chance, self.places, self.plain = chance, places, plain
        self.players = [Player(f"id{place}{'x' * 7}", name) for place, name in enumerate(NAMES)]
        self.lines: list[str] = []
        self.late: list[str] = []  # lines to be written after the first line of the next hand
        self.kinds: Counter[str] = Counter()
        self.number = 0
        self.dealer = 0

    def chips(self, number: int) -> str:
        """Return a number of chips in the log's notation. With two decimals, 2500 is 25.00."""
        if not self.places:
            return str(number)
        return f"{number // 10**self.places}.{number % 10**self.places:0{self.places}}"

    def say(self, line: str, kind: str = "") -> None:
        self.lines.append(line)
        if kind:
            self.kinds[kind] += 1

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def say_late(self) -> None:
        self.lines += self.late
        self.late.clear()

    # --- between hands --------------------------------------------------------------------------

    def sit_down(self, player: Player) -> None:
        """Add a new player, or a returning player who may bring more chips."""
        chips = self.chance.randint(20, 200) * SMALL
        what = f"{player.quoted} participation with a stack of {self.chips(chips)}."
        self.say(f"The player {player.quoted} requested a seat.")
        self.say(f"The admin approved the player {what}", "approved")
        text = f"The player {player.quoted} joined the game with a stack of {self.chips(chips)}."
        self.kinds["rebuy" if player.known else "join"] += 1
        if self.maybe(0.3):
            self.late.append(text)
        else:
            self.say(text)
        player.missed = player.known and self.maybe(0.6)
        player.stack, player.seated, player.known = chips, True, True

    def quit(self, player: Player) -> None:
        self.say_late()
        text = f"The player {player.quoted} quits the game with a stack of"
        self.say(f"{text} {self.chips(player.stack)}.", "quit")
        player.seated = False

    def pause(self, player: Player) -> None:
        self.say_late()
        stack = self.chips(player.stack)
        self.say(f"The player {player.quoted} stand up with the stack of {stack}.", "stand up")
        if self.maybe(0.7):
            self.say(f"The player {player.quoted} sit back with the stack of {stack}.", "sit back")
            if self.maybe(0.3):
                self.say(f"The player {player.quoted} joined the game with a stack of {stack}.")
            player.missed = self.maybe(0.5)
        else:
            player.seated = False

    def change_stack(self, player: Player) -> None:
        self.say_late()
        before = player.stack
        player.stack = max(0, before + self.chance.randint(-20, 40) * SMALL)
        more = player.stack - before
        verb = "adding" if more >= 0 else "removing"
        queued = f"{player.quoted} {verb} {self.chips(abs(more))} chips in the next hand."
        self.say(f"WARNING: the admin queued the stack change for the player {queued}")
        stacks = f"from {self.chips(before)} to {self.chips(player.stack)}."
        self.say(f"The admin updated the player {player.quoted} stack {stacks}", "stack edit")

    def change_id(self, player: Player) -> None:
        self.say_late()
        old, player.id = player.id, f"new{self.chance.randrange(10**7):07}"
        text = f"changed the ID from {old} to {player.id} because authenticated login."
        self.say(f"The player {player.quoted} {text}", "new id")

    def between(self) -> None:
        """Let players come, go, and buy or receive chips. Also write lines that move no chips."""
        least = BIG + ANTE if self.plain else 1
        for player in self.players:
            if player.seated and player.stack < least:
                self.quit(player)
        for player in self.players:
            seated = sum(each.seated for each in self.players)
            if not player.seated and self.maybe(0.12 if seated > 2 else 1):
                self.sit_down(player)
            elif player.seated and self.maybe(0.03):
                self.quit(player)
            elif player.seated and self.maybe(0.04):
                self.pause(player)
            elif player.seated and self.maybe(0.04):
                self.change_stack(player)
            elif player.seated and self.maybe(0.02):
                self.change_id(player)
        if self.maybe(0.05):
            self.say("The game's big blind was changed from 2 to 4.")
            admin, player = self.chance.sample(self.players, 2)
            self.say(f"The player {admin.quoted} passed the room ownership to {player.quoted}.")

    # --- a hand ---------------------------------------------------------------------------------

    def deal(self) -> None:
        in_hand = [seated for seated in self.players if seated.seated and seated.stack]
        if len(in_hand) < 2:
            return
        self.number += 1
        game = self.chance.choices([HOLDEM, OMAHA], [4, 1])[0]
        self.dealer = (self.dealer + 1) % len(in_hand)
        in_hand = in_hand[self.dealer :] + in_hand[: self.dealer]  # the dealer first
        dealer = in_hand[0]
        self.say(
            f"-- starting hand #{self.number} (id: x{self.number})  ({game}) "
            f"(dealer: {dealer.quoted}) --"
        )
        self.say_late()
        seats = sorted(in_hand, key=lambda seated: NAMES.index(seated.name))
        stacks = (
            f"#{NAMES.index(seated.name) + 1} {seated.quoted} ({self.chips(seated.stack)})"
            for seated in seats
        )
        self.say(f"Player stacks: {' | '.join(stacks)}")
        cards = self.chance.sample(DECK, len(DECK))
        size = 2 if game == HOLDEM else 4
        held = {seated.name: [cards.pop() for _ in range(size)] for seated in in_hand}
        if self.maybe(0.3):
            self.say(f"Your hand is {', '.join(held[dealer.name])}", "own cards")
        runs = self.number % RUN_EVERY == 0
        bomb = not (runs or self.plain) and self.maybe(0.06)
        boards = 2 if bomb and self.maybe(0.7) else 1
        rows = [[cards.pop() for _ in range(5)] for _ in range(boards)]
        hand = Hand(in_hand, held, rows, cards, bomb)
        hand.all_in_on = self.chance.randrange(RIVER) if runs else -1
        self.play(hand)
        self.say(f"-- ending hand #{self.number} --")

    def play(self, hand: Hand) -> None:
        for street, (_start, end) in enumerate(STREETS):
            self.play_street(hand, street)
            if len(hand.left()) == 1:
                self.take_uncontested(hand)
                return
            if self.nobody_bets(hand) and not hand.shown and street < RIVER:
                if len(hand.rows) == 1 and (hand.all_in_on >= 0 or self.maybe(0.4)):
                    self.choose_runs(hand, end)
                self.show(hand)
        if hand.other_runs:
            self.run_again(hand)
        if not hand.shown:
            self.show(hand)
        self.show_down(hand)
        if not self.plain:
            self.pay_bounties(hand)

    def choose_runs(self, hand: Hand, dealt: int) -> None:
        """Deal the boards of a second and perhaps a third run, from the cards `dealt` on."""
        others = 1 + self.maybe(0.3)
        self.say("All players in hand choose to run it twice.", ("run twice", "run 3x")[others - 1])
        for _ in range(others):
            board = hand.rows[0][:dealt] + [hand.cards.pop() for _ in range(5 - dealt)]
            hand.other_runs.append(board)

    def play_street(self, hand: Hand, street: int) -> None:
        hand.now = street
        if street:
            self.board(hand.rows, street)
        if not street and hand.bomb:
            self.post_bomb(hand)
        else:
            first = 1 % len(hand.players) if street else self.post_blinds(hand)
            self.bet(hand, first)
            if len(hand.left()) > 1 and not hand.shown:
                self.give_back(hand)
        hand.paid.update(hand.street)
        hand.street.clear()
        hand.size = BIG

    def show(self, hand: Hand) -> None:
        hand.shown = True
        for each in hand.left():
            self.say(f"{each.quoted} shows a {', '.join(hand.held[each.name])}.")

    def run_again(self, hand: Hand) -> None:
        first = hand.rows[0]
        for run, board in zip(RUNS[1:], hand.other_runs, strict=False):
            common = next((at for at in range(5) if first[at] != board[at]), 5)
            for street, (_start, end) in enumerate(STREETS[1:], 1):
                if end > common:
                    self.board([board], street, note=f" ({run})")
        hand.rows = [first, *hand.other_runs]

    def board(self, rows: list[list[str]], street: int, note: str = "") -> None:
        name, (start, end) = ("", "Flop", "Turn", "River")[street], STREETS[street]
        for row, suffix in zip(rows, (note, " (second board)"), strict=False):
            self.say(f"{name}{suffix}: {', '.join(row[:start])} [{', '.join(row[start:end])}]")

    # --- chips in -------------------------------------------------------------------------------

    def put(self, hand: Hand, player: Player, total: int) -> int:
        """Bet up to the current bet, or all remaining chips. Return the player's total bet."""
        more = min(total - hand.street[player.name], player.stack)
        player.stack -= more
        player.won -= more
        hand.street[player.name] += more
        return hand.street[player.name]

    def all_in(self, player: Player) -> str:
        return "" if player.stack else " and go all in"

    def post(self, hand: Hand, player: Player, what: str, total: int) -> None:
        put = self.put(hand, player, total)
        self.say(f"{player.quoted} posts a {what} of {self.chips(put)}{self.all_in(player)}", what)

    def post_blinds(self, hand: Hand) -> int:
        """Post antes and blinds. Return the position of the first player to act."""
        players = hand.players
        if self.maybe(0.1):
            self.post_antes(hand)
        heads_up = len(players) == 2
        small, big = (players[0], players[1]) if heads_up else (players[1], players[2])
        if small.stack and not heads_up and self.maybe(0.04):
            self.say("Dead Small Blind", "dead small blind")
        elif small.stack:
            self.post(hand, small, "small blind", SMALL)
        if big.stack:
            self.post(hand, big, "big blind", BIG)
        for player in players:
            may_post = player.missed and not self.plain
            if may_post and player not in (small, big) and player.stack > SMALL:
                self.post_missed(hand, player)
            player.missed = False
        place = 0 if heads_up else 3 % len(players)
        straddler = players[place]
        if straddler.stack > 2 * BIG and hand.street[straddler.name] < BIG and self.maybe(0.15):
            self.post(hand, straddler, "straddle", 2 * BIG)
            hand.size = 2 * BIG
            place = (place + 1) % len(players)
        return place

    def post_antes(self, hand: Hand) -> None:
        for player in hand.players:
            ante = min(ANTE, player.stack)
            player.stack -= ante
            player.won -= ante
            hand.paid[player.name] += ante
            self.say(f"{player.quoted} posts an ante of {self.chips(ante)}", "ante")

    def post_missed(self, hand: Hand, player: Player) -> None:
        """Post missed blinds: the small blind is dead, and the big blind is a bet."""
        player.stack -= SMALL
        player.won -= SMALL
        hand.dead += SMALL
        what = "missing small blind"
        self.say(f"{player.quoted} posts a {what} of {self.chips(SMALL)}", what)
        self.post(hand, player, "missed big blind", BIG)

    def post_bomb(self, hand: Hand) -> None:
        players = hand.players[1:] + hand.players[:1]
        for at, poster in enumerate(players):
            put = self.chips(self.put(hand, poster, 2 * BIG))
            verb = "posts a bet of" if not at else "calls"
            self.say(
                f"{poster.quoted} {verb} {put}{self.all_in(poster)} (bomb pot bet)", "bomb pot"
            )

    def nobody_bets(self, hand: Hand) -> bool:
        return sum(each.stack > 0 for each in hand.left()) < 2

    def bet(self, hand: Hand, first: int) -> None:
        """Run a betting round from this position."""
        waiting = hand.players[first:] + hand.players[:first]
        while waiting:
            player = waiting.pop(0)
            due = hand.high() - hand.street[player.name]
            if player.name in hand.folded or not player.stack:
                continue
            if len(hand.left()) == 1 or (self.nobody_bets(hand) and due <= 0):
                continue
            self.act(hand, player, due, waiting)

    def act(self, hand: Hand, player: Player, due: int, waiting: list[Player]) -> None:
        choice = self.chance.random()
        if hand.all_in_on == hand.now and not self.nobody_bets(hand):
            self.raise_(hand, player, waiting, all_in=True)
            return
        if hand.all_in_on >= 0:
            choice = 0.5
        if due > 0 and choice < 0.3:
            hand.folded.add(player.name)
            self.say(f"{player.quoted} folds", "fold")
        elif choice < 0.75 or self.nobody_bets(hand):
            if due > 0:
                put = self.put(hand, player, hand.high())
                self.say(f"{player.quoted} calls {self.chips(put)}{self.all_in(player)}", "call")
            else:
                self.say(f"{player.quoted} checks", "check")
        else:
            self.raise_(hand, player, waiting)

    def raise_(
        self, hand: Hand, player: Player, waiting: list[Player], *, all_in: bool = False
    ) -> None:
        high = hand.high()
        total = high + hand.size * self.chance.choice((1, 1, 2, 3))
        if all_in or self.maybe(0.12):
            total = hand.street[player.name] + player.stack
        put = self.put(hand, player, total)
        if put <= high:
            self.say(f"{player.quoted} calls {self.chips(put)}{self.all_in(player)}", "call")
            return
        verb = "raises to" if high else "bets"
        self.say(f"{player.quoted} {verb} {self.chips(put)}{self.all_in(player)}", verb)
        hand.size = max(hand.size, put - high)
        at = hand.players.index(player)
        waiting[:] = hand.players[at + 1 :] + hand.players[:at]

    # --- chips out ------------------------------------------------------------------------------

    def give_back(self, hand: Hand) -> None:
        """Return the uncalled chips of this street."""
        totals = sorted(
            ((hand.street[bettor.name] + 0, bettor.name) for bettor in hand.players), reverse=True
        )
        over = totals[0][0] - totals[1][0]
        player = next(bettor for bettor in hand.players if bettor.name == totals[0][1])
        if over and player.name not in hand.folded:
            player.stack += over
            player.won += over
            hand.street[player.name] -= over
            text = f"Uncalled bet of {self.chips(over)} returned to {player.quoted}"
            self.say(text, "uncalled bet")

    def collect(self, player: Player, chips: int, how: str = "") -> None:
        player.stack += chips
        player.won += chips
        self.say(f"{player.quoted} collected {self.chips(chips)} from pot{how}", "collect")

    def take_uncontested(self, hand: Hand) -> None:
        [player] = hand.left()
        paid = {each.name: hand.paid[each.name] for each in hand.players}
        others = max((chips for name, chips in paid.items() if name != player.name), default=0)
        if (over := paid[player.name] - others) > 0:
            player.stack += over
            player.won += over
            hand.paid[player.name] -= over
            self.say(f"Uncalled bet of {self.chips(over)} returned to {player.quoted}")
        self.collect(player, sum(hand.paid.values()) + hand.dead)

    def show_down(self, hand: Hand) -> None:
        """Pay every pot on every board. Odd chips go to the first winner left of the dealer."""
        held, rows = hand.held, hand.rows
        names = RUNS if hand.other_runs else ("", "second board")
        order = hand.players[1:] + hand.players[:1]
        for chips, contenders in self.pots(hand):
            part, more = divmod(chips, len(rows))
            parts = [part + (at < more) for at in range(len(rows))]
            for at, (part, row) in enumerate(zip(parts, rows, strict=True)):
                best = {name: strength(held[name], row) for name in contenders}
                top = max(best.values())
                winners = [each for each in order if best.get(each.name) == top]
                share, odd = divmod(part, len(winners))
                on = f" on the {names[at]} " if at else ""
                for place, winner in enumerate(winners):
                    won = share + (place < odd)
                    if won:
                        how = f" with Pair, A's{on} (combination: {', '.join(row)})"
                        self.collect(winner, won, how)
                if len(winners) > 1:
                    self.kinds["split pot"] += 1

    def pots(self, hand: Hand) -> Iterator[tuple[int, list[str]]]:
        """Return the pots, main pot first, each with the players who paid its full level."""
        left = [each.name for each in hand.left()]
        levels = sorted({hand.paid[name] for name in left})
        below, total = 0, 0
        for level in levels:
            chips = sum(min(paid, level) - min(paid, below) for paid in hand.paid.values())
            if level == levels[-1]:  # includes chips that folded players bet above this level
                chips += sum(max(0, paid - level) for paid in hand.paid.values())
            if not below:
                chips += hand.dead
            if chips:
                total += 1
                yield chips, [name for name in left if hand.paid[name] >= level]
            below = level
        self.kinds["side pot"] += total > 1

    def pay_bounties(self, hand: Hand) -> None:
        """Pay a bounty to players who show seven-deuce. All others in the hand pay it."""
        for player in hand.left():
            if {card[:-1] for card in hand.held[player.name]} != {"7", "2"}:
                continue
            for other in hand.players:
                chips = min(BIG, other.stack)
                if other is player or not chips:
                    continue
                for side, moved in ((player, chips), (other, -chips)):
                    side.stack += moved
                    side.won += moved
                text = f"collected {self.chips(chips)} from the 7-2 bounty of {other.quoted}"
                self.say(f"{player.quoted} {text}", "bounty")


@dataclass(frozen=True)
class LoggedNight:
    """A log, and each player's net over all of its hands."""

    lines: list[str]
    won: dict[str, int]
    hands: int
    kinds: Counter[str]


def a_night(chance: Random, hands: int, *, places: int = 0, plain: bool = False) -> LoggedNight:
    table = Table(chance, places=places, plain=plain)
    while table.number < hands:
        table.between()
        table.deal()
    for player in table.players:
        if player.seated and chance.random() < 0.7:
            table.quit(player)
    won = {player.name: player.won for player in table.players if player.won}
    return LoggedNight(table.lines, won, table.number, table.kinds)
