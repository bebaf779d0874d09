"""The forms that games may ask for, drawn ahead of time for a phone without a signal.

Games ask for few shapes of form: a game's own, and those of a modifier, an option or the result
alone where they differ. Each is drawn once by the template of the recording page, with one player
who stands for all, and given as numbers of lines, since forms share nearly all of their lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse

from league.deals.proposals import Dealt
from league.games.documents import document_of
from league.pages.parts.option_text import word_in_field
from league.pages.record import record_page
from league.pages.record.check import Judgement
from league.pages.record.field_names import MOST_ROWS
from league.pages.record.questions import NO_GAME
from rules.documents import catalog, documents
from rules.presentation import form as presentation_form

# What a phone puts its own night and players in place of.
NIGHT = UUID(int=0)
ROW, NAME = MOST_ROWS - 1, "~who~"
# Of a game; what is beyond waits for the signal, so that no game is drawn for minutes.
MOST_PAIRS, MOST_CHOICES = 15, 24
AT_ONCE = 4  # games in a batch, so that drawing them keeps nobody waiting

Document = Mapping[str, Any]
House = Mapping[str, Document]
Versions = Mapping[str, str]  # of a league's games: the hash of each document, by slug
Wanted = tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]  # modifiers, options, depth
PLAIN: Wanted = ((), (), "")
FORM, END = '<form id="record"', "</form>"


def batches(house: Versions) -> int:
    """Return how many batches hold the forms of all games of a league."""
    return -(-len(_slugs(house)) // AT_ONCE)


def batch(house: Versions, place: int) -> dict[str, Any]:
    """Return the forms of some games: `lines`, and each game's forms as numbers of lines.

    A form's key says when it is asked for: `two-row`, `two-row,miami`, `|declare=high-low`,
    `||result`.
    """
    lines: dict[str, int] = {}
    games = {}
    for slug in _slugs(house)[place * AT_ONCE : (place + 1) * AT_ONCE]:
        drawn = _drawn(slug, house.get(slug, ""))
        games[slug] = {
            key: [lines.setdefault(line, len(lines)) for line in text.split("\n")]
            for key, text in drawn.items()
        }
    return {"lines": list(lines), "games": games}


def _slugs(house: Versions) -> list[str]:
    """Return every game, and before them the form of none."""
    return ["", *sorted({*catalog.slugs(), *house})]


@lru_cache(maxsize=500)
def _drawn(slug: str, version: str) -> dict[str, str]:
    """Return the game's forms by their keys; the document of a league's game has the hash."""
    house = {slug: document_of(version)} if version else {}
    return {_key(wanted): _draw(slug, wanted, house) for wanted in _shapes(slug, house)}


def _key(wanted: Wanted) -> str:
    modifiers, options, depth = wanted
    parts = (",".join(modifiers), ",".join("=".join(each) for each in options), depth)
    return "|".join(parts).rstrip("|")


def _shapes(slug: str, house: House) -> Iterator[Wanted]:
    """Yield what makes a form differ from the game's own."""
    yield PLAIN
    if not slug:
        return
    yield ((), (), "result")
    variant = house.get(slug, slug)
    fit = [
        name for name, misfit in presentation_form.modifiers_that_fit(variant).items() if not misfit
    ]
    own = _asked(variant, PLAIN)
    changing = [name for name in fit if _asked(variant, ((name,), (), "")) not in ({}, own)]
    pairs = islice(combinations(changing, 2), MOST_PAIRS)
    for modifiers in ((), *((name,) for name in fit), *pairs):
        modified = _asked(variant, (modifiers, (), ""))
        if modified and modified != own:
            yield (modifiers, (), "")
        for option in islice(_choices(variant, modifiers), MOST_CHOICES):
            asked = _asked(variant, (modifiers, (option,), ""))
            if asked and asked not in (own, modified):
                yield (modifiers, (option,), "")


def _asked(variant: str | Document, wanted: Wanted) -> dict[str, Any]:
    """Return what of a form is drawn; nothing for what does not fit."""
    try:
        form = presentation_form.form(variant, wanted[0], dict(wanted[1]))
    except documents.BadGame:
        return {}
    return {part: form[part] for part in NO_GAME if part not in ("name", "by")}


def _choices(variant: str | Document, modifiers: Sequence[str]) -> list[tuple[str, str]]:
    try:
        options = presentation_form.form(variant, modifiers)["options"]
    except documents.BadGame:
        return []
    return [
        (option["name"], choice["name"])
        for option in options
        for choice in option.get("choices", ())
    ]


def _draw(slug: str, wanted: Wanted, house: House) -> str:
    modifiers, options, depth = wanted
    fields = {"variant": [slug], "modifiers": list(modifiers), "depth": [depth]}
    fields |= {f"options/{name}": [word_in_field(choice)] for name, choice in options}
    fields[f"players/{ROW}/name"] = [NAME]
    page = record_page.page(fields, {}, Dealt(), house, lists_games=False)
    steps = {f"{step}_at": reverse(step, args=[NIGHT]) for step in ("check", "redraw")}
    context = {"page": page, "judgement": Judgement(), "night": {"pk": NIGHT}, "words": {}}
    text = render_to_string("record/record.html", context | steps)
    return FORM + text.partition(FORM)[2].partition(END)[0] + END
