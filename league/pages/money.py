"""Chips as money, where the pages look for it."""

from league.money import minor_units, shown

__all__ = ["minor_units", "shown"]
