"""Contrast checks that axe lacks: text on the shaded felt, and fields in collapsed sections."""

from playwright.sync_api import Page

# WCAG 2.2, 1.4.3: at least 4.5 to 1. On felt, both ends of the gradient are checked.
FAINT = """() => {
    const folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach((each) => { each.open = true; });
    const light = (channel) => channel <= 0.04045 ? channel / 12.92
        : ((channel + 0.055) / 1.055) ** 2.4;
    const luminance = (rgb) => rgb.map((each) => light(each / 255))
        .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
    const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const inks = (css) => css.match(/[\\d.]+/g).map(Number).slice(0, 3);
    const root = getComputedStyle(document.documentElement);
    const grounds = ['--felt', '--felt-deep'].map((name) => root.getPropertyValue(name).trim())
        .map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
    const bare = (element) => {
        for (let each = element; !each.matches('.felt'); each = each.parentElement) {
            const look = getComputedStyle(each);
            const covered = !/, 0\\)$|transparent/.test(look.backgroundColor);
            if (covered || look.backgroundImage !== 'none') return false;
        }
        return element.checkVisibility({visibilityProperty: true});
    };
    const speaks = (element) => [...element.childNodes]
        .some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const onFelt = [...document.querySelectorAll('.felt *')].filter(speaks).filter(bare)
        .map((each) => [each, inks(getComputedStyle(each).color)])
        .filter(([, ink]) => grounds.some((ground) => contrast(ink, ground) < 4.5))
        .map(([each]) => `faint on felt: ${each.outerHTML.slice(0, 120)}`);
    const isOpaque = (css) => !/, 0(\\.\\d+)?\\)$|transparent/.test(css);
    const fields = 'select, textarea, .note, .tag, input:not([type=checkbox], [type=radio])';
    const inFields = [...document.querySelectorAll(fields)]
        .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
        .map((each) => [each, getComputedStyle(each)])
        .filter(([, look]) => isOpaque(look.backgroundColor))
        .filter(([, look]) => contrast(inks(look.color), inks(look.backgroundColor)) < 4.5)
        .map(([each]) => `faint in a field: ${each.outerHTML.slice(0, 120)}`);
    folded.forEach((each) => { each.open = false; });
    return [...onFelt, ...inFields];
}"""


def faint(page: Page) -> list[str]:
    """Return text on felt and text in fields with low contrast, even in collapsed sections."""
    return list(page.evaluate(FAINT))
