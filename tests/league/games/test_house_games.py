"""All versions of a league's own games are kept, and each hand keeps the version it was dealt."""

import re
from typing import Any
from uuid import uuid4

import pytest

from league.common.errors import RefusedError
from league.games.house_games import (
    GameInUseError,
    copy,
    current,
    delete,
    documents_of,
    games,
    is_used,
    retire,
    revise,
    write,
)
from league.games.lookup import replayable
from league.models import GameDocument, HouseGame, HouseGameVersion, Night, Revision
from league.recording.corrections import revise_hand
from league.recording.record import check, record_hand
from rules import settle
from rules.documents import catalog, documents
from tests.helpers.league.house_games import CROSS, LOW_CROSS, a_house_game, crossed
from tests.helpers.league.leagues import a_league, a_night, a_user

pytestmark = pytest.mark.django_db


def won(night: Night, record: dict[str, Any]) -> dict[str, int]:
    chips: dict[str, int] = record_hand(night, uuid4(), record, by=None).answer["won"]
    return chips


# Writing


def test_league_can_write_its_own_game() -> None:
    league, host = a_league(), a_user()
    game = write(league, CROSS, by=host)
    assert (game.slug, game.name, game.retired_at) == ("grandmas-cross", "Grandma's Cross", None)
    version = current(game)
    assert (version.number, version.text, version.written_by) == (1, CROSS, host)
    assert version.document.document == documents.parse(CROSS)
    assert version.document.hash == documents.content_hash(documents.parse(CROSS))


def test_json_document_is_stored_as_toml() -> None:
    game = write(a_league(), documents.parse(CROSS), by=None)
    assert documents.parse(current(game).text) == documents.parse(CROSS)


def test_game_whose_name_is_taken_gets_a_unique_slug() -> None:
    league = a_league()
    taken = CROSS.replace("Grandma's Cross", "Iron  Cross")
    assert "iron-cross" in catalog.slugs()
    retired = write(league, taken, by=None)
    retire(retired)
    assert [retired.slug, write(league, taken, by=None).slug] == ["iron-cross-2", "iron-cross-3"]
    assert write(a_league(), taken, by=None).slug == "iron-cross-2"


def test_second_game_of_the_same_name_is_refused() -> None:
    """Lists showed two equal entries, and the statistics counted them as one game."""
    league = a_league()
    game, low = write(league, CROSS, by=None), LOW_CROSS.replace("Grandma's", "GRANDMA's")
    with pytest.raises(RefusedError, match="already has a game named"):
        write(league, low, by=None)
    with pytest.raises(RefusedError, match="already has a game named"):
        copy(league, game.slug, by=None)
    other = write(league, CROSS.replace("Grandma's", "Grandpa's"), by=None)
    with pytest.raises(RefusedError, match="already has a game named"):
        revise(other, low, by=None)
    assert revise(game, low, by=None).game.name == "GRANDMA's Cross"
    retire(game)
    revise(other, CROSS, by=None)
    with pytest.raises(RefusedError, match="already has a game named"):
        revise(game, CROSS, by=None)  # offers the retired game again


def test_name_of_a_built_in_game_is_refused() -> None:
    """Lists showed two games named "Texas Hold'em"."""
    league = a_league()
    for name in ("Texas Hold'em", "TEXAS HOLD'EM"):
        with pytest.raises(RefusedError, match="name of a built-in game"):
            write(league, CROSS.replace("Grandma's Cross", name), by=None)
    game = write(league, CROSS, by=None)
    with pytest.raises(RefusedError, match="name of a built-in game"):
        revise(game, CROSS.replace("Grandma's Cross", "Texas Hold'em"), by=None)


def test_copy_keeps_its_built_in_name_when_its_rules_change() -> None:
    game = copy(a_league(), "nightmare", by=None)
    assert revise(game, catalog.source_text("nightmare") + "# ours\n", by=None).number == 2


@pytest.mark.parametrize("name", ["☘☘☘", "!", "x" * 200])
def test_any_name_can_be_turned_into_a_slug(name: str) -> None:
    game = write(a_league(), CROSS.replace("Grandma's Cross", name), by=None)
    assert re.fullmatch("[a-z0-9-]+", game.slug)
    assert game.name == name


def test_house_game_error_includes_line_word_and_suggestions() -> None:
    league = a_league()
    with pytest.raises(RefusedError) as refused:
        write(league, CROSS.replace('"high"', '"hihg"'), by=None)
    (error,) = refused.value.errors
    assert (error["where"], error["line"], error["word"]) == ("shares/0", 8, "hihg")
    assert "high" in error["could_be"]
    assert not HouseGame.objects.exists()


def test_line_with_an_unknown_slot_is_refused() -> None:
    with pytest.raises(RefusedError) as refused:
        write(a_league(), CROSS.replace('"a e d"', '"a x d"'), by=None)
    assert [(each["line"], each["word"]) for each in refused.value.errors] == [(6, "x")]


@pytest.mark.parametrize(
    "written",
    ["", "\0", "name = ", "\ud800", CROSS + "# \ud800", "x" * 70_000, 7, None, [], {}, {"name": 1}],
)
def test_invalid_game_is_refused(written: object) -> None:
    league = a_league()
    with pytest.raises(RefusedError) as refused:
        write(league, written, by=None)
    assert all(each["text"] for each in refused.value.errors)


def test_line_endings_are_normalized() -> None:
    assert current(write(a_league(), CROSS.replace("\n", "\r\n"), by=None)).text == CROSS


