"""Show a hand step by step, from the deal to the winners of each share.

A record contains the final cards in the order dealt. The deal therefore follows the steps of the
game's document. An exchanged card appears as its replacement, and additional cards (earned, bought,
drawn) appear with the step that deals them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

from rules.cards import parse_card
from rules.documents.game_lookup import game_of
from rules.game.game import Game, Step
from rules.game.hand import RESULT
from rules.presentation.deal_words import dealt_words, step_words
from rules.settlement.story.words import chips, listed, pot_words, the_share

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Reason = Mapping[str, Any]
StorySentence = tuple[str, Reason]  # a sentence of the story, and the reason it expresses


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One step of a replay. Places are paths into the record such as "players/0/down/1".

    `kind` is deal, board, turn, change, fact, bet, declare, out, show, tiebreak, share, carry or
    end. Cards are placed `down` or `up`, or are `turned` up. `lit` maps the place of each used card
    to the card that it replaces, or to "" if it is natural. `says` maps names to declarations,
    `shows` maps names to hands, and `wins` maps names to chips. `pot` is None if it is unknown. If
    every action is known, cards may be `gone`, and `stacks` and `bets` are set by seat.
    """

    kind: str
    text: str
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    lit: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    shows: Mapping[str, Sequence[str]] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    out: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    pot: int | None = None
    gone: tuple[str, ...] = ()
    stacks: tuple[int | None, ...] = ()
    bets: tuple[int, ...] = ()


# The winners of each share of each pot, with their winning cards and sentences that explain the
# result.


@dataclass(slots=True)
class Move:
    """The effect of a step: places that receive a card face down or up, and places turned up."""

    down: list[str]
    up: list[str]
    turned: tuple[str, ...] = ()


# codes of reasons that include the winners of a pot
TAKEN = frozenset(
    ("wins", "ties", "beside", "last-left", "only-player", "split-unwon", "match-won")
)


def story_sentences(answer: Answer) -> list[StorySentence]:
    """Return the sentences of an answer with their reasons. Old stored answers lack reasons."""
    story = answer.get("story", ())
    return list(zip(story, answer.get("reasons") or [{}] * len(story), strict=True))


def share_scenes(record: Record, answer: Answer, story: list[StorySentence]) -> Iterator[Scene]:
    """Yield a scene for each share with a winner. Pots with the same result share a scene.

    The sentences that explain the share are removed from the story.
    """
    pots = answer["pots"]
    shown: set[tuple[int, str]] = set()
    for number, pot in enumerate(pots):
        for share in pot["shares"]:
            way = share["way"]
            if (number, way) in shown or not any(share["winners"].values()):
                continue
            why, reason = _explained(story, number, way)
            numbers = reason.get("pots", [number])
            shown |= {(index, way) for index in numbers}
            winners = _winners([pots[index] for index in numbers], way)
            lit = {}
            for name in winners:
                hand = answer.get("hands", {}).get(name, {}).get(way)
                if isinstance(hand, dict):
                    stands = {parse_card(card): other for card, other in hand["plays_as"].items()}
                    used = {parse_card(card) for card in hand["cards"]}
                    for place, card in _seen(record, name):
                        if card in used:
                            other = stands.get(card, "")
                            lit[place] = "" if other and parse_card(other) == card else other
            yield Scene(
                kind="share",
                text=_takes(winners, way, _called(reason, number, len(pots)), len(pot["shares"])),
                lit=lit,
                wins=winners,
                why=tuple(why),
                pot=sum(pots[index]["amount"] for index in numbers),
            )
    if answer["carry"]:
        stay = "stays" if answer["carry"] == 1 else "stay"
        text = f"{chips(answer['carry'])} {stay} in the pot for the next hand."
        yield Scene(kind="carry", text=text)


def _winners(pots: Sequence[Answer], way: str) -> dict[str, int]:
    """Return the chips that each player won from one share of these pots."""
    shares = (share for pot in pots for share in pot["shares"] if share["way"] == way)
    won = [(name, amount) for share in shares for name, amount in share["winners"].items()]
    names = dict.fromkeys(name for name, amount in won if amount)
    return {name: sum(amount for other, amount in won if other == name) for name in names}


def _called(reason: Reason, number: int, pots: int) -> str:
    if "pot" in reason:
        return pot_words(reason["pot"])
    return "the pot" if pots == 1 else f"side pot {number}" if number else "the main pot"


def _takes(winners: Mapping[str, int], way: str, pot: str, shares: int) -> str:
    what = pot if shares == 1 else f"{the_share(way)} of {pot}"
    amounts = listed([f"{name} {amount:,}" for name, amount in winners.items()])
    if len(winners) == 1:
        return f"{next(iter(winners))} takes {what}: {next(iter(winners.values())):,}."
    return f"{listed(list(winners))} split {what}: {amounts}."


