"""Contrast on the felt: it shades from one green to another, and axe passes over such grounds."""

from playwright.sync_api import Page

# WCAG 2.2, 1.4.3: at least 4.5 to 1, here against both ends of the shading.
FAINT = """() => {
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
        for (let each = element; !each.matches('.felt, .top'); each = each.parentElement) {
            const look = getComputedStyle(each);
            const covered = !/, 0\\)$|transparent/.test(look.backgroundColor);
            if (covered || look.backgroundImage !== 'none') return false;
        }
        return element.checkVisibility({visibilityProperty: true});
    };
    const speaks = (element) => [...element.childNodes]
        .some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return [...document.querySelectorAll(':is(.felt, .top) *')].filter(speaks).filter(bare)
        .map((each) => [each, inks(getComputedStyle(each).color)])
        .filter(([, ink]) => grounds.some((ground) => contrast(ink, ground) < 4.5))
        .map(([each]) => `faint on felt: ${each.outerHTML.slice(0, 120)}`);
}"""


def faint(page: Page) -> list[str]:
    """Return what is written on felt and hard to read there."""
    return list(page.evaluate(FAINT))
