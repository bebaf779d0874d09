"""House games, the documents that hands were dealt under, odds and random deals."""
