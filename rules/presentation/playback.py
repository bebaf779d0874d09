"""Show a full history step by step: every action with the chips and cards that it moves.

It extends the steps of a hand with final cards only (`rules.presentation.scenes`). Each card has
its own place from the deal on: `players/0/down/As`, `board/0/Kd`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

from rules.documents.game_lookup import game_of
from rules.history import State, final_record, states
from rules.history.actions import DEALER, Action, read_action
from rules.presentation.scenes import (
    Answer,
    Record,
    Scene,
    board_of_run,
    end_scene,
    run_cards,
    showdown_scenes,
    story_sentences,
)
from rules.settlement.story.words import listed

Spots = dict[str, str]  # maps places to cards

DEALS = frozenset(("dh", "dd", "du"))
SILENT = frozenset(("burn", "shuffle"))
KINDS = {
    **dict.fromkeys(DEALS, "deal"),
    **dict.fromkeys(("db", "rb", "rr", "tb", "dc"), "board"),
    **dict.fromkeys(("sd", "buy", "pick", "swap", "push", "pass", "set"), "change"),
    **dict.fromkeys(("f", "out"), "out"),
    **dict.fromkeys(("", "fact", "in", "keep"), "fact"),
    "tu": "turn",
    "declare": "declare",
    "sm": "show",
    "dt": "tiebreak",
}


@dataclass(slots=True)
class Playback:
    """The scenes, and all cards that appear in a player's zone or on the board."""

    scenes: list[Scene] = field(default_factory=list)
    held: list[dict[str, Spots]] = field(default_factory=list)
    board: list[Spots] = field(default_factory=list)
    runs: list[list[Spots]] = field(default_factory=list)  # the board of each run, by row

    def move(self, before: State, after: State) -> dict[str, Any]:
        """Return the places of cards that are dealt, turned up or removed."""
        moved: dict[str, list[str]] = {"down": [], "up": [], "turned": [], "gone": []}
        for at in range(len(before.seats)):
            old, new = self._lying(before, at), self._lying(after, at)
            moved["gone"] += [place for place in old if place not in new]
            for place, face in new.items():
                if old.get(place) != face:
                    moved["turned" if place in old else face].append(place)
        old_board, new_board = self._board(before), self._board(after)
        moved["up"] += [place for place in new_board if place not in old_board]
        moved["gone"] += [place for place in old_board if place not in new_board]
        return {name: tuple(places) for name, places in moved.items() if places}

    def _lying(self, state: State, at: int) -> dict[str, str]:
        """Return which cards in front of a player are face up, keyed by place.

        New places are also recorded. A known card stays in its first place even if it moves later.
        """
        seat, held = state.seats[at], self.held[at]
        zones: dict[str, Sequence[str]] = {"down": seat.down, "up": seat.up, **seat.piles}
        faces: dict[str, str] = {}
        for zone, cards in zones.items():
            unseen = 0
            for card in cards:
                unseen += card == "??"
                there = (
                    spot
                    for spots in held.values()
                    for spot, known in spots.items()
                    if known == card
                )
                place = None if card == "??" else next(there, None)
                if place is None:
                    place = f"players/{at}/{zone}/{card if card != '??' else f'unseen/{unseen}'}"
                    held.setdefault(zone, {})[place] = card
                faces[place] = "up" if zone == "up" or (seat.shown and card != "??") else "down"
        return faces

    def _board(self, state: State) -> list[str]:
        places = []
        for row, cards in enumerate(state.board):
            while len(self.board) <= row:
                self.board.append({})
            for card in cards:
                place = f"board/{row}/{card}"
                self.board[row].setdefault(place, card)
                places.append(place)
        return places

    def places_at_end(self, end: Record) -> dict[str, str]:
        """Map the places of the final record to the places of this playback."""
        places = {}
        for at, player in enumerate(end["players"]):
            by_card = {c: place for spots in self.held[at].values() for place, c in spots.items()}
            zones = {zone: player.get(zone, ()) for zone in ("down", "up")}
            zones |= {f"piles/{pile}": cards for pile, cards in player.get("piles", {}).items()}
            for zone, cards in zones.items():
                for number, card in enumerate(cards):
                    if card in by_card:
                        places[f"players/{at}/{zone}/{number}"] = by_card[card]
        for row, cards in enumerate(end.get("board", ())):
            places |= {f"board/{row}/{at}": f"board/{row}/{card}" for at, card in enumerate(cards)}
        return places


def playback(record: Record, answer: Answer) -> Playback:
    """Return the scenes of a settled history. Raises ValueError if the history is incomplete."""
    end, _ = final_record(record)
    game = game_of(record).game
    if end is None or game is None:
        raise ValueError("the actions come to no end")
    table_states = list(states(record))
    play = Playback()
    play.held = [{"down": {}, "up": {}} for _ in table_states[0].seats]
    put = [f"{seat.name} {seat.paid:,}" for seat in table_states[0].seats if seat.paid]
    if put:
        text = f"Antes and blinds: {listed(put)}."
        play.scenes.append(Scene(kind="bet", text=text, **_chips(table_states[0])))
    play.scenes += _acted(play, table_states, set(answer.get("hands", {})))
    play.scenes += _ended(play, end, answer, table_states[-1])
    return play


def _chips(state: State) -> dict[str, Any]:
    return {
        "pot": state.pot,
        "stacks": tuple(seat.stack for seat in state.seats),
        "bets": tuple(seat.bet for seat in state.seats),
    }


# --- actions ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Transition:
    """An action with the table before and after it. Consecutive deals are grouped."""

    before: State
    after: State
    action: Action

    @property
    def group(self) -> object:
        return self.before.stage if self.action.verb in DEALS else self.after.index


