"""What is owed beside the play: costs, tips, side bets, and the fund of a season."""
