"""Show a hand step by step, from the deal to the winners of each share.

A record contains the final cards in the order dealt. The deal therefore follows the steps of the
game's document. An exchanged card appears as its replacement, and additional cards (earned, bought,
drawn) appear with the step that deals them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from rules.cards import parse_card
from rules.documents.game_lookup import game_of
from rules.game.game import Game, Step
from rules.game.hand import RESULT
from rules.presentation.deal_words import dealt_words, step_words
from rules.presentation.moves import Move, moves_of
from rules.settlement.runs import joined_pots, run_records
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

    def in_run(self, run: int, own: Mapping[str, str], turned: list[str]) -> Iterator["Scene"]:
        """Yield the scene with the places of the run, or nothing if it repeats the deal before."""

        def moved(places: Iterable[str]) -> tuple[str, ...]:
            return tuple(at for place in places if (at := f"runs/{run}/{place}") in own)

        down, up = moved(self.down), moved(self.up)
        if self.kind in REPEATED and not (down or up):
            return
        seen = moved(self.turned)
        seen = tuple(place for place in seen if place not in turned)
        turned += seen
        lit = {
            at if (at := f"runs/{run}/{place}") in own else place: c
            for place, c in self.lit.items()
        }
        text = f"Run {run + 1}: {self.text}"
        yield replace(self, text=text, down=down, up=up, turned=seen, lit=lit)


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
                text=_takes(pots, number, way, winners, reason),
                lit=lit,
                wins=winners,
                why=tuple(why),
                pot=sum(pots[index]["amount"] for index in numbers),
            )


def _carry_scenes(answer: Answer) -> Iterator[Scene]:
    if answer["carry"]:
        stay = "stays" if answer["carry"] == 1 else "stay"
        text = f"{chips(answer['carry'])} {stay} in the pot for the next hand."
        yield Scene(kind="carry", text=text)


# --- several runs -------------------------------------------------------------------------------


def run_cards(record: Record) -> list[dict[str, str]]:
    """Return the cards that each run deals, keyed by place such as "runs/0/board/0/3".

    The rest of the place is the card's path in the complete record of the run.
    """
    if "runs" not in record:
        return []
    base = dict(_places(record))
    return [
        {f"runs/{run}/{at}": card for at, card in _places(whole) if base.get(at) != card}
        for run, whole in enumerate(run_records(record))
    ]


def board_of_run(own: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the cards that a run deals to each row of the board, without empty rows."""
    rows: dict[str, dict[str, str]] = {}
    for place, card in own.items():
        _, _, head, row, *_ = place.split("/")
        if head == "board":
            rows.setdefault(row, {})[place] = card
    return [*rows.values()]


def _gaps(record: Record) -> set[str]:
    """Return the places of the record that are empty until a run deals a card to them."""
    there = {place for place, _ in _places(record)}
    return {
        at for own in run_cards(record) for each in own if (at := each.split("/", 2)[2]) in there
    }