def _acted(play: Playback, table_states: Sequence[State], showing: set[str]) -> Iterator[Scene]:
    transitions = []
    for before, after in pairwise(table_states):
        action = read_action(after.action)
        if isinstance(action, Action) and action.verb not in SILENT:
            transitions.append(_Transition(before, after, action))
    for _, same_group in groupby(transitions, key=lambda transition: transition.group):
        group = list(same_group)
        first, last = group[0], group[-1]
        moved = play.move(first.before, last.after)
        verb = first.action.verb
        shows = verb == "sm" and first.action.words
        # the cards appear later, together with the name of the hand
        told_later = shows and _name(first) in showing
        if told_later and moved.keys() <= {"turned"}:
            continue
        pairs = zip(first.before.seats, last.after.seats, strict=True)
        why = []
        for state in (transition.after for transition in group):
            why += [f"{call[:1].upper()}{call[1:]}." for call in state.calls]
            why += [f"{irregularity['text']}." for irregularity in state.irregularities]
        yield Scene(
            kind=KINDS.get(verb, "bet"),
            text=_text(group),
            out=tuple(now.name for was, now in pairs if was.live and not now.live),
            says={_name(first): " ".join(first.action.words)} if verb == "declare" else {},
            why=tuple(why),
            **moved,
            **_chips(last.after),
        )


def _name(transition: _Transition) -> str:
    seat = transition.action.seat
    known = seat != DEALER and seat < len(transition.after.seats)
    return transition.after.seats[seat].name if known else ""


def _text(group: Sequence[_Transition]) -> str:
    """Describe an action or consecutive deals. Cards that other players can't see aren't named."""
    transition = group[0]
    verb = transition.action.verb
    if verb in {"sd", "pass"} and transition.action.words:
        count = len("".join(transition.action.words)) // 2
        does = "throws away" if verb == "sd" else "passes"
        return f"{_name(transition)} {does} {count} {'card' if count == 1 else 'cards'}."
    if verb not in DEALS:
        text = transition.after.text
        return text if text.endswith((".", "!", "?")) else f"{text}."
    counts: dict[str, int] = {}
    for deal in group:
        for was, now in zip(deal.before.seats, deal.after.seats, strict=True):
            more = len(now.down) + len(now.up) - len(was.down) - len(was.up)
            if more > 0:
                counts[now.name] = counts.get(now.name, 0) + more
    numbers = set(counts.values())
    if len(numbers) == 1:
        [number] = numbers
        cards = f"{number} card{'' if number == 1 else 's'}"
        if len(counts) == 1:
            return f"{next(iter(counts))} is dealt {cards}."
        return f"{listed(list(counts))} are dealt {cards} each."
    counted_cards = [f"{name} {number}" for name, number in counts.items()]
    return f"Cards are dealt: {listed(counted_cards)}." if counted_cards else "Cards are dealt."


# --- the end ------------------------------------------------------------------------------------


def _ended(play: Playback, end: Record, answer: Answer, last: State) -> Iterator[Scene]:
    """Yield the showdown and the shares as for other hands. Winnings are added to the stacks."""
    places = play.places_at_end(end)
    seen_places = {place for scene in play.scenes for place in (*scene.down, *scene.up)}
    open_ = {place for scene in play.scenes for place in (*scene.up, *scene.turned)}
    story = story_sentences(answer)
    for number, own in enumerate(run_cards(end), start=1):
        for place, card in own.items():
            _, _, head, index, *_ = place.split("/")
            if head == "players":
                play.held[int(index)].setdefault(f"run {number}", {})[place] = card
        play.runs.append(board_of_run(own))
    chips = _Chips(last, answer)
    for scene in showdown_scenes(end, answer, story):
        lit = {places.get(place, place): card for place, card in scene.lit.items()}
        turned = tuple(
            at for place in scene.turned if (at := places.get(place, place)) not in open_
        )
        open_.update(turned, scene.up)
        seen_places.update(scene.down, scene.up)
        yield replace(scene, lit=lit, turned=turned, **chips.after(scene))
    hidden = tuple(place for place in sorted(seen_places - open_) if "/unseen/" not in place)
    left = {place for scene in play.scenes for place in scene.gone}
    yield replace(
        end_scene(answer, story, tuple(place for place in hidden if place not in left)),
        **chips.at_last(),
    )


class _Chips:
    """The stacks and the pot while the pot is divided. Uncalled chips are returned first."""

    def __init__(self, last: State, answer: Answer) -> None:
        self.names = [seat.name for seat in last.seats]
        back = answer["returned"]
        self.stacks = [
            None if seat.stack is None else seat.stack + back[seat.name] for seat in last.seats
        ]
        self.pot = last.pot - sum(back.values())
        self.starts = [
            None if seat.stack is None else seat.stack + seat.paid for seat in last.seats
        ]
        self.net = answer["net"]

    def after(self, scene: Scene) -> dict[str, Any]:
        for name, chips in scene.wins.items():
            at = self.names.index(name)
            stack = self.stacks[at]
            self.stacks[at] = None if stack is None else stack + chips
            self.pot -= chips
        return self._totals(self.stacks, self.pot)

    def at_last(self) -> dict[str, Any]:
        starts = zip(self.names, self.starts, strict=True)
        stacks = [None if start is None else start + self.net[name] for name, start in starts]
        return self._totals(stacks, 0)

    def _totals(self, stacks: Sequence[int | None], pot: int) -> dict[str, Any]:
        return {"stacks": tuple(stacks), "bets": (0,) * len(stacks), "pot": max(0, pot)}
