"""The games that a league plays: its own, the documents that hands were dealt under, odds."""
