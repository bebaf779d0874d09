"""Limits of imported files, which bound the memory for a file of the maximum size."""

import subprocess
import sys

import pytest

from rules.formats.files import read_text
from tests.helpers.rules.hands import ROOT
from tests.helpers.rules.poker_now import read_log
from tests.helpers.rules.poker_stars import HAND

MOST_MEMORY = 300 << 10  # in KiB
START = '"-- starting hand #1 (id: x)  No Limit Texas Hold\'em (dealer: ""A @ a"") --",t,1\n'
# Contents whose values take the most memory, as Python expressions. `n` is a little less than the
# maximum number of characters of a hand.
EXPENSIVE = {
    "records": r"'[' + '[],' * (n // 3) + '[]]\n' + '{' + '[' * 20_000_000",
    "ohh": r"""'{"ohh": [' + '1.5,' * (n // 4) + '1]}\n[' + '{"ohh": {}},' * 1_000_000""",
    "phh": r"'[1]\n' + ''.join(f'[s.a{i}.' + 'b.' * 60 + 'c]\n' for i in range(n // 140))",
    "phh list": "'antes = [' + '0.1,' * 1_500_000 + ']'",
    "pokerstars": rf"{HAND!r} + 'x\n' * 100_000",
    "log": f"'entry,at,order\\n' + {START!r} * 249_990",
    "ledger": r"""'player_nickname,player_id,buy_in,buy_out,stack,net' + ',c' * 94 + '\n'
        + ''.join(f'p{i},i{i},1,0,1.5,0.5' + ',éé' * 94 + '\n' for i in range(50_000))""",
    "past nights": r"""'date,player,net\n'
        + ''.join(f'2024-03-{i % 28 + 1:02},p{i},{i}\n' for i in range(50_000))""",
}
READ = """\
import sys
from itertools import islice
from rules.formats.files import iter_text
from rules.formats.ledgers import read_ledger, read_past_nights
n = 199_980
kind, text = sys.argv[1], ({})
if kind == "ledger":
    assert read_ledger(text, "units").players
elif kind == "past nights":
    assert read_past_nights(text).nights
else:
    suffix = ".phh" if kind.startswith("phh") else ""
    assert any(True for hand in islice(iter_text(text, suffix, "units"), 50_000))
# not `ru_maxrss`, which a new process takes over from the one that started it
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
@pytest.mark.parametrize("kind", EXPENSIVE)
def test_most_expensive_file_of_a_format_takes_bounded_memory(kind: str) -> None:
    """A list of 1.5 million decimals took 830 MB, and a table's header of 20 MB took 760 MB."""
    done = subprocess.run(
        [sys.executable, "-c", READ.format(EXPENSIVE[kind]), kind],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MOST_MEMORY


def test_hand_with_too_many_lines_does_not_affect_others() -> None:
    hands = read_text(f"{HAND}\n{HAND}\n" + "x\n" * 5_000 + f"\n{HAND}")
    assert [hand.record is not None for hand in hands if hand.record or not hand.problems[0].where
            ] == [True, False, True]  # fmt: skip
    [problem] = hands[1].problems
    assert problem.text == "the hand has more than 5,000 lines"


@pytest.mark.parametrize("text", ['{{"a": "{}"}}', '[{{"ohh": "{}"}}]'])
def test_json_hand_with_too_many_characters_is_refused(text: str) -> None:
    [hand] = read_text(text.format("x" * 200_000))
    assert "more than 200,000 characters" in hand.problems[0].text


def test_log_with_too_many_lines_is_refused() -> None:
    log = read_log("entry,order\n" + "x,1\n" * 250_001, "units")
    assert log.hands == []
    assert [line.text for line in log.lines] == ["a log has at most 250,000 lines: split the file"]


def test_unreadable_lines_of_a_log_are_listed_up_to_the_limit() -> None:
    log = read_log("entry,order\n" + "x,1\n" * 2_000, "units")
    assert len(log.lines) == 1_001
    assert log.lines[-1].text == "more lines can't be read"
