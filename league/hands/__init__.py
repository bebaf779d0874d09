"""Hands as they are kept: checked, turned into transfers, compared, played again, shown."""
