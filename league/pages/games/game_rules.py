"""What a page says of a game's rules: sentences, the board as a picture, modifiers that fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.games.titles import variation, variations
from league.pages.games.board import Board, board, lines_played
from rules.presentation import form, rules_page

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules page, the picture of the board, and the document with its modifiers."""

    page: dict[str, Any]
    board: Board | None
    document: dict[str, Any]
    chosen: list[str]

    @property
    def variations(self) -> list[str]:
        """The titles of the modifiers."""
        return variations(self.chosen)


def rules_of(variant: str | Document, chosen: Sequence[str] = ()) -> Rules:
    """Return the rules of a game with these modifiers. Raises GameError."""
    document = form.document_of(variant, chosen)
    page = rules_page.rules_page(variant, chosen)
    picture = board(page["board"], lines_played(document, page))
    return Rules(page, picture, document, list(chosen))


def fitting(variant: str | Document, chosen: Sequence[str]) -> list[tuple[str, str, bool]]:
    """Return the modifiers that fit on the game as it is: name, title, and whether it is chosen."""
    fits = form.modifiers_that_fit(variant, chosen)
    return [(name, variation(name), name in chosen) for name, reason in fits.items() if not reason]
