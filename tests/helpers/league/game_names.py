"""Ranks of names for searches. The server and the script both have to return them."""

# The searched text, a title, the other names, and the rank: 3000 for the name itself, 2000 for its
# start and 1000 for the start of its words, 2 for each percent of the name, and 1 for a title.
RANKS: list[tuple[str, str, list[str], int]] = [
    ("razz", "Razz", [], 3201),
    ("RAZZ ", "Razz", [], 3201),
    ("omaha 8", "Omaha-8", [], 3201),
    ("omaha8", "Omaha-8", [], 3201),
    ("omaha", "Omaha-8", [], 2167),
    ("omaha 8", "Big Omaha 8", [], 1133),
    ("8 big", "Big Omaha 8", [], 1089),
    ("stud", "Seven-Card Stud", [], 1061),
    ("stu", "Seven-Card Stud", [], 1047),
    ("7 card stud", "Seven-Card Stud", ["7-Card Stud"], 3200),
    ("7 card", "Seven-Card Stud", ["Stud", "7-Card Stud"], 2110),
    ("stud", "Seven-Card Stud", ["Stud"], 3200),
    ("anaconda", "Anaconda", ["Anaconda"], 3201),
    ("holdem", "Texas Hold'em", [], 1109),
    ("hold'em", "Texas Hold'em", [], 1109),
    ("hold\N{RIGHT SINGLE QUOTATION MARK}em", "Texas Hold'em", [], 1109),
    ("seance", "S\N{LATIN SMALL LETTER E WITH ACUTE}ance", [], 3201),
    ("s\N{LATIN SMALL LETTER E WITH ACUTE}ance", "Seance Draw", [], 2121),
    ("a_b", "A B", [], 3201),
    ("", "Razz", [], 0),
    ("?!", "Razz", [], 0),
    ("draw", "Razz", ["Sevens"], 0),
]
