"""What every part of the league uses: errors, text, money, tokens."""
