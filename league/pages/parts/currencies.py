"""Choices for currencies and time zones, and the reader's own currency."""

from collections.abc import Collection
from decimal import Decimal
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from babel.core import get_global
from babel.numbers import get_currency_name, get_territory_currencies
from django import forms
from django.utils.translation import get_language

from league.common.money import is_whole
from league.pages.parts.numbers import reader_locale
from league.people.leagues import time_zones

USUAL = "USD"


# The suggested value of a chip in currencies with and without decimals.
USUAL_CHIP, USUAL_WHOLE_CHIP = Decimal("0.25"), Decimal(100)


class CurrencySelect(forms.Select):
    """A select of currencies. Each contains the suggested chip, which a script fills in."""

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **options)
        if is_whole(str(value)):
            option["attrs"]["data-chip"] = str(USUAL_WHOLE_CHIP)
        return option


class CurrencyField(forms.ChoiceField):
    """A choice of a currency in use, with the reader's own first."""

    def __init__(self, **options: Any) -> None:
        widget = CurrencySelect
        super().__init__(choices=currencies, initial=own_currency, widget=widget, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).upper()


class ZoneSelect(forms.Select):
    """A select of time zones.

    Each zone contains its currency, which a script chooses together with the zone, and its other
    names, because a phone may report one of them.
    """

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **options)
        if "data-zone-of-phone" in self.attrs:
            option["attrs"]["data-currency"] = _currency_in(
                get_global("zone_territories").get(str(value), "")
            )
            if aliases := _aliases().get(str(value)):
                option["attrs"]["data-aliases"] = aliases
        return option


def currencies(also: str = "") -> list[tuple[str, str]]:
    """Return the currencies in use as choices, with the reader's own first.

    `also` is listed even if it is out of use.
    """
    own, names = own_currency(), _names(str(get_language()))
    codes = sorted({*names, *([also] if also else [])}, key=lambda code: (code != own, code))
    return [(code, f"{code} · {names[code]}" if code in names else code) for code in codes]


def own_currency() -> str:
    """Return the currency of the reader's territory, according to `Accept-Language`."""
    locale = reader_locale()
    if locale is None:
        return USUAL
    likely = get_global("likely_subtags").get(locale.language, "")
    return _currency_in(locale.territory or likely.rpartition("_")[2]) or USUAL


def usual_chip() -> Decimal:
    """Return the suggested value of a chip in the reader's currency."""
    return USUAL_WHOLE_CHIP if is_whole(own_currency()) else USUAL_CHIP


def zones(also: str = "UTC") -> list[tuple[str, Any]]:
    """Return the time zones as choices by continent, starting with UTC, without aliases.

    `also` is listed even if it is an alias.
    """
    places = {
        name
        for name in time_zones() & get_global("zone_territories").keys()
        if "/" in name and not name.startswith("Etc/")
    }
    names = sorted(name.split("/", 1) for name in places)
    groups = [
        (continent, [("/".join(name), name[1].replace("_", " ")) for name in group])
        for continent, group in groupby(names, key=itemgetter(0))
    ]
    own = dict.fromkeys(["UTC", *({also} - places)])
    return [*((name, name) for name in own), *groups]


@cache
def _aliases() -> dict[str, str]:
    """Return the other names of each time zone, separated by spaces."""
    names: dict[str, list[str]] = {}
    for alias, name in get_global("zone_aliases").items():
        names.setdefault(name, []).append(alias)
    return {name: " ".join(sorted(aliases)) for name, aliases in names.items()}


@lru_cache(maxsize=8)
def _names(language: str) -> dict[str, str]:
    return {code: get_currency_name(code, locale=language) for code in _in_use()}


@cache
def _in_use() -> Collection[str]:
    territories = get_global("territory_currencies")
    return {code for place in territories for code in get_territory_currencies(place)}


@cache
def _currency_in(territory: str) -> str:
    currencies = get_territory_currencies(territory) if territory else []
    return str(currencies[0]) if currencies else ""