# Copying and changing


def test_catalog_game_is_copied_verbatim() -> None:
    league = a_league()
    game = copy(league, "nightmare", by=None)
    assert current(game).document.document == catalog.document("nightmare")
    assert current(game).text == catalog.source_text("nightmare")
    assert game.slug == "nightmare-2"


def test_unknown_game_cannot_be_copied() -> None:
    league = a_league()
    other = write(a_league(), CROSS, by=None)
    for slug in ("texas-foldem", other.slug, "\0"):
        with pytest.raises(RefusedError):
            copy(league, slug, by=None)


def test_changing_a_game_adds_a_version_and_keeps_the_old_one() -> None:
    league = a_league()
    game = write(league, CROSS, by=None)
    revise(game, LOW_CROSS, by=None)
    assert [each.text for each in game.versions.order_by("number")] == [CROSS, LOW_CROSS]
    assert documents_of(league) == {"grandmas-cross": documents.parse(LOW_CROSS)}


def test_unchanged_text_does_not_add_a_version() -> None:
    game = write(a_league(), CROSS, by=None)
    assert revise(game, CROSS, by=None).number == 1
    assert HouseGameVersion.objects.count() == 1


def test_invalid_change_is_not_stored() -> None:
    game = write(a_league(), CROSS, by=None)
    with pytest.raises(RefusedError):
        revise(game, "nonsense", by=None)
    assert current(game).text == CROSS


def test_renamed_game_keeps_its_slug() -> None:
    game = write(a_league(), CROSS, by=None)
    revise(game, CROSS.replace("Grandma's Cross", "The Cross"), by=None)
    game.refresh_from_db()
    assert (game.slug, game.name) == ("grandmas-cross", "The Cross")


# At the table


def test_house_game_hand_is_settled_under_its_document() -> None:
    night = a_night()
    game = a_house_game(night)
    recorded = record_hand(night, uuid4(), crossed(game.slug), by=None)
    assert recorded.answer["won"] == {"ann": 20, "bob": 0}
    assert recorded.answer["variant"] == game.slug
    assert recorded.revision.record == crossed(game.slug)
    assert recorded.revision.document == current(game).document


def test_house_game_from_another_league_is_unknown() -> None:
    slug = a_house_game(a_night()).slug
    night = a_night()
    assert [each["code"] for each in check(night, crossed(slug)).errors] == ["unknown-game"]
    with pytest.raises(RefusedError):
        record_hand(night, uuid4(), crossed(slug), by=None)


def test_hand_keeps_the_game_version_it_was_dealt_under() -> None:
    night = a_night()
    game = a_house_game(night)
    first = record_hand(night, uuid4(), crossed(game.slug), by=None)
    revise(game, LOW_CROSS, by=None)
    assert won(night, crossed(game.slug)) == {"ann": 0, "bob": 20}
    response = Revision.objects.get(pk=first.revision.pk)
    assert settle(replayable(response))["won"] == {"ann": 20, "bob": 0}
    again = record_hand(night, first.hand.pk, crossed(game.slug), by=None)
    assert not again.created


def test_correction_is_settled_under_the_game_version_of_its_hand() -> None:
    night = a_night()
    game = a_house_game(night)
    first = record_hand(night, uuid4(), crossed(game.slug), by=None)
    revise(game, LOW_CROSS, by=None)
    mended = crossed(game.slug, button=0)
    assert check(night, mended, instead_of=first.hand).answer["won"] == {"ann": 20, "bob": 0}
    revised = revise_hand(first.hand, uuid4(), mended, by=None)
    assert revised.answer["won"] == {"ann": 20, "bob": 0}
    assert revised.revision.document == first.revision.document


def test_replayed_hands_have_their_original_results() -> None:
    night = a_night()
    game = a_house_game(night)
    for _ in range(2):
        record_hand(night, uuid4(), crossed(game.slug), by=None)
        revise(game, LOW_CROSS, by=None)
    for revision in Revision.objects.select_related("document"):
        assert settle(replayable(revision))["won"] == revision.answer["won"]


# Retired games


def test_game_that_was_dealt_cannot_be_deleted() -> None:
    night = a_night()
    game = a_house_game(night)
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    assert is_used(game)
    with pytest.raises(GameInUseError):
        delete(game)


def test_game_that_was_never_dealt_is_deleted_with_its_versions() -> None:
    night = a_night()
    game, other = a_house_game(night), a_house_game(a_night())
    record_hand(other_night(other), uuid4(), crossed(other.slug), by=None)
    revise(game, LOW_CROSS, by=None)
    delete(game)
    assert list(HouseGame.objects.all()) == [other]
    assert HouseGameVersion.objects.count() == 1
    assert GameDocument.objects.count() == 2


def other_night(game: HouseGame) -> Night:
    return Night.objects.get(season__league=game.league)


def test_retired_game_is_not_offered_but_its_hands_can_be_replayed() -> None:
    night = a_night()
    game = a_house_game(night)
    revision = record_hand(night, uuid4(), crossed(game.slug), by=None).revision
    for _ in range(2):
        retire(game)
    assert not games(night.league).exists()
    assert documents_of(night.league) == {}
    assert settle(replayable(revision))["won"] == {"ann": 20, "bob": 0}


def test_retired_game_that_is_saved_again_is_offered_again() -> None:
    night = a_night()
    game = a_house_game(night)
    retire(game)
    revise(game, LOW_CROSS, by=None)
    assert list(games(night.league)) == [game]