def _explained(story: list[StorySentence], pot: int, way: str) -> tuple[list[str], Reason]:
    """Remove the sentences up to the one that explains this share.

    Return the removed sentences with the reason of the last one, or nothing if no sentence explains
    the share.
    """
    for at, (_, reason) in enumerate(story):
        if (
            reason.get("code") in TAKEN
            and pot in reason.get("pots", ())
            and reason.get("share", way) == way
        ):
            sentences = [sentence for sentence, _ in story[: at + 1]]
            del story[: at + 1]
            return sentences, reason
    return [], {}


def _seen(record: Record, name: str) -> Iterator[tuple[str, int]]:
    """Yield every card that may be in a player's hand: own cards, shared cards and the board."""
    for seat, player in enumerate(record["players"]):
        if player["name"] == name:
            zones = {zone: player.get(zone, ()) for zone in ("down", "up")}
            zones |= {f"piles/{pile}": cards for pile, cards in player.get("piles", {}).items()}
            for zone, cards in zones.items():
                yield from _numbered(f"players/{seat}/{zone}", cards)
    for at, shared_card in enumerate(record.get("shared", ())):
        if name in shared_card["for"]:
            yield f"shared/{at}", parse_card(shared_card["card"])
    for row, cards in enumerate(record.get("board", ())):
        yield from _numbered(f"board/{row}", cards)


def _numbered(where: str, cards: Iterable[str]) -> Iterator[tuple[str, int]]:
    return ((f"{where}/{at}", parse_card(card)) for at, card in enumerate(cards))


SAID = frozenset(
    ("draw", "buy", "discard", "pass", "set", "replace", "remove", "in-or-out", "swap", "toll")
) | {"bid", "swap hand"}
ASKED = frozenset(("roll", "choose"))


def replay(record: Record, answer: Answer) -> list[Scene]:
    """Return the scenes of a settled hand. Raises ValueError if the record has no known game."""
    game = game_of(record).game
    if game is None:
        raise ValueError("the record names no game")
    if record.get("depth") == RESULT:
        return [end_scene(answer, story_sentences(answer), ())]
    scenes = [*_deal(game, record), *_out(record), *show_scenes(record, answer)]
    scenes += tiebreak_scenes(record)
    story = story_sentences(answer)
    scenes += share_scenes(record, answer, story)
    turned = {place for scene in scenes for place in scene.turned}
    lying = (place for scene in scenes for place in scene.down if place not in turned)
    return [
        *scenes,
        end_scene(answer, story, tuple(place for place in lying if "/unseen/" not in place)),
    ]


def from_dealers_left(game: Game, record: Record) -> list[int]:
    """Return the seats in the order of the deal."""
    count, button = len(record["players"]), record["button"]
    step = 1 if game.clockwise else -1
    return [(button + step * place) % count for place in range(1, count + 1)]


# --- the deal -----------------------------------------------------------------------------------


def _deal(game: Game, record: Record) -> Iterator[Scene]:
    moves = iter(moves_of(game, record))
    for verb, some in groupby(game.steps, key=lambda step: step.verb):
        steps = list(some)
        for group in [steps] if verb == "deal" else [[step] for step in steps]:
            yield from _scenes(game, record, group, [next(moves) for _ in group])


def _scenes(game: Game, record: Record, group: list[Step], moves: list[Move]) -> Iterator[Scene]:
    down = tuple(place for move in moves for place in move.down)
    up = tuple(place for move in moves for place in move.up)
    step = group[0]
    match step.verb:
        case "deal" if down or up:
            yield Scene(kind="deal", text=_sentence(dealt_words(group)), down=down, up=up)
        case "board" if down or up:
            yield Scene(kind="board", text=_sentence(step_words(step)), down=down, up=up)
        case "earn" | "extra" | "hit" | "take" | "push" if down or up:
            yield Scene(kind="deal", text=_sentence(step_words(step)), down=down, up=up)
        case "turn" | "turn until":
            yield from _turns(game, record, step, moves[0].turned)
        case "declare":
            declared = {
                each["name"]: each["declared"] for each in record["players"] if each.get("declared")
            }
            if declared:
                sentence = listed([f"{name} declares {way}" for name, way in declared.items()])
                yield Scene(kind="declare", text=f"{sentence}.", says=declared)
        case verb if verb in ASKED:
            value = record.get("options", {}).get(step.word)
            if value is not None:
                yield Scene(kind="fact", text=_sentence(f"{step.word}: {value}"))
        case verb if verb in SAID:
            yield Scene(kind="change", text=_sentence(step_words(step)), down=down, up=up)


