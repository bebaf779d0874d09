"""Text on chart colours has enough contrast in light and dark mode."""

from itertools import pairwise

import pytest

from league.charts.vega.grids import SHADES
from league.charts.vega.theme import THEMES, Theme
from league.people.leagues import COLOURS
from tests.helpers.tokens import tokens

LEAST = 4.5  # WCAG 2.2, 1.4.3
Colour = tuple[float, ...]


def colour(told: str) -> Colour:
    return tuple(int(told[at : at + 2], 16) for at in (1, 3, 5))


def luminance(colour: Colour) -> float:
    parts = [each / 255 for each in colour]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(light, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def cell(theme: Theme, shade: float) -> Colour:
    """Return a grid cell's colour, interpolated on a scale of five colours."""
    stops = list(pairwise(map(colour, theme.diverging)))
    place = (shade + 1) * 2
    at = min(int(place), len(stops) - 1)
    before, after = stops[at]
    return tuple(
        one + (other - one) * (place - at) for one, other in zip(before, after, strict=True)
    )


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_in_grids_have_enough_contrast(name: str, sign: int) -> None:
    theme = THEMES[name]
    for step in range(1001):
        shade = step / 1000
        style = next(style for style, low, high in SHADES if low <= shade < high)
        ink = colour(getattr(theme, style))
        assert contrast(ink, cell(theme, sign * shade)) >= LEAST, shade


def test_text_and_axes_have_the_same_colours_as_the_pages() -> None:
    for name, theme in THEMES.items():
        page = tokens(name)
        assert theme.ink == page["--ink"]
        assert theme.muted == page["--muted"]
        assert theme.grid == page["--line"]
        assert theme.zero == page["--edge"]


def test_lines_have_the_same_colours_as_the_avatars() -> None:
    """In the dark theme, they have lighter shades, because white initials need dark ones."""
    page = tokens("light")
    assert THEMES["light"].lines == tuple(page[f"--player-{number}"] for number in range(COLOURS))
    assert len(set(THEMES["dark"].lines)) == COLOURS


@pytest.mark.parametrize("name", THEMES)
def test_line_and_axis_labels_have_enough_contrast(name: str) -> None:
    theme, panel = THEMES[name], colour(tokens(name)["--panel"])
    for each in (*theme.lines, theme.ink, theme.muted):
        assert contrast(colour(each), panel) >= LEAST, each
