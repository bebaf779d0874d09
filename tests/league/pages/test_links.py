"""Links in running text have no space before their end, because it would be underlined."""

import re
from pathlib import Path

import pytest

TEMPLATES = Path("templates")
# Links that are not underlined as text: buttons, rows of lists, and links in bars.
BLOCKS = re.compile(r'class="[^"]*\b(?:button|line|trail|brand|tap|spread|grow)\b|<img|{% icon')
IN_BARS = {"parts/places.html", "leagues/settings.html", "leagues/activity_log.html"}


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES))
)
def test_links_do_not_end_with_a_space(path: Path) -> None:
    for link in path.read_text().split("<a")[1:]:
        body, end, _after = link.partition("</a>")
        if end and not BLOCKS.search(body) and str(path.relative_to(TEMPLATES)) not in IN_BARS:
            assert body == body.rstrip(), body
