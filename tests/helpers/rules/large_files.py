"""Hand histories of the maximum import size."""

from datetime import UTC, datetime, timedelta
from random import Random

from tests.helpers.rules.poker_now_nights import a_night
from tests.helpers.rules.poker_stars import HAND

START = datetime(2021, 1, 1, 18, tzinfo=UTC)


def poker_now_log(size: int) -> tuple[str, int]:
    """Return a log of about this many bytes, newest line first, and its number of hands."""
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
    """Return PokerStars text of at most this many bytes, and its number of hands."""
    texts, bytes_ = [], 0
    while True:
        number = len(texts)
        at = START + timedelta(days=number // 300, seconds=40 * (number % 300))
        text = HAND.replace("#77:", f"#{number + 1}:")
        text = text.replace("2000/01/01 00:00:00", f"{at:%Y/%m/%d %H:%M:%S}") + "\n\n"
        bytes_ += len(text)
        if bytes_ > size:
            return "".join(texts), number
        texts.append(text)
