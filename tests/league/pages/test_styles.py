"""Style sheets stay fast on phones."""

import re

from league.pages.offline import STATIC

RULE = re.compile(r"(?:^|[{};])([^{};@]*):has\(([^{}]*)\{", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INNERMOST = re.compile(r"\([^()]*\)")
KEYED = re.compile(r"^[a-z]|[.#\[]|:is\(")
NOT = re.compile(r":not\([^()]*\)")


def _subjects(selectors: str) -> list[tuple[str, str]]:
    """Return each selector with its last compound, if `:has()` is in an earlier compound."""
    hidden = selectors
    while INNERMOST.search(hidden):
        hidden = INNERMOST.sub(lambda match: "\0" * len(match[0]), hidden)
    found, at = [], 0
    for text in hidden.split(","):
        whole = selectors[at : at + len(text)].strip()
        at += len(text) + 1
        last = re.split(r"[ >~+]+", text.strip())[-1]
        subject = whole[len(whole) - len(last) :]
        if ":has(" in whole.removesuffix(subject):
            found.append((whole, subject))
    return found


def test_has_selectors_name_the_elements_that_they_change() -> None:
    """A last part such as `> *` or `> :first-child` may match any element.

    Then Chromium computes the styles of the whole page again after every change to which a `:has()`
    may refer. It took up to 0.3 s per tap on a slow phone.
    """
    slow = [
        whole
        for sheet in sorted(STATIC.glob("*.css"))
        for block in COMMENT.sub("", sheet.read_text()).split("{")[:-1]
        for whole, subject in _subjects(re.split(r"[};]", block)[-1])
        if not KEYED.search(NOT.sub("", subject))
    ]
    assert slow == []
