"""Amounts that players owe outside of play: costs, tips, side bets, side games, the season fund."""
