"""Amounts that players owe outside of play: costs, tips, side bets and the season fund."""
