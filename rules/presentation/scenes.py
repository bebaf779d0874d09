"""A hand told step by step: the deal, the declare, the showdown, and who takes which share.

A record holds the cards as they stand at the end, so the deal follows the order of the game's
document: cards that were exchanged are shown as what they became. Whoever knows more of a hand,
say every action of it, makes the same list of steps.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rules.documents.game_lookup import game_of
from rules.game.game import Game
from rules.game.hand import RESULT
from rules.game.steps import Step
from rules.presentation.deal_words import dealt_words, step_words
from rules.presentation.scene import Answer, Record, Scene, Told
from rules.presentation.share_scenes import share_scenes, told_of
from rules.settlement.dealt_cards import Move, moves_of
from rules.settlement.story.words import listed

SAID = frozenset(
    ("draw", "buy", "discard", "pass", "set", "replace", "remove", "in-or-out", "swap", "toll")
) | {"bid", "swap hand"}
ASKED = frozenset(("roll", "choose"))


def replay(record: Record, answer: Answer) -> list[Scene]:
    """The scenes of a settled hand. Raises ValueError where the record names no game."""
    game = game_of(record).game
    if game is None:
        raise ValueError("the record names no game")
    if record.get("depth") == RESULT:
        return [end_scene(answer, told_of(answer), ())]
    scenes = [*_deal(game, record), *_out(record), *show_scenes(record, answer)]
    scenes += tiebreak_scenes(record)
    told = told_of(answer)
    scenes += share_scenes(record, answer, told)
    return [*scenes, end_scene(answer, told, _hidden(scenes))]


def from_dealers_left(game: Game, record: Record) -> list[int]:
    """The seats in the order in which they are dealt to."""
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
            yield from _declare(record)
        case verb if verb in ASKED:
            yield from _fact(record, step)
        case verb if verb in SAID:
            yield Scene(kind="change", text=_sentence(step_words(step)), down=down, up=up)


def _turns(game: Game, record: Record, step: Step, turned: tuple[str, ...]) -> Iterator[Scene]:
    """All turn at once what the deal says; where cards are turned to beat, one after the other."""
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


def _declare(record: Record) -> Iterator[Scene]:
    says = {each["name"]: each["declared"] for each in record["players"] if each.get("declared")}
    if says:
        told = listed([f"{name} declares {way}" for name, way in says.items()])
        yield Scene(kind="declare", text=f"{told}.", says=says)


def _fact(record: Record, step: Step) -> Iterator[Scene]:
    value = record.get("options", {}).get(step.word)
    if value is not None:
        yield Scene(kind="fact", text=_sentence(f"{step.word}: {value}"))


def _out(record: Record) -> Iterator[Scene]:
    folded = tuple(each["name"] for each in record["players"] if each.get("folded"))
    mucked = tuple(
        each["name"] for each in record["players"] if each.get("mucked") and not each.get("folded")
    )
    told = [f"{listed(folded)} {'is' if len(folded) == 1 else 'are'} out."] if folded else []
    if mucked:
        told.append(f"{listed(mucked)} {'shows' if len(mucked) == 1 else 'show'} nothing.")
    if told:
        yield Scene(kind="out", text=" ".join(told), out=folded + mucked)


# --- the showdown -------------------------------------------------------------------------------


def show_scenes(record: Record, answer: Answer) -> Iterator[Scene]:
    """Everybody who shows a hand, in turn from the dealer's left."""
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
    """The places of a player's cards that lie face down until they are shown."""
    yield from (f"players/{seat}/down/{at}" for at in range(len(player.get("down", ()))))
    for pile, cards in player.get("piles", {}).items():
        yield from (f"players/{seat}/piles/{pile}/{at}" for at in range(len(cards)))


def tiebreak_scenes(record: Record) -> Iterator[Scene]:
    """The hands that were dealt to break a tie."""
    for number, hands in enumerate(record.get("tiebreaks", ())):
        places = [f"tiebreaks/{number}/{name}/{at}" for name in hands for at in range(5)]
        text = f"A hand is dealt to {listed(list(hands))} to break the tie."
        yield Scene(kind="tiebreak", text=text, up=tuple(places))


def end_scene(answer: Answer, told: Sequence[Told], hidden: tuple[str, ...]) -> Scene:
    """What the hand brought; cards that nobody had to show are turned as the record has them."""
    won = {name: net for name, net in answer["net"].items() if net > 0}
    text = listed([f"{name} is up {up:,}" for name, up in won.items()])
    why = tuple(sentence for sentence, _ in told)
    return Scene(kind="end", text=f"{text or 'Nobody wins anything'}.", turned=hidden, why=why)


def _hidden(scenes: Sequence[Scene]) -> tuple[str, ...]:
    """The places of cards that the record knows and that nobody has turned yet."""
    turned = {place for scene in scenes for place in scene.turned}
    lying = (place for scene in scenes for place in scene.down if place not in turned)
    return tuple(place for place in lying if "/unseen/" not in place)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
