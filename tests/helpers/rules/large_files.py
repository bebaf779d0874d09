"""Hand histories as large as an import may be."""

from datetime import UTC, datetime, timedelta
from random import Random

from tests.helpers.rules.poker_now_nights import a_night

START = datetime(2021, 1, 1, 18, tzinfo=UTC)
HAND = """\
PokerStars Hand #{number}: Hold'em No Limit (1/2) - {at:%Y/%m/%d %H:%M:%S} ET
Table 'Home game' 6-max (Play Money) Seat #3 is the button
Seat 1: ann (100 in chips)
Seat 2: bob (20 in chips)
Seat 3: cat (100 in chips)
ann: posts small blind 1
bob: posts big blind 2
*** HOLE CARDS ***
Dealt to ann [As Ah]
Dealt to bob [Kd Kc]
Dealt to cat [7h 2d]
cat: raises 4 to 6
ann: raises 14 to 20
bob: calls 18 and is all-in
cat: calls 14
*** FLOP *** [Qs 9d 4c]
ann: bets 30
cat: folds
Uncalled bet (30) returned to ann
*** TURN *** [Qs 9d 4c] [5h]
*** RIVER *** [Qs 9d 4c 5h] [Jc]
*** SHOW DOWN ***
ann: shows [As Ah] (pair of aces)
bob: shows [Kd Kc] (pair of kings)
ann collected 60 from pot
*** SUMMARY ***
Total pot 60 | Rake 0
Board [Qs 9d 4c 5h Jc]


"""


def poker_now_log(size: int) -> tuple[str, int]:
    """A log of nights of 300 hands, newest first, of about this many bytes; and its hands."""
    rows: list[str] = []
    bytes_, hands, night = 0, 0, 0
    while bytes_ < size:
        for place, line in enumerate(a_night(Random(night), 300).lines):
            at = START + timedelta(days=night, seconds=place)
            quoted = line.replace('"', '""')
            rows.append(f'"{quoted}",{at:%Y-%m-%dT%H:%M:%S}.000Z,{1600000000000 + len(rows)}')
            bytes_ += len(rows[-1].encode()) + 2
            hands += line.startswith("-- ending")
            if bytes_ > size - 200 and line.startswith("-- ending"):
                break
        else:
            night += 1
            continue
        break
    return "\r\n".join(["entry,at,order", *reversed(rows), ""]), hands


def poker_stars_text(size: int) -> tuple[str, int]:
    """Hands of nights of 300 in PokerStars' text, of at most this many bytes; and their number."""
    texts, bytes_ = [], 0
    while True:
        number = len(texts)
        at = START + timedelta(days=number // 300, seconds=40 * (number % 300))
        text = HAND.format(number=number + 1, at=at)
        bytes_ += len(text)
        if bytes_ > size:
            return "".join(texts), number
        texts.append(text)
