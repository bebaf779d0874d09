"""What the lines of PokerNow's log look like."""

import re

from rules.cards import CARDS

SUITS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "\ufe0f": ""})
WHO = r'"(?P<name>.+) @ (?P<id>[^"@\s]+)"'
CHIPS = r"(?P<chips>\d+(?:\.\d+)?)"
ALL_IN = r"(?: and go(?:es)? all[- ]in)?"
START = re.compile(
    r"-- starting hand #(?P<number>[0-9]{1,18}) +(?:\(id: [^)]*\) +)?\(?(?P<game>[A-Z][^()]*?)\)? +"
    rf"\((?:dealer: {WHO}|dead button)\) --\Z"
)
END = re.compile(r"-- ending hand #(?P<number>[0-9]{1,18}) --\Z")
STACK = re.compile(rf'#(?P<seat>\d+) "(?P<name>[^|]+?) @ (?P<id>[^"@\s]+)" \({CHIPS}\)(?: \| |\Z)')
BOARD = re.compile(r"(?P<street>Flop|Turn|River):[^\[\]]*\[(?P<cards>[^\]]+)\]\Z", re.IGNORECASE)
POST = re.compile(rf"{WHO} posts an? (?P<what>[a-z ]+?) of {CHIPS}{ALL_IN}\Z")
BET = re.compile(rf"{WHO} (?:bets|raises to) {CHIPS}{ALL_IN}\Z")
CALL = re.compile(rf"{WHO} (?:calls {CHIPS}{ALL_IN}|checks)\Z")
FOLD = re.compile(rf"{WHO} folds\Z")
SHOW = re.compile(rf"{WHO} shows an? (?P<cards>[^.]+)\.?\Z")
COLLECT = re.compile(rf"{WHO} collected {CHIPS} from pot(?: with .*)?\Z")
RETURNED = re.compile(rf"Uncalled bet of {CHIPS} returned to {WHO}\Z")
RUN_TWICE = re.compile(r"(?:Flop|Turn|River) \((?:second|third) run\)", re.IGNORECASE)
POSTS = {
    "ante": "ante",
    "small blind": "blind",
    "big blind": "blind",
    "straddle": "straddle",
    "missing small blind": "dead",
    "missed big blind": "post",
    "missing big blind": "post",
}
# what happens at a table beside the hands
BESIDE = re.compile(
    r"(?:The (?:player|admin|game)|Your hand is|Undealt cards|Dead Small Blind|Remaining players|"
    r"WARNING|IMPORTANT)|.*(?:joined the game|quits the game|stand up|sit back|requested a seat|"
    r"chooses? to|chose to|run it twice)"
)


def read_cards(text: str) -> list[int] | None:
    """`10♥, Kd` as cards, None when one of them is none."""
    words = [word.strip().translate(SUITS) for word in text.split(",")]
    return [CARDS[word] for word in words] if all(word in CARDS for word in words) else None
