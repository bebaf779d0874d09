"""What players owe outside the play: costs, tips, side bets, and the fund of a season."""