def _turns(game: Game, record: Record, step: Step, turned: tuple[str, ...]) -> Iterator[Scene]:
    """Yield the cards turned over: together, or one by one if they are turned to beat a hand."""
    if step.verb == "turn":
        if turned:
            yield Scene(kind="turn", text=_sentence(step_words(step)), turned=turned)
        return
    for seat in from_dealers_left(game, record):
        own = tuple(place for place in turned if place.startswith(f"players/{seat}/"))
        if own:
            cards = "card" if len(own) == 1 else "cards"
            text = f"{record['players'][seat]['name']} turns {len(own)} {cards}."
            yield Scene(kind="turn", text=text, turned=own)


def _out(record: Record) -> Iterator[Scene]:
    folded = tuple(player["name"] for player in record["players"] if player.get("folded"))
    mucked = tuple(
        player["name"]
        for player in record["players"]
        if player.get("mucked") and not player.get("folded")
    )
    sentences = [f"{listed(folded)} {'is' if len(folded) == 1 else 'are'} out."] if folded else []
    if mucked:
        sentences.append(f"{listed(mucked)} {'shows' if len(mucked) == 1 else 'show'} nothing.")
    if sentences:
        yield Scene(kind="out", text=" ".join(sentences), out=folded + mucked)


# --- the showdown -------------------------------------------------------------------------------


def show_scenes(record: Record, answer: Answer) -> Iterator[Scene]:
    """Yield a scene for each player who shows a hand, from the dealer's left."""
    game = game_of(record).game
    hands = answer.get("hands", {})
    if game is None or not game.compares_hands:
        return
    for seat in from_dealers_left(game, record):
        player = record["players"][seat]
        called = hands.get(player["name"], {})
        if called:
            made = [f"{hand['name']}" for hand in called.values()]
            text = f"{player['name']} shows {listed(list(dict.fromkeys(made)))}."
            shows = {player["name"]: [f"{way}: {hand['name']}" for way, hand in called.items()]}
            yield Scene(kind="show", text=text, turned=tuple(_held(seat, player)), shows=shows)


def _held(seat: int, player: Record) -> Iterator[str]:
    """Yield the places of a player's cards that stay face down until the showdown."""
    yield from (f"players/{seat}/down/{at}" for at in range(len(player.get("down", ()))))
    for pile, cards in player.get("piles", {}).items():
        yield from (f"players/{seat}/piles/{pile}/{at}" for at in range(len(cards)))


def tiebreak_scenes(record: Record) -> Iterator[Scene]:
    """Yield the hands dealt to break a tie."""
    for number, hands in enumerate(record.get("tiebreaks", ())):
        places = [f"tiebreaks/{number}/{name}/{at}" for name in hands for at in range(5)]
        text = f"A hand is dealt to {listed(list(hands))} to break the tie."
        yield Scene(kind="tiebreak", text=text, up=tuple(places))


def end_scene(answer: Answer, story: Sequence[StorySentence], hidden: tuple[str, ...]) -> Scene:
    """Return the scene with the result. Cards that no player had to show are turned face up."""
    won = {name: net for name, net in answer["net"].items() if net > 0}
    text = listed([f"{name} is up {up:,}" for name, up in won.items()])
    why = tuple(sentence for sentence, _ in story)
    return Scene(kind="end", text=f"{text or 'Nobody wins anything'}.", turned=hidden, why=why)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def moves_of(game: Game, record: Record) -> list[Move]:
    """Return the moves of each step of the deal, derived from the final hands of a record."""
    moves = [Move([], []) for _ in game.steps]
    last_deal = [at for at, step in enumerate(game.steps) if step.verb == "deal"][-1]
    for seat, player in enumerate(record["players"]):
        hand = _Hand(game, seat, player, is_bank=game.bank and seat == record["button"])
        for step, move in zip(game.steps, moves, strict=True):
            hand.take(step, move)
        hand.take_rest(moves[last_deal])
    _lay_board(game, record, moves)
    _lay_shared(game, record, moves)
    return moves


