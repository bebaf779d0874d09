"""A bar that shows how far long work is, where someone is looking."""

from django.core.management.base import OutputWrapper

BAR = 40


def show_progress(stream: OutputWrapper, done: int, whole: int, what: str) -> None:
    """Draw the bar over the one before; nothing where the output is not a terminal."""
    if not stream.isatty():
        return
    filled = "#" * (min(BAR, BAR * done // whole) if whole else BAR)
    end = "\n" if done >= whole else ""
    stream.write(f"\r[{filled:<{BAR}}] {done}/{whole} {what}", ending=end)
