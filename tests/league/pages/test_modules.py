"""Pages link all scripts that their modules import."""

from league.pages.parts.tags import module


def test_page_preloads_direct_and_indirect_imports_of_a_module() -> None:
    """Imported files may import others."""
    assert module("league/js/common/live-updates.js").split("\n") == [
        '<script type="module" src="/static/league/js/common/live-updates.js"></script>',
        '<link rel="modulepreload" href="/static/league/js/night/last-hand-seen.js">',
    ]
    links = module("league/js/deal/name-game.js")
    for name in ("search-form", "suggestions", "search-matching", "ignore-accents"):
        assert links.count(f"/{name}.js") == 1
