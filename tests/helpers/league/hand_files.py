"""Hand history files for imports."""

HAND = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [{small}, {big}]
min_bet = {big}
starting_stacks = [{stacks}, {stacks}]
actions = ["d dh p1 AcAd", "d dh p2 KcKd", "p2 cbr {bet}", "p1 cc", "d db 2h7d9s", "p1 cc",
    "p2 cc", "d db Jd", "p1 cc", "p2 cc", "d db Qc", "p1 cc", "p2 cc", "p1 sm", "p2 sm"]
players = ["{ann}", "bob"]
"""


def hand(ann: str = "ann", at: str = "", **amounts: object) -> str:
    told = {"small": 1, "big": 2, "stacks": 100, "bet": 10} | amounts
    return HAND.format(ann=ann, **told) + at


def on(day: int, clock: str = "") -> str:
    told = f"time = {clock}\n" if clock else ""
    return f"year = 2024\nmonth = 5\nday = {day}\n{told}"


ASTRAY = hand().replace('"p2 cbr 10", "p1 cc"', '"p1 cc", "p2 cbr 10", "p1 cc"')
