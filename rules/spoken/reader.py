"""Read a sentence about a hand, from left to right, without guessing.

A sentence names a player or the board. Everything up to the next name belongs to that player or the
board. Words after an unknown word are not assigned to a player, because it may be a name.
docs/one-line.md describes the grammar.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count as count_from

from rules.spoken.phrases import Phrases
from rules.spoken.sentence import (
    AMBIGUOUS_NAME,
    CONTRADICTION,
    JOKER,
    NO_PLAYER,
    NO_SUITS,
    NOTHING_SAID,
    TOO_LONG,
    UNKNOWN_WORD,
    Mark,
    Part,
    PlayerPart,
    Sentence,
)
from rules.spoken.vocabulary import Names, split, vocabulary

LONGEST = 1000  # maximum number of characters in a sentence
BOARD = "board"
BOTH = "both"
OTHERS = ""  # represents the players who are not named


def read(text: str, names: Iterable[str], language: str = "english") -> Sentence:
    """Return the meaning of a text about these players. A text that is too long is not parsed."""
    if len(text) > LONGEST:
        return Sentence(marks=[Mark(0, len(text), TOO_LONG)])
    phrases = Phrases(split(text), vocabulary(language))
    return _Reader(phrases, Names(names)).read()


Put = Callable[[PlayerPart], bool]  # returns false if the statement contradicts an earlier one
Statement = tuple[str, int, Put]  # the statement's key, its number of words, and its effect


@dataclass(slots=True)
class _Reader:
    phrases: Phrases
    names: Names
    sentence: Sentence = field(default_factory=Sentence)
    subjects: tuple[str, ...] = ()  # the players that the next words apply to
    on_board: bool = False
    place: int = 0
    # names that have not been followed by a statement yet
    silent: dict[str, Mark] = field(default_factory=dict)

    def read(self) -> Sentence:
        while self.place < len(self.phrases.words):
            steps = (self._name, self._table, self._about_player, self._filler)
            if not any(step() for step in steps):
                self._mark(1, UNKNOWN_WORD)
                self._nobody()
        self.sentence.marks += self.silent.values()
        self._others()
        self._number_jokers()
        marks: list[Mark] = []
        for mark in sorted(self.sentence.marks, key=lambda mark: mark.start):
            last = marks[-1] if marks else None
            alike = last and (last.code, last.players) == (mark.code, mark.players)
            if last and alike and mark.start - last.end <= 1:  # adjacent marks are merged
                marks[-1] = Mark(last.start, max(last.end, mark.end), mark.code, mark.players)
            else:
                marks.append(mark)
        self.sentence.marks = marks
        return self.sentence

    def _others(self) -> None:
        """Apply the statements about everyone else, if it is certain which players that means."""
        part = self.sentence.players.pop(OTHERS, None)
        if part and self.sentence.names_everyone:
            unnamed = (name for name in self.names.names if name not in self.silent)
            for name in unnamed:
                self.sentence.players.setdefault(name, deepcopy(part))
        elif part:
            self.sentence.marks += [
                Mark(part.start, part.end, NO_PLAYER)
                for part in self.sentence.parts
                if part.key == "others"
            ]

    def _number_jokers(self) -> None:
        """Replace the jokers with distinct ones, because the text does not distinguish them."""
        hands = [self.sentence.board]
        hands += [cards for part in self.sentence.players.values() for cards in part.cards.values()]
        numbers = count_from(1)
        for cards in hands:
            cards[:] = [f"*{next(numbers)}" if card == JOKER else card for card in cards]

    def _nobody(self) -> None:
        self.subjects, self.on_board = (), False

    # Names

    def _name(self) -> bool:
        """Read one name, or several names with "and" before the last one."""
        named = self._name_at(self.place)
        if not named:
            return False
        run = [(named, self.place)]
        after, is_joined = self.place + named[1], False
        while True:
            link = self.phrases.follows(after, "link", "and")
            if not (named := self._name_at(after + link)):
                break
            run.append((named, after + link))
            after, is_joined = after + link + named[1], bool(link)
        if not is_joined:
            for (names, count), place in run[:-1]:
                self._name_without(names, count, place)
            run = run[-1:]
        self._nobody()
        subjects: list[str] = []
        for (names, count), place in run:
            if len(names) == 1:
                subjects += names
                self._part(count, "name", names, place)
            else:
                self._mark(count, AMBIGUOUS_NAME, names, place)
        self.subjects, self.place = tuple(subjects), after
        words = self.phrases.words
        for (names, count), place in run:
            if len(names) == 1 and names[0] not in self.sentence.players:
                start, end = words[place].start, words[place + count - 1].end
                self.silent[names[0]] = Mark(start, end, NOTHING_SAID, (names[0],))
        return True

    def _name_without(self, names: list[str], count: int, place: int) -> None:
        code = AMBIGUOUS_NAME if len(names) > 1 else NOTHING_SAID
        self._mark(count, code, names, place)

    def _name_at(self, place: int) -> tuple[list[str], int] | None:
        """Return the players named at a position. Words with another meaning are rarely names."""
        words = self.phrases.words
        if place >= len(words):
            return None
        word = words[place]
        is_word = self._has_meaning(place)
        if named := self.names.exact(words, place):
            after = place + named[1]
            if named[1] > 1 or not is_word or word.begins or self._is_verb(after):
                return named
        only_article = bool(self.phrases.follows(place, "filler")) and word.begins
        return None if is_word and not only_article else self.names.similar(words, place)

    def _has_meaning(self, place: int) -> bool:
        word = self.phrases.words[place].text
        return (
            self.phrases.vocabulary.has(word)
            or word.isdecimal()
            or bool(self.phrases.card_run(place) or self.phrases.rank_run(place))
        )

    def _is_verb(self, place: int) -> bool:
        if place >= len(self.phrases.words) or self.phrases.words[place].begins:
            return False
        follows = self.phrases.follows
        return any(follows(place, kind) for kind in ("result", "declares", "pays", "filler"))

    # The table

    def _table(self) -> bool:
        """Read a statement about the whole table: the board, the pot, or what everyone paid."""
        return self._board() or self._chips_first() or self._pot() or self._everyone()

    def _board(self) -> bool:
        if not (count := self.phrases.follows(self.place, "table", BOARD)):
            return False
        self._nobody()
        self.on_board = True
        self._advance(count, BOARD)
        return True

    def _chips_first(self) -> bool:
        """Read "60 each" or "45 in the pot"."""
        if not (number := self.phrases.number(self.place)):
            return False
        chips, count = number
        after = self.phrases.skip(self.place + count)
        for meaning, key in (("each", "each"), ("in-the-pot", "pot")):
            if more := self.phrases.follows(after, "table", meaning):
                self._set_chips(key, chips, after + more - self.place)
                return True
        return False

    def _pot(self) -> bool:
        """Read "pot 45", "pot of 45" or "each 60"."""
        for key in ("pot", "each"):
            if not (count := self.phrases.follows(self.place, "table", key)):
                continue
            at = self.place + count
            at = self.phrases.skip(at + self.phrases.follows(at, "link", "of"))
            if number := self.phrases.number(at):
                self._set_chips(key, number[0], at + number[1] - self.place)
                return True
        return False

    def _everyone(self) -> bool:
        """Read "everyone in for 60" and "everyone else folds"."""
        if count := self.phrases.follows(self.place, "table", "everyone"):
            after = self.phrases.skip(self.place + count)
            if paid := self._paid_at(after):
                self._set_chips("each", paid[0], after + paid[1] - self.place)
                return True
        if not (count := self.phrases.follows(self.place, "table", "others")):
            return False
        self._nobody()
        self.subjects = (OTHERS,)
        self._advance(count, "others")
        return True

    def _set_chips(self, key: str, chips: int, count: int) -> None:
        before = getattr(self.sentence, key)
        if before not in {None, chips}:
            self._mark(count, CONTRADICTION)
            return
        setattr(self.sentence, key, chips)
        self._advance(count, key)

    # Players

    def _about_player(self) -> bool:
        steps: tuple[Callable[[], Statement | None], ...] = (
            self._wins,
            self._state,
            self._paid,
            self._hand,
            self._cards,
            self._declared,
        )
        for step in steps:
            if not (statement := step()):
                continue
            key, count, put = statement
            if self.on_board and key in {"cards", "ranks"}:
                self._put_on_board(count, put)
            elif not self.subjects:
                self._mark(count, NO_PLAYER)
            elif self._put_all(put):
                self._hear(count, key)
            else:
                self._mark(count, CONTRADICTION, self.subjects)
            return True
        return False

    def _put_all(self, put: Put) -> bool:
        """Set a value for all subjects. Return false if it contradicts any of them."""
        fits = [put(self.sentence.player(name)) for name in self.subjects]
        return all(fits)

    def _hear(self, count: int, key: str) -> None:
        for name in self.subjects:
            self.silent.pop(name, None)
        self._part(count, key, self.subjects)
        self.place += count

    def _put_on_board(self, count: int, put: Put) -> None:
        part = PlayerPart()
        put(part)
        if part.ranks:
            self._mark(count, NO_SUITS)
            return
        for cards in part.cards.values():
            self.sentence.board += cards
        self._advance(count, BOARD)

    def _wins(self) -> Statement | None:
        """Read "wins", "wins high" or "takes 23"."""
        if not (count := self.phrases.follows(self.place, "result", "wins")):
            return None
        at = self.phrases.skip(self.place + count)
        if number := self._own_chips(at):
            chips = number[0]
            return "took", at + number[1] - self.place, lambda player: _put(player, "took", chips)
        way = self.phrases.at(at, "way")
        after = at + way[1] if way else self.place + count
        wins = way[0] if way else BOTH
        return "wins", after - self.place, lambda player: _put(player, "wins", wins)

    def _state(self) -> Statement | None:
        """Read "folds", "mucks" or "all in for 30"."""
        phrase = self.phrases.at(self.place, "result")
        if not phrase:
            return None
        state, count = phrase
        after = self.place + count
        chips = self._paid_at(after) or self._amount_for(after) if state == "all-in" else None
        if chips is None:
            return "state", count, lambda player: _put(player, "state", state)
        paid = chips[0]
        return (
            "state",
            count + chips[1],
            lambda player: _put(player, "state", state) and _put(player, "paid", paid),
        )

    def _amount_for(self, place: int) -> tuple[int, int] | None:
        at = place + self.phrases.follows(place, "link", "for")
        number = self._own_chips(at)
        return (number[0], at + number[1] - place) if number else None

    def _paid_at(self, place: int) -> tuple[int, int] | None:
        if not (count := self.phrases.follows(place, "pays")):
            return None
        at = self.phrases.skip(place + count)
        number = self._own_chips(at)
        return (number[0], at + number[1] - place) if number else None

    def _own_chips(self, place: int) -> tuple[int, int] | None:
        """Return chips that belong to the words before them, unlike those in "wins, 60 each"."""
        number = self.phrases.number(place)
        if not number or self.phrases.words[place].begins:
            return None
        after = self.phrases.skip(place + number[1])
        return None if self.phrases.follows(after, "table", "each", "in-the-pot") else number

    def _paid(self) -> Statement | None:
        if not (paid := self._paid_at(self.place)):
            return None
        chips, count = paid
        return "paid", count, lambda player: _put(player, "paid", chips)

    def _hand(self) -> Statement | None:
        if not (phrase := self.phrases.hand(self.place)):
            return None
        hand, count = phrase

        def put(player: PlayerPart) -> bool:
            """Add a hand, or add ranks to a hand: "two pair, kings and nines"."""
            for place, before in enumerate(player.hands):
                if before.way == hand.way:
                    same = before.category == hand.category
                    if not same or hand.ranks[: len(before.ranks)] != before.ranks:
                        return same and not hand.ranks
                    player.hands[place] = hand
                    return True
            player.hands.append(hand)
            return True

        return "hand", count, put

    def _cards(self) -> Statement | None:
        """Read cards, including a zone before them ("up 7c 8d"), or ranks without suits."""
        zone, at = "", self.place
        if phrase := self.phrases.at(at, "zone"):
            zone, at = phrase[0], at + phrase[1]
        cards: list[str] = []
        while run := self.phrases.card_run(at):
            cards, at = cards + run[0], at + run[1]
            link = self.phrases.follows(at, "link", "and")
            if at + link == len(self.phrases.words) or self._name_at(at + link):
                break
            at += link if self.phrases.card_run(at + link) else 0
        if cards:
            count = at - self.place
            return "cards", count, lambda player: _extend(player.cards.setdefault(zone, []), cards)
        if not zone and (ranks := self.phrases.rank_run(at)):
            return "ranks", ranks[1], lambda player: _extend(player.ranks, ranks[0])
        return None

    def _declared(self) -> Statement | None:
        """Read "declares low", "both" or "row 2"."""
        verb = self.phrases.follows(self.place, "declares")
        at = self.place + verb
        if way := self.phrases.at(at, "way"):
            declared, after = way[0], at + way[1]
        elif (row := self.phrases.follows(at, "row")) and (number := self.phrases.number(at + row)):
            declared, after = f"row {number[0]}", at + row + number[1]
        else:
            return None
        return "declared", after - self.place, lambda player: _put(player, "declared", declared)

    # The rest

    def _filler(self) -> bool:
        count = self.phrases.follows(self.place, "filler") or self.phrases.follows(
            self.place, "link", "and"
        )
        self.place += count
        return bool(count)

    def _advance(self, count: int, key: str) -> None:
        self._part(count, key)
        self.place += count

    def _part(
        self, count: int, key: str, players: Sequence[str] = (), place: int | None = None
    ) -> None:
        start, end = self._range(count, place)
        self.sentence.parts += [Part(start, end, key, name) for name in players or ("",)]

    def _mark(
        self, count: int, code: str, players: Sequence[str] = (), place: int | None = None
    ) -> None:
        """Mark words as unknown. If no position is given, move past them."""
        start, end = self._range(count, place)
        self.sentence.marks.append(Mark(start, end, code, tuple(players)))
        if place is None:
            self.place += count

    def _range(self, count: int, place: int | None) -> tuple[int, int]:
        words = self.phrases.words
        first = self.place if place is None else place
        return words[first].start, words[first + count - 1].end


def _put(player: PlayerPart, key: str, value: str | int) -> bool:
    """Set a value. Return false if the sentence has already set a different value."""
    if getattr(player, key) not in {"", None, value}:
        return False
    setattr(player, key, value)
    return True


def _extend(held: list[str], cards: list[str]) -> bool:
    held += cards
    return True
