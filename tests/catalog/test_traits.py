"""The traits shown in game lists match the parsed game's traits."""

import pytest

from rules.documents import catalog, documents
from rules.documents.catalog import traits_of


def asked_of(document: dict[str, object]) -> dict[str, str | int]:
    options = [option for option in documents.own_options(document) if option.asked]
    return {o.name: o.least if o.is_number else o.choices[0].word for o in options}


def test_document_traits_match_the_game(subtests: pytest.Subtests) -> None:
    for slug in catalog.slugs():
        with subtests.test(slug=slug):
            document = catalog.document(slug)
            game, traits = documents.game(document, asked_of(document)), traits_of(document)
            verbs = [step.verb for step in game.steps]
            assert traits.players == game.players
            assert traits.common == sum(len(row) for row in game.board)
            assert traits.rounds == verbs.count("bet")
            assert traits.wild == bool(game.wild or game.bug)
            assert traits.split == (len(game.shares) > 1)
            assert traits.declare == game.declares
            assert traits.passes == ("pass" in verbs)
            assert traits.in_or_out == ("in-or-out" in verbs)
            assert traits.several_deals == (game.match is not None)
            assert traits.cards == sum(step.most for step in game.steps if step.verb == "deal")
            assert traits.draws == sum(verb in {"draw", "buy"} for verb in verbs)
