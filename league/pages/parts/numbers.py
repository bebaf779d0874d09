"""Numbers as a page shows them: thousands apart, and a minus sign where one is meant."""

import re
from typing import Any

from django import template
from django.template.defaultfilters import floatformat

MINUS = "\u2212"

_BEFORE_A_NUMBER = re.compile(r"(?<![\w-])-(?=\d)")
_BEFORE_POINTS = re.compile(r"(?<![\w-])-(?=\d+ points?\b)")

register = template.Library()


@register.filter
def minus(told: str) -> str:
    """Return written numbers with a minus sign in place of each hyphen before one."""
    return _BEFORE_A_NUMBER.sub(MINUS, told)


@register.filter
def quartets(told: str) -> str:
    """Return a long number in groups of four, as people compare it."""
    return " ".join(told[at : at + 4] for at in range(0, len(told), 4))


@register.filter
def points(text: str) -> str:
    """Return a hand's name or a sentence of the rules with a minus sign before points below zero.

    The rules write a hyphen there, as everything that reads their answers expects.
    """
    return _BEFORE_POINTS.sub(MINUS, text)


@register.filter
def number(value: Any, places: int = 0) -> str:
    """Return a number with so many places."""
    return minus(floatformat(value, f"{places}g"))


@register.filter
def signed(value: float, places: int = 0) -> str:
    """Return a number whose sign matters: nothing has none."""
    return minus(f"{value:+,.{places}f}") if value else "0"
