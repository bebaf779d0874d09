"""All text on the pages is translatable with gettext."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from html.parser import HTMLParser
from zoneinfo import available_timezones

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from league.deals.table import game_of
from league.games import titles
from league.hands.revisions import scenes_of
from league.models import (
    Charge,
    Closing,
    Deal,
    GameDocument,
    ImportJob,
    League,
    NightAnswer,
    PlannedNight,
    Player,
    Revision,
    Season,
    SigningKey,
    User,
    Webhook,
)
from league.pages.games import catalog as games_pages
from league.pages.parts.currencies import currencies
from league.pages.parts.numbers import quartets
from league.payment_methods.kinds import KINDS
from league.proofs.verification import fingerprint
from rules.documents import catalog, modifiers
from tests.helpers.browser.rooms import House, a_house, visits
from tests.helpers.league.pages import html

TEMPLATES = settings.BASE_DIR / "templates"
# Choices that every game has, which come from the rules.
TABLE_OPTIONS = ("Odd chip", "high card", "Unit")
# Not translatable: typed cards, the dealer's button, text for programs.
NO_WORDS = {"AsKd7c", "D", "D.", "website", "article", "image/png", "summary_large_image"}
# Elements that contain code, or quotes from a document.
SILENT = {"script", "style", "code", "pre", "textarea"}
EMPTY = {"input", "meta", "link", "br", "img", "use", "rect"}
READ_ALOUD = {"aria-label", "alt", "title"}
TRANSLATED = re.compile(
    r"{% block (?:width|mode) %}.*?{% endblock %}"  # class names
    r"|{%\s*(?:blocktranslate|comment).*?%}.*?{%\s*end(?:blocktranslate|comment)\s*%}"
    r"|{#.*?#}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
# Written by the rules, which are English in every language.
BY_THE_RULES = {"game", "house-game", "write-game", "rewrite-game", "what-now"}
OURS = re.compile("⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]{3,}")


class Texts(HTMLParser):
    """A parser that collects the texts of a page, including attributes that are read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        # the open elements, and whether to ignore their text
        self.around: list[tuple[str, bool]] = []

    @property
    def silent(self) -> bool:
        return any(quiet for _, quiet in self.around)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [text or "" for name, text in attrs if name in READ_ALOUD]
        if tag not in EMPTY:
            self.around.append((tag, tag in SILENT or ("translate", "no") in attrs))

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _ in self.around):
            if self.around.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def visible_texts(html: str) -> Iterator[str]:
    texts = Texts()
    texts.feed(html)
    return (text.strip() for text in texts.found if text.strip())


def test_templates_have_no_text_outside_gettext() -> None:
    """A template tag inside an HTML tag may contain quotes. The rest of the HTML tag is markup.

    The page showing all components is for developers (DEBUG only) and is not translated.
    """
    left = []
    for path in sorted(TEMPLATES.rglob("*.*")):
        if path.suffix in {".html", ".svg"} and path != TEMPLATES / "style.html":
            texts = visible_texts(TRANSLATED.sub("", path.read_text("utf-8")))
            words = [text for text in texts if re.search(r"[^\W\d_]", text)]
            left += [(path, text) for text in words if text not in NO_WORDS]
    assert left == []


class Pseudo(NullTranslations):
    """A language with every sentence in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace English with the pseudo language, as a translation would."""
    with monkeypatch.context() as patch:
        patch.setitem(trans_real._translations, "en", Pseudo())
        patch.setattr(trans_real, "_default", None)
        translation.activate("en")
        _clear_rows()
        yield
        _clear_rows()
    translation.deactivate()


def _clear_rows() -> None:
    """Clear the rows in the list of games, which are cached by language."""
    for item in vars(games_pages).values():
        if hasattr(item, "cache_clear"):
            item.cache_clear()


@pytest.mark.django_db
def test_visited_pages_contain_no_untranslated_english(client: Client, brackets: None) -> None:
    """Typed text and text from the rules are not translated."""
    house = a_house("a dealer names the game")
    client.force_login(User.objects.get(username="joel"))
    typed = _typed(house)
    left: dict[str, set[str]] = {}
    for name, paths in visits(house).items():
        for path in paths:
            answer = client.get(path)
            # signed-in users are redirected away from the sign-in pages
            assert answer.status_code == 200 or name in ("sign-in", "sign-up"), path
            assert answer.status_code < 400, path
            if name in BY_THE_RULES:
                continue
            bare = _without_ours(html(answer))
            words = {
                text
                for text in visible_texts(bare)
                for word in WORD.findall(text)
                if word not in typed
            }
            if words:
                left[path] = words
    assert not left, f"{len(left)} pages: {left}"


def _without_ours(page: str) -> str:
    """Return the page without our own sentences, which may include names such as a night's."""
    while (bare := OURS.sub("", page)) != page:
        page = bare
    return page


def _options(slug: str) -> list[str]:
    return list(catalog.document(slug).get("options", ()))


def _typed(house: House) -> set[str]:
    """Return the words in names, games, records and stories."""
    rows = [
        *User.objects.values_list("username"),
        *Player.objects.values_list("name"),
        *Season.objects.values_list("name"),
        *NightAnswer.objects.values_list("name", "brings"),
        *PlannedNight.objects.values_list("name", "place", "note"),
        *League.objects.values_list("name", "code", "currency", "time_zone"),
        *GameDocument.objects.values_list("name", "document"),
        *Revision.objects.values_list("record", "answer"),
        *Closing.objects.values_list("hash"),
        *((row.public, quartets(fingerprint(row.public))) for row in SigningKey.objects.all()),
        *Charge.objects.values_list("title"),
        *ImportJob.objects.values_list("name"),
        *((row.title, row.currencies) for row in KINDS.values()),  # services, currencies
        *(catalog.document(slug) for slug in catalog.slugs()),
        *(scene for row in Revision.objects.all() for scene in scenes_of(row)),
        (house.house_game, house.receipt, house.replay, "http://testserver/join/"),
        *Webhook.objects.values_list("url"),
        "ping",
        (*available_timezones(), *TABLE_OPTIONS),
        [name for _code, name in currencies()],  # translated into the reader's language by Babel
        (
            *titles.variations(modifiers.NAMES),
            *(titles.option(name) for slug in catalog.slugs() for name in _options(slug)),
            *(titles.family(catalog.family(slug)) for slug in catalog.slugs()),
        ),
        *(game_of(deal).card for deal in Deal.objects.all()),
    ]
    words = set(WORD.findall(str(rows)))
    return words | {word.capitalize() for word in words}  # menus show `rank` as "Rank"
