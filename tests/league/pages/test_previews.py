"""The landing page, and the previews that chats show for links."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.closing.receipts import share
from league.models import Player
from league.nights.share_links import share_hand
from league.people.joining import invite
from tests.helpers.league.leagues import a_league, a_night, a_user, player
from tests.helpers.league.nights import closed, dealt

pytestmark = pytest.mark.django_db

SITE = "https://league.example.org"
TAG = re.compile(r'<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"')


@pytest.fixture(autouse=True)
def public_address(settings: Settings) -> None:
    settings.SITE_URL = SITE


def tags(path: str, client: Client | None = None) -> dict[str, str]:
    text = (client or Client()).get(path, follow=True).content.decode()
    pairs = TAG.findall(text)
    names = [name for name, _ in pairs if name.startswith("og:") or name == "description"]
    assert len(names) == len(set(names))
    return dict(pairs)


def test_landing_page_links_to_demo_sign_up_sign_in_join_and_games() -> None:
    page = Client().get("/").content.decode()
    for name in ("start-demo", "sign-up", "sign-in", "join", "games"):
        assert f'"{reverse(name)}"' in page


def test_landing_page_has_pictures_with_sizes_and_descriptions() -> None:
    page = Client().get("/").content.decode()
    pictures = re.findall(r"<img[^>]*>", page)
    assert len(pictures) == 2
    for picture in pictures:
        assert re.search(r'width="\d+"', picture)
        assert re.search(r'height="\d+"', picture)
        assert re.search(r'alt="[^"]{20,}"', picture)
        source = re.search(r'src="/static/([^"]+)"', picture)
        assert source
        file = finders.find(source[1])
        assert file
        assert Path(str(file)).stat().st_size < 60_000


def test_landing_page_preview_has_a_picture_and_a_description() -> None:
    meta = tags("/")
    assert meta["description"] == meta["og:description"]
    assert "home poker night" in meta["description"]
    assert meta["og:url"] == f"{SITE}/"
    assert meta["og:image"].startswith(f"{SITE}/static/")
    assert finders.find(meta["og:image"].removeprefix(f"{SITE}/static/"))
    assert meta["twitter:card"] == "summary_large_image"


def test_game_rules_preview_names_the_game() -> None:
    meta = tags(reverse("game", args=["omaha-8"]))
    assert "Omaha-8" in meta["og:title"]
    assert "Omaha-8" in meta["description"]


def test_receipt_preview_names_its_night() -> None:
    night = a_night()
    dealt(night)
    closed(night)
    found = tags(reverse("shared-receipt", args=[share(night, by=a_user())]))
    assert found["og:title"] == "Night 1 · Tuesday"


def test_replay_preview_has_its_own_picture() -> None:
    night = a_night()
    hand = dealt(night)
    meta = tags(reverse("shared-replay", args=[share_hand(hand, by=a_user())]))
    assert meta["og:image"].endswith(".png")
    assert "ann" in meta["description"]


def test_invitation_names_the_league_but_no_player() -> None:
    league = a_league()
    night = a_night(league)
    _, token = invite(league, "Zoe", by=a_user())
    for path in (
        reverse("invitation", args=[token]),
        reverse("pick-name", args=[league.code]),
    ):
        meta = tags(path)
        assert meta["og:title"] == "Join Tuesday"
        names = Player.objects.filter(league=night.league).values_list("name", flat=True)
        words = " ".join(meta.values()).split()
        assert not {"Zoe", *names} & set(words)


def test_previews_of_private_pages_reveal_no_data() -> None:
    night = a_night()
    dealt(night)
    for path in (
        reverse("night", args=[night.pk]),
        reverse("league", args=[night.league.pk]),
        reverse("recap", args=[night.season.pk]),
        reverse("player", args=[player(night, "ann").pk]),
    ):
        meta = tags(path)
        assert (
            meta["og:title"] == "Dealer's Choice".replace("'", "&#x27;")
            or meta["og:title"] == "Dealer's Choice"
        )
        assert "Tuesday" not in " ".join(meta.values())
