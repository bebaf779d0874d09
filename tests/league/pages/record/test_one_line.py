"""A hand in one line fills the recording form. Nothing is saved."""

from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client

from league.models import Hand, Night, Role
from league.pages.record.one_line import filled
from league.pages.record.questions import NO_HOUSE
from league.pages.record.read_form import read
from league.people.leagues import add_member
from rules.spoken import LONGEST
from tests.helpers.laws.records import record
from tests.helpers.league.forms import form_of
from tests.helpers.league.leagues import a_user
from tests.helpers.league.pages import html
from tests.helpers.rules.speaker import Speaker

pytestmark = pytest.mark.django_db
Fields = dict[str, list[str]]
NAMES = ("ann", "bob", "cat", "dan")


@pytest.fixture
def client(night: Night) -> Client:
    client, user = Client(), a_user()
    add_member(night.league, user, Role.SCOREKEEPER)
    client.force_login(user)
    return client


def fields(text: str, game: str = "texas-holdem", **more: str) -> Fields:
    """Return the fields of a form in which a text was entered."""
    names = {f"players/{row}/name": [name] for row, name in enumerate(NAMES)}
    said = {"variant": [game], "drawn": [game], "sentence": [text]}
    return names | said | {name: [value] for name, value in more.items()}


def after(text: str, earlier: Fields | None = None, game: str = "texas-holdem") -> Fields:
    typed = (earlier or fields(text, game)) | {"sentence": [text]}
    return {name: list(texts) for name, texts in filled(typed, NO_HOUSE).items()}


def post(client: Client, night: Night, typed: Fields) -> Any:
    return client.post(f"/nights/{night.pk}/redraw", typed | {"fill": ["sentence"]})


def test_text_fills_the_form_and_saves_nothing(client: Client, night: Night) -> None:
    text = "board As Kd 7h 7c 2s, ann AhKh, bob 77, 60 each"
    answer = post(client, night, fields(text, button="0"))
    form = form_of(answer)
    assert form.fields["board/0"] == ["As Kd 7h 7c 2s"]
    assert form.fields["players/1/down"] == ["7d 7s"]
    assert form.fields["players/3/state"] == ["folded"]
    assert form.fields["all_paid"] == ["60"]
    assert "bob wins" in html(answer)
    assert not Hand.objects.exists()


def test_result_in_words_opens_the_result_form(client: Client, night: Night) -> None:
    """The pot is divided evenly among the players who did not fold."""
    form = form_of(post(client, night, fields("ann trips, bob mucks, cat 77, pot 45")))
    assert form.fields["depth"] == ["result"]
    assert form.fields["winner"] == ["0"]
    result = read(form.fields).record
    assert [player.get("paid") for player in result["players"]] == [15, 15, 15, None]
    assert result["took"] == {"ann": 45}


def test_line_without_a_winner_stays_above_the_winners(client: Client, night: Night) -> None:
    """The field used to move below the players, away from the winners that it refers to."""
    page = unescape(html(post(client, night, fields("ann kings and nines"))))
    assert "“kings and nines” doesn't decide who wins how much. Choose the winner below." in page
    assert page.index('id="sentence"') < page.index('name="winner"') < page.index('class="seats"')


def test_unrecognized_parts_are_underlined(client: Client, night: Night) -> None:
    page = post(client, night, fields("ann <b>flush, zed folds")).content.decode()
    marks = " ".join(page.partition('id="sentence-marks"')[2].partition("</section>")[0].split())
    assert "<u>zed</u> <u>folds</u>" in marks
    assert "“folds” has no player. Write a name first: ann folds." in marks
    assert "&lt;<u>b</u>&gt;" in marks


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("20", "What is “20” for? Write “pot 20”, “20 each” or “ann pays 20”."),
        ("ann folds, 1,200", "What is “1,200” for? Write “pot 1,200”,"),
        ("4.50 each", "“4.50 each” isn't a whole number of chips."),
        ("zed", "“zed” isn't a player, a card or a hand. Example: ann Ah Kh, pot 45."),
        ("bob", "What about bob? Add cards, chips or a result. Example: bob folds."),
        ("everyone else folds, zed wins", "“everyone else” works once all other names are clear."),
        ("ann declares high", "“declares high” doesn't fit this game."),
        ("board KK", "“KK” has no suits. Write them, such as Ah Kh, or choose the cards below."),
        ("pot 45, pot 50", "“pot 50” doesn't fit an earlier part. Delete one of them."),
    ],
)
def test_reason_of_a_mark_says_what_to_write(
    client: Client, night: Night, text: str, reason: str
) -> None:
    assert reason in unescape(html(post(client, night, fields(text))))


def test_changed_text_replaces_values_from_the_previous_text() -> None:
    first = after("ann AhKh, bob 7d7s, 60 each")
    second = after("bob AhKh, cat 7d7s", first)
    assert "players/0/down" not in second
    assert (second["players/1/down"], second["players/2/down"]) == (["Ah Kh"], ["7d 7s"])
    assert "all_paid" not in second
    assert second["showed"] == ["1", "2"]


def test_changed_text_keeps_what_the_user_entered() -> None:
    first = after("ann AhKh") | {"players/0/down": ["Ah Qh"], "all_paid": ["5"]}
    second = after("bob 7d7s", first)
    assert second["players/0/down"] == ["Ah Qh"]
    assert second["all_paid"] == ["5"]


def test_second_text_adds_to_the_form_after_the_first_was_deleted() -> None:
    first = after("ann AhKh") | {"used_sentence": [""]}
    second = after("bob 7d7s", first)
    assert second["players/0/down"] == ["Ah Kh"]
    assert second["players/1/down"] == ["7d 7s"]


def test_winner_replaces_earlier_amounts() -> None:
    """One winner and amounts of several players would contradict each other."""
    first = after("ann takes 30, bob takes 15, pot 45") | {"used_sentence": [""]}
    second = after("cat wins", first)
    assert second["winner"] == ["2"]
    assert not [name for name in second if name.endswith("/took")]


def test_player_who_is_not_dealt_in_is_not_named() -> None:
    typed = fields("dan folds", **{"players/3/state": "away"})
    assert after("dan folds", typed)["players/3/state"] == ["away"]


@pytest.mark.parametrize("seed", range(40))
def test_form_filled_from_a_sentence_submits_the_same_record(seed: int) -> None:
    chance = Random(seed)
    drawn = record(chance, chance.choice(("texas-holdem", "omaha-8", "seven-card-stud", "razz")))
    players = [
        {key: value for key, value in player.items() if key != "dead" and value}
        for player in drawn["players"]
    ]
    spoken = {"board": drawn.get("board", []), "players": players}
    typed = {f"players/{row}/name": [each["name"]] for row, each in enumerate(players)}
    typed |= {"variant": [drawn["variant"]], "drawn": [drawn["variant"]]}
    typed |= {f"options/{name}": [word] for name, word in drawn.get("options", {}).items()}
    text = Speaker(chance).say(spoken)
    assert len(text) <= LONGEST
    sent = read(after(text, typed)).record
    for player in sent["players"]:
        if player.get("paid") == 0:
            del player["paid"]  # the default
    assert sent["players"] == players, text
    assert sent.get("board", []) == spoken["board"]
