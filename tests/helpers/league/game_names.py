"""Ranks of names for searches. The server and the script both have to return them."""

# The searched text, a title, the other names, and the rank.
RANKS: list[tuple[str, str, list[str], int]] = [
    ("razz", "Razz", [], 7),
    ("RAZZ ", "Razz", [], 7),
    ("omaha 8", "Omaha-8", [], 7),
    ("omaha8", "Omaha-8", [], 7),
    ("omaha", "Omaha-8", [], 5),
    ("omaha 8", "Big Omaha 8", [], 3),
    ("8 big", "Big Omaha 8", [], 3),
    ("stud", "Seven-Card Stud", [], 3),
    ("stu", "Seven-Card Stud", [], 0),
    ("7 card stud", "Seven-Card Stud", ["7-Card Stud"], 6),
    ("7 card", "Seven-Card Stud", ["Stud", "7-Card Stud"], 4),
    ("stud", "Seven-Card Stud", ["Stud"], 6),
    ("anaconda", "Anaconda", ["Anaconda"], 7),
    ("holdem", "Texas Hold'em", [], 3),
    ("hold'em", "Texas Hold'em", [], 3),
    ("hold\N{RIGHT SINGLE QUOTATION MARK}em", "Texas Hold'em", [], 3),
    ("seance", "S\N{LATIN SMALL LETTER E WITH ACUTE}ance", [], 7),
    ("s\N{LATIN SMALL LETTER E WITH ACUTE}ance", "Seance Draw", [], 5),
    ("a_b", "A B", [], 7),
    ("", "Razz", [], 0),
    ("?!", "Razz", [], 0),
    ("draw", "Razz", ["Sevens"], 0),
]