class _Hand:
    """A player's cards that have not been dealt yet."""

    def __init__(self, game: Game, seat: int, player: Record, *, is_bank: bool) -> None:
        self.where = f"players/{seat}"
        self.cards = {
            zone: [f"{self.where}/{zone}/{at}" for at in range(len(player.get(zone, ())))]
            for zone in ("down", "up")
        }
        self.piles = {
            pile: [f"{self.where}/piles/{pile}/{at}" for at in range(len(cards))]
            for pile, cards in player.get("piles", {}).items()
        }
        self.earners = [
            place
            for place, card in zip(self.cards["up"], player.get("up", ()), strict=True)
            if parse_card(card) in game.extra_cards
        ]
        self.unseen = not is_bank and not any((*self.cards.values(), *self.piles.values()))
        turned = self._turned(game)
        self.up = [place for place in self.cards["up"] if place not in turned]
        self.waiting = [place for place in self.cards["up"] if place in turned]
        zones = {step.zone for step in game.steps}
        self.dealt_piles = [pile for pile in self.piles if f"pile {pile}" in zones]
        set_later = (self.piles[pile] for pile in self.piles if pile not in self.dealt_piles)
        self.down = [*self.waiting, *self.cards["down"], *chain.from_iterable(set_later)]
        dealt_up = [s.most for s in game.steps if s.verb == "deal" and s.zone == "up"]
        self.surplus_up = len(self.up) - sum(dealt_up)

    def _turned(self, game: Game) -> set[str]:
        """Return the player's cards that were dealt face down and turned up later."""
        cards: set[str] = set()
        at = 0
        for step in game.steps:
            if step.verb == "deal" and step.zone == "up":
                at += step.most
            elif step.verb == "turn":
                cards.update(self.cards["up"][at : at + step.most])
                at += step.most
            elif step.verb == "turn until":
                cards.update(self.cards["up"][at:])
        return cards

    def take(self, step: Step, move: Move) -> None:
        """Deal the cards of a step to the player."""
        match step.verb:
            case "deal" if self.unseen:
                self._take_unseen(step, move)
            case "deal" if step.zone.startswith("pile "):
                move.down += _next(self.piles.get(step.zone.removeprefix("pile "), []), step.most)
            case "deal" if step.zone == "up":
                move.up += _next(self.up, step.most)
            case "deal":
                move.down += _next(self.down, step.most)
            case "draw" | "buy" | "extra" | "hit" | "take" | "push":
                self._take_more(step, move)
            case "turn":
                move.turned += tuple(_next(self.waiting, step.most))
            case "turn until":  # earned cards can't be turned over yet
                there = [place for place in self.waiting if place not in self.down]
                move.turned += tuple(_next(self.waiting, len(there)))
            case "earn":
                self._take_earned(move)

    def _take_unseen(self, step: Step, move: Move) -> None:
        """Deal unseen cards once to a player whose cards were not recorded."""
        if step.zone in ("down", "up"):
            move.down += [f"{self.where}/unseen/{at}" for at in range(step.most)]
        self.unseen = False

    def _take_more(self, step: Step, move: Move) -> None:
        """Deal additional cards. Drawn cards take the places of the discards."""
        count = step.change if step.verb in {"draw", "buy"} else step.most
        laid, held = (move.up, self.up) if step.zone == "up" else (move.down, self.down)
        laid += _next(held, max(count, 0))

    def _take_earned(self, move: Move) -> None:
        """Deal a card for each turned-up card that earns one.

        The card is up if there are up cards left, or if it was turned over like the others.
        """
        seen = [place for place in self.earners if place not in self.up]
        self.earners = [place for place in self.earners if place in self.up]
        for _ in seen:
            if self.surplus_up > 0:
                self.surplus_up -= 1
                move.up += _next(self.up, 1)
            else:
                earned = _next(self.down, 1)
                (move.up if set(earned) <= set(self.waiting) else move.down).extend(earned)

    def take_rest(self, move: Move) -> None:
        """Place the cards that no step has dealt, so that no card is missing."""
        move.down += self.down
        move.up += self.up
        move.down += [place for pile in self.dealt_piles for place in self.piles.get(pile, ())]


def _next(places: list[str], count: int) -> list[str]:
    """Take the next `count` places from the list."""
    taken = places[:count]
    del places[:count]
    return taken


def _lay_board(game: Game, record: Record, moves: list[Move]) -> None:
    rows = record.get("board", ())
    places = {
        slot: f"board/{row}/{at}"
        for row, slots in enumerate(game.board[: len(rows)])
        for at, slot in enumerate(slots[: len(rows[row])])
    }
    for step, move in zip(game.steps, moves, strict=True):
        if step.verb == "board":
            found = [places.pop(slot) for slot in step.slots if slot in places]
            (move.down if step.face_down else move.up).extend(found)


def _lay_shared(game: Game, record: Record, moves: list[Move]) -> None:
    shared = [f"shared/{at}" for at in range(len(record.get("shared", ())))]
    for step, move in zip(game.steps, moves, strict=True):
        if step.verb in ("buy", "draw") and step.zone == "common":
            move.up += _next(shared, 1)
    if moves:
        moves[-1].up += shared


# The scene of one step of the deal.