def _places(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the place of every card that a run may deal."""
    for row, cards in enumerate(record.get("board", ())):
        yield from ((f"board/{row}/{at}", card) for at, card in enumerate(cards))
    for seat, player in enumerate(record["players"]):
        for zone in ("down", "up"):
            cards = player.get(zone, ())
            yield from ((f"players/{seat}/{zone}/{at}", card) for at, card in enumerate(cards))
    yield from ((f"shared/{at}", each["card"]) for at, each in enumerate(record.get("shared", ())))


def run_scenes(record: Record, answer: Answer, story: list[StorySentence]) -> Iterator[Scene]:
    """Yield the scenes of each run: its cards, the hands that they make, and the shares.

    Players turn up their cards before the first run. The sentences about the runs are removed from
    the story.
    """
    turned: list[str] = []
    for scene in _before_runs(record, answer, story):
        turned += scene.turned
        yield scene
    indices = joined_pots(answer["runs"])[1]
    runs = zip(run_records(record), answer["runs"], run_cards(record), indices, strict=True)
    for run, (whole, result, own, pots) in enumerate(runs):
        own_story: list[StorySentence] = [
            (sentence, {**reason, "pots": [pots.index(at) for at in reason.get("pots", ())]})
            for sentence, reason in story
            if reason.get("run") == run + 1
        ]
        game = game_of(whole).game
        scenes = [] if game is None else [*deal_scenes(game, whole)]
        scenes += show_scenes(whole, result)
        scenes += (replace(scene, up=()) for scene in tiebreak_scenes(whole))
        scenes += share_scenes(whole, result, own_story)
        for scene in scenes:
            yield from scene.in_run(run, own, turned)
        if why := tuple(sentence for sentence, _ in own_story):  # of pots that no player wins
            yield Scene(kind="carry", text=why[0], why=why)
    story[:] = [(sentence, reason) for sentence, reason in story if "run" not in reason]


def _before_runs(record: Record, answer: Answer, story: list[StorySentence]) -> Iterator[Scene]:
    """Yield the scenes in which players show their cards and the number of runs is stated."""
    game = game_of(record).game
    shows = [name for name, hand in answer.get("hands", {}).items() if hand]
    if shows and game is not None and game.compares_hands:
        seats = [at for at, player in enumerate(record["players"]) if player["name"] in shows]
        held = tuple(place for at in seats for place in _held(at, record["players"][at]))
        gaps = _gaps(record)
        verb = "shows" if len(shows) == 1 else "show"
        text = f"{listed(shows)} {verb} their cards."
        yield Scene(kind="show", text=text, turned=tuple(at for at in held if at not in gaps))
    stated = [at for at, (_, reason) in enumerate(story) if reason.get("code") == "runs"]
    if stated:
        why = [sentence for sentence, _ in story[: stated[0] + 1]]
        del story[: stated[0] + 1]
        yield Scene(kind="fact", text=why[-1], why=tuple(why))


REPEATED = frozenset(("deal", "board", "turn", "change", "fact", "declare", "out"))


def _winners(pots: Sequence[Answer], way: str) -> dict[str, int]:
    """Return the chips that each player won from one share of these pots."""
    shares = (share for pot in pots for share in pot["shares"] if share["way"] == way)
    won = [(name, amount) for share in shares for name, amount in share["winners"].items()]
    names = dict.fromkeys(name for name, amount in won if amount)
    return {name: sum(amount for other, amount in won if other == name) for name in names}


def _takes(
    pots: Sequence[Answer], number: int, way: str, winners: Mapping[str, int], reason: Reason
) -> str:
    """Return the sentence about the players who win a share of a pot."""
    if "pot" in reason:
        pot = pot_words(reason["pot"])
    elif len(pots) == 1:
        pot = "the pot"
    else:
        pot = f"side pot {number}" if number else "the main pot"
    what = pot if len(pots[number]["shares"]) == 1 else f"{the_share(way)} of {pot}"
    if len(winners) == 1:
        [(name, amount)] = winners.items()
        return f"{name} takes {what}: {amount:,}."
    amounts = listed([f"{name} {amount:,}" for name, amount in winners.items()])
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
    story = story_sentences(answer)
    scenes = [*deal_scenes(game, record)]
    players = record["players"]
    folded = tuple(each["name"] for each in players if each.get("folded"))
    mucked = tuple(
        each["name"] for each in players if each.get("mucked") and not each.get("folded")
    )
    sentences = [f"{listed(folded)} {'is' if len(folded) == 1 else 'are'} out."] if folded else []
    if mucked:
        sentences.append(f"{listed(mucked)} {'shows' if len(mucked) == 1 else 'show'} nothing.")
    if sentences:
        scenes.append(Scene(kind="out", text=" ".join(sentences), out=folded + mucked))
    if "runs" in answer:
        gaps = _gaps(record)
        for at, scene in enumerate(scenes):
            down, up, turned = (
                tuple(place for place in places if place not in gaps)
                for places in (scene.down, scene.up, scene.turned)
            )
            scenes[at] = replace(scene, down=down, up=up, turned=turned)
    scenes += showdown_scenes(record, answer, story)
    shown = {place for scene in scenes for place in scene.turned}
    hidden = (place for scene in scenes for place in scene.down if place not in shown)
    unturned = tuple(place for place in hidden if "/unseen/" not in place)
    return [*scenes, end_scene(answer, story, unturned)]


def showdown_scenes(record: Record, answer: Answer, story: list[StorySentence]) -> list[Scene]:
    """Return the scenes after the betting, for each run if there are several."""
    if "runs" in answer:
        return [*run_scenes(record, answer, story), *_carry_scenes(answer)]
    scenes = [*show_scenes(record, answer), *tiebreak_scenes(record)]
    return [*scenes, *share_scenes(record, answer, story), *_carry_scenes(answer)]


def from_dealers_left(game: Game, record: Record) -> list[int]:
    """Return the seats in the order of the deal."""
    count, button = len(record["players"]), record["button"]
    step = 1 if game.clockwise else -1
    return [(button + step * place) % count for place in range(1, count + 1)]


# --- the deal -----------------------------------------------------------------------------------


def deal_scenes(game: Game, record: Record) -> Iterator[Scene]:
    moves = iter(moves_of(game, record))
    for verb, run in groupby(game.steps, key=lambda step: step.verb):
        steps = list(run)
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
            yield Scene(kind="board", text=_sentence(step_words(game, step)), down=down, up=up)
        case "earn" | "extra" | "hit" | "take" | "push" if down or up:
            yield Scene(kind="deal", text=_sentence(step_words(game, step)), down=down, up=up)
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
            yield Scene(kind="change", text=_sentence(step_words(game, step)), down=down, up=up)


def _turns(game: Game, record: Record, step: Step, turned: tuple[str, ...]) -> Iterator[Scene]:
    """Yield the cards turned over: together, or one by one if they are turned to beat a hand."""
    if step.verb == "turn":
        if turned:
            yield Scene(kind="turn", text=_sentence(step_words(game, step)), turned=turned)
        return
    for seat in from_dealers_left(game, record):
        own = tuple(place for place in turned if place.startswith(f"players/{seat}/"))
        if own:
            cards = "card" if len(own) == 1 else "cards"
            text = f"{record['players'][seat]['name']} turns {len(own)} {cards}."
            yield Scene(kind="turn", text=text, turned=own)


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
    if not text and any(answer["won"].values()):
        even = not any(answer["net"].values())
        text = "All players break even" if even else "No player is ahead"
    why = tuple(sentence for sentence, _ in story)
    return Scene(kind="end", text=f"{text or 'Nobody wins anything'}.", turned=hidden, why=why)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
