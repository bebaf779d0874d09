"""A page's layout and colours, measured by the browser in the same way on every machine."""

from playwright.sync_api import Page

from tests.helpers.tokens import tokens

FAULTS = """async () => {
    await document.fonts.ready;
    const faults = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`);
    const visible = (each) => each.checkVisibility({visibilityProperty: true});
    const name = (each) => each.outerHTML.slice(0, 90);
    const range = new Range();
    const words = (each) => [...each.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const end = (node) => { range.selectNode(node); return range.getBoundingClientRect().right; };
    const shown = [...document.querySelectorAll('body *')].filter(visible);
    for (const each of shown.filter((each) => !each.matches('.unseen, .unseen *')))
        if (words(each).some((node) => end(node) > each.getBoundingClientRect().right + 1))
            faults.push(`cut off: ${name(each)}`);
    for (const each of shown.filter((each) => each.matches('.panel, .felt'))) {
        const next = each.nextElementSibling, below = each.getBoundingClientRect().bottom;
        const gap = next?.matches('.panel, .felt') ? next.getBoundingClientRect().top - below : 8;
        if (gap >= 0 && gap < 8) faults.push(`touches the next: ${name(each)}`);
    }
    for (const face of document.fonts)
        if (!face.family.includes('fallback') && face.status !== 'loaded')
            faults.push(`not loaded: ${face.family} ${face.unicodeRange.slice(0, 20)}`);
    return faults;
}"""
# An element, a property and the expected token, for each type of surface and text.
PAINTED = (
    ("html", "backgroundColor", "--paper"),
    ("html", "color", "--ink"),
    (".panel:not(.flat)", "backgroundColor", "--panel"),
    ("p.muted", "color", "--muted"),
    (".panel a:not([class])", "color", "--accent"),
    (".head .button.main", "backgroundColor", "--action"),
    (".head .button.main", "color", "--action-ink"),
    ("input[type=text]", "backgroundColor", "--well"),
    (".error", "color", "--bad"),
    (".note.warn", "backgroundColor", "--amber-well"),
    ("tr.mine > td", "backgroundColor", "--tint"),
    (".felt p", "color", "--felt-ink"),
    (".avatar.p3", "backgroundColor", "--player-3"),
)
COLOURS = """(painted) => painted.map(([where, property]) =>
    getComputedStyle(document.querySelector(where))[property])"""


def layout_faults(page: Page) -> list[str]:
    """Return cut-off text, touching panels and missing fonts, and whether the page is too wide."""
    return list(page.evaluate(FAULTS))


def wrong_colours(page: Page, theme: str) -> list[str]:
    """Return the elements whose colour differs from their token."""
    colours = page.evaluate(COLOURS, PAINTED)
    right = {name: _computed(colour) for name, colour in tokens(theme).items()}
    return [
        f"{where} {css} is {colour}, not {token}"
        for (where, css, token), colour in zip(PAINTED, colours, strict=True)
        if colour != right[token]
    ]


def _computed(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"
