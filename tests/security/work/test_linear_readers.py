"""Every parser of external text takes time linear in the text's length.

A file, a form or a body may be a megabyte, and quadratic time would block a process for an hour.
Therefore each parser is given one part repeated many times, after every opening and before an
invalid ending, and pairs of repeated parts whose lengths could multiply.
"""

from itertools import product

import pytest

from tests.readers.growth import GROWS, growth, pumped
from tests.readers.targets import LINEAR, LONGEST, seeds

PARTS = (
    *("\n", " ", "\t", "\r\n", ".", "a.", "a .", '"', "'", '""', "\\", '\\"', "#", ",", ";", "|"),
    *("[", "]", "[[", "{", "{}", "{} ", "(", ")", "=", "a=", "a={", "1", "9.", "1e", "-", "_", "é"),
    *(" @ ", '" @ ', 'x @ y" shows a ', 'x @ y" folds ', 'x @ y" collected 5 from pot with '),
    *('#1 "', " | ", '#1 "a @ b" (5) | ', "posts a a of ", "a of 1", "-- ", "A) (", " (dealer: "),
    *(
        "As",
        "10",
        "p1 cbr 1",
        "cbr ",
        "[a]\n",
        "[[a]]\n",
        "a.b = 1\n",
        '"a"."b".',
        "key: ",
        "://a:",
    ),
    *('{"a":1},', '"a":1,', "&players/1/name", "\ud800", "\0", "\u2028", "٣", "ann", "token "),
)
STARS = "PokerStars Hand #1: Hold'em No Limit (1/2) - "
STARS_TABLE = "2000/01/01 00:00:00 ET\nTable 'x' 6-max Seat #1 is the button\n"
STARS_SEATS = "Seat 1: a (9 in chips)\nSeat 2: b (9 in chips)\na: posts big blind 2\n"
HEADS = {
    "action": ("", "p1 cbr ", "p1 cbr 1 #", "d db "),
    "toml": ("", 'deal = ["', "# ", 'a = """', "a = [", "deal = ["),
    "log": (
        "entry,order\n",
        'entry\n"',
        'entry\n"-- starting hand #1',
        'entry\n"-- starting hand #1 A',
    ),
    "ledger": ("player_nickname,", "player_nickname,player_id,buy_in,buy_out,stack,net\n"),
    "file": ("", '{"ohh":', '[{"ohh":', "entry,", '{"actions":["'),
    "words": ("", '["', '{"a":'),
    "fields": ("", "tiebreaks/", '{"players":[', '{"a":"'),
    "phh": ("", 'actions = [\n"x"', "actions = [", 'a = "', "a = '''", "variant = "),
    "ohh": ("", '{"ohh":{"', '[{"ohh":', '{"ohh":{"rounds":['),
    "pokerstars": ("", STARS, f"{STARS}{STARS_TABLE}", f"{STARS}{STARS_TABLE}{STARS_SEATS}"),
}
TAIL = "\n\0x"
LONG = 32_000
LOG_LINE = '"-- starting hand #7 (id: x1)  No Limit Texas Hold\'em (dealer: ""Al @ a"") --",t,1\n'
STACKS = 'Player stacks: #1 ""Al @ a"" (100) | #4 ""Bo @ b"" (200)'
# the first and second halves of a text, each consisting of a repeated part
PAIRS = {
    "log": (
        ("entry,order,at", ",", "\n", "x\n"),  # columns, and rows that do not have them
        ("entry,order,at\n" + LOG_LINE, 'x @ y" shows a ,t,2\n', "", "5\n"),
        (f'entry\n"{STACKS}', ' | #5 ""Cy @ c"" (1)', '"\n', '"""Al @ a"" folds"\n'),
    ),
    "ledger": (
        ("player_nickname,player_id", ",a", "\n", "x\n"),
        ("player_nickname,player_id", ",a", ",buy_in,buy_out,stack,net\n", "x\n"),
    ),
    "fields": (
        ('{"players":[{}', ',{"name":"a"}', '],"tiebreaks":[{}', ",{}"),
        ('{"players":[{}', ',{"name":"a"}', '],"tiebreaks":[{}', ',{"a":["As"]}'),
        ('{"players":[{}', ',{"name":"a"}', '],"shared":[{}', ',{"for":["a"]}'),
        ('{"players":[{}', ',{"name":"a"}', '],"board":[[]', ',["As"]'),
        ("players/0/name", "&players/7/name", "&tiebreaks/999/0", "&tiebreaks/9/1"),
    ),
    "phh": (("a = 1\n", "[b]\n", "", "c = 1\n"), ("[[a]]\n", "[[a.b]]\n", "", "[a.c]\n")),
    "ohh": (('{"ohh":{"players":[{}', ",{}", '],"rounds":[{}', ",{}"),),
    "words": (("[", "[", "]", "]"),),
    "pokerstars": (
        (f"{STARS}{STARS_TABLE}Seat 1: a", "a", " (9 in chips)\n", "a: folds\n"),
        (f"{STARS}{STARS_TABLE}", "Seat 1: a (9 in chips)\n", "", "b: folds\n"),
        (f"{STARS}{STARS_TABLE}{STARS_SEATS}", "a: bets 1\n", "", "b: raises 1 to 2\n"),
    ),
}


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.scheduled)])
@pytest.mark.parametrize("name", LINEAR)
def test_parsing_a_repeated_part_takes_linear_time(name: str, every: int) -> None:
    """Every run tries every third pair of a start and a part. The scheduled run tries all pairs."""
    bad = [
        (head, part)
        for head, part in list(product(HEADS[name], PARTS))[::every]
        if growth(LINEAR[name], pumped(head, part, TAIL), long=LONG) >= GROWS
    ]
    assert bad == []


@pytest.mark.parametrize("name", PAIRS)
def test_parsing_two_repeated_parts_takes_linear_time(name: str) -> None:
    for head, part, middle, other in PAIRS[name]:

        def made(length: int, pieces: tuple[str, ...] = (head, part, middle, other)) -> str:
            first, one, between, two = pieces
            half = length // 2
            return first + one * (half // len(one)) + between + two * (half // len(two))

        ends = {"fields": "]}", "ohh": "]}}"}.get(name, "")
        work = LINEAR[name]
        assert growth(lambda text: work(text + ends), made) < GROWS, (head, part, other)  # noqa: B023


@pytest.mark.parametrize("name", ["phh", "ohh", "pokerstars", "log", "toml", "file"])
def test_parsing_a_valid_file_with_a_repeated_line_takes_linear_time(name: str) -> None:
    kind = {"log": "csv", "toml": "document", "file": "record"}.get(name, name)
    good = min((each for each in seeds(kind) if each), key=len)
    lines = good.splitlines(keepends=True)
    for at, line in enumerate(lines[:40]):
        made = pumped("".join(lines[:at]), line, "".join(lines[at:]))
        assert growth(LINEAR[name], made) < GROWS, line


def test_parsing_inputs_from_earlier_attacks_takes_linear_time() -> None:
    """A file of newlines, an endless first line in PokerNow's format, and a key with many dots."""
    newlines = pumped("", "\n", "x")
    assert growth(LINEAR["file"], newlines) < GROWS
    assert growth(LINEAR["file"], pumped("players", "\n", "x"), long=LONGEST) < GROWS
    start = pumped('entry\n"-- starting hand #1 A', " ", '"\n')
    assert growth(LINEAR["log"], start) < GROWS
    assert growth(LINEAR["phh"], pumped("", "a.", "b = 1")) < GROWS
