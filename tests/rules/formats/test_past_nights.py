"""Tables of past nights, as hosts keep them in spreadsheets."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.formats.files import format_of
from rules.formats.ledgers import is_past_nights, read_past_nights

NETS = {"Ann": 50, "Bob": -50}


def nets(text: str) -> dict[date, dict[str, int]]:
    past = read_past_nights(text)
    assert not past.lines
    assert not any(ledger.lines for ledger in past.nights.values())
    return {
        day: {player.name: player.net for player in ledger.players}
        for day, ledger in past.nights.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "Date,Player,Buy-in,Cash-out\n2024-03-13,Ann,100,150\n2024-03-13,Bob,100,50\n",
        "night;name;buy in;cash out;net\n13.3.2024;Ann;100;150;+50\n13.3.2024;Bob;100;50;−50\n",
        "sep=;\nDATE;NAME;BUYINS;CASHOUT\n2024-03-13 20:00;Ann;$100;150\n;\n2024-03-13;Bob;100;50",
        "player\tresult\tdate\nAnn\t50\t2024-03-13\nBob\t(50)\t2024-03-13\n",
        "day,name,buy_in,cash_out\n3/13/2024,Ann,60,150\n3/13/2024,Ann,40,\n3/13/2024,Bob,100,50\n",
    ],
)
def test_table_has_one_ledger_for_each_date(text: str) -> None:
    assert format_of(text) == "past-nights"
    assert nets(text) == {date(2024, 3, 13): NETS}


@pytest.mark.parametrize(
    "header", ["Date,Player Name,Buy-in amount,Cash-out amount", "Date,Player,Bought,Cashed out"]
)
def test_columns_have_the_names_that_spreadsheets_give_them(header: str) -> None:
    text = f"{header}\n2024-03-13,Ann,100,150\n2024-03-13,Bob,100,50\n"
    assert nets(text) == {date(2024, 3, 13): NETS}


def test_repeated_row_is_refused_and_names_the_first_one() -> None:
    """A row that was pasted twice doubled the player's results without a message.

    Two rows without a cash-out can be two buy-ins.
    """
    rows = ["date,player,buy-in,cash-out", *["2024-03-13,Ann,20,90"] * 2]
    text = "\n".join([*rows, *["2024-03-13,Bob,35,"] * 2])
    [ledger] = read_past_nights(text).nights.values()
    assert [(player.name, player.net) for player in ledger.players] == [("Ann", 70), ("Bob", -70)]
    [line] = ledger.lines
    assert line.number == 3
    assert "the same as line 2" in line.text


def test_table_of_results_that_was_pasted_twice_counts_once() -> None:
    """Losses were counted twice, because a loss looked like a buy-in without a cash-out."""
    rows = ["2024-03-13,Ann,20", "2024-03-13,Bob,-20"] * 2
    [ledger] = read_past_nights("\n".join(["date,player,result", *rows])).nights.values()
    assert [(player.name, player.net) for player in ledger.players] == [("Ann", 20), ("Bob", -20)]
    assert [line.number for line in ledger.lines] == [4, 5]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [("", "no rows below"), ("2024-03-13,Ann,5\n,Bob,-5\n", "the row has no date")],
)
def test_table_without_rows_or_dates_has_a_reason(rows: str, reason: str) -> None:
    """The preview showed "0 hands" without a reason, and “” as a wrong date."""
    [line] = read_past_nights(f"date,player,net\n{rows}").lines
    assert reason in line.text


def test_amounts_are_read_with_the_decimal_separator_of_the_whole_table() -> None:
    text = "date;player;net\n2024-03-13;Ann;1.000,50\n2024-03-13;Bob;-1.000,50\n"
    [ledger] = read_past_nights(text).nights.values()
    assert [player.net for player in ledger.players] == [10_005, -10_005]
    assert ledger.places == 1


def test_table_with_only_results_counts_lost_chips_as_bought() -> None:
    """The purchases are not known. These are the smallest ones that give the results."""
    text = "date,player,net\n2024-03-13,Ann,50\n2024-03-13,Bob,-50\n"
    [ledger] = read_past_nights(text).nights.values()
    assert [(each.buy_in, each.buy_out) for each in ledger.players] == [(0, 50), (50, 0)]


@pytest.mark.parametrize(
    ("other", "is_read"), [("25/3/2024", {date(2024, 4, 3)}), ("3/25/2024", {date(2024, 3, 4)})]
)
def test_other_dates_decide_the_order_of_day_and_month(other: str, is_read: set[date]) -> None:
    past = read_past_nights(f"date,player,net\n3/4/2024,Ann,0\n{other},Ann,0\n")
    assert is_read < past.nights.keys()
    assert not past.lines


@pytest.mark.parametrize(
    "days", [("3/4/2024",), ("25/3/2024", "3/25/2024"), ("2024-02-30",), ("13.3.24",), ("Friday",)]
)
def test_row_without_a_certain_date_is_refused(days: tuple[str, ...]) -> None:
    past = read_past_nights("date,player,net\n" + "".join(f"{day},Ann,5\n" for day in days))
    assert not past.nights
    assert [line.number for line in past.lines] == list(range(2, 2 + len(days)))
    why = "can be two dates: write it like" if days == ("3/4/2024",) else "is not a date like"
    assert past.lines[0].text == f"“{days[0]}” {why} 2024-03-13"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2024-03-13,,100,50,", "the row has no player"),
        ("2024-03-13,Bob,,,", "the row has no amount"),
        ("2024-03-13,Bob, a lot,50,", "the buy-in “a lot” is not an amount"),
        ("2024-03-13,Bob,-100,50,", "a buy-in can't be negative"),
        ("2024-03-13,Bob,100,-50,", "a cash-out can't be negative"),
        ("2024-03-13,Bob,100,50,-40", "the result -40 is not the cash-out minus the buy-in"),
    ],
)
def test_wrong_row_is_a_problem_of_its_night(row: str, reason: str) -> None:
    head = "date,player,buy-in,cash-out,net\n"
    past = read_past_nights(f"{head}{row}\n2024-03-20,Ann,1,1,0\n")
    [line] = past.nights[date(2024, 3, 13)].lines
    assert (line.number, line.text) == (2, f"{reason}: “{row}”")
    assert past.nights[date(2024, 3, 13)].balance == 0
    assert not past.nights[date(2024, 3, 20)].lines


@pytest.mark.parametrize(
    "header", ["date,player,buy-in", "player,net", "date,net", "Date,Description,Cost", "", "x" * 9]
)
def test_other_columns_are_no_table_of_nights(header: str) -> None:
    assert not is_past_nights(f"{header}\n2024-03-13,Ann,5\n")


AMOUNT = st.integers(0, 10**9)
ROWS = st.dictionaries(
    st.tuples(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.sampled_from("ABCDE")),
    st.tuples(AMOUNT, AMOUNT),
    min_size=1,
    max_size=30,
)


@given(ROWS, st.sampled_from([",", ";", "\t", "|"]), st.sampled_from(["%Y-%m-%d", "%d.%m.%Y"]))
def test_written_table_is_read_back(
    rows: dict[tuple[date, str], tuple[int, int]], delimiter: str, format_: str
) -> None:
    table = [["date", "player", "buy-in", "cash-out"]]
    table += [[day.strftime(format_), name, str(a), str(b)] for (day, name), (a, b) in rows.items()]
    past = read_past_nights("\n".join(delimiter.join(row) for row in table))
    assert not past.lines
    read = {
        (day, player.name): (player.buy_in, player.buy_out)
        for day, ledger in past.nights.items()
        for player in ledger.players
    }
    assert read == rows


@pytest.mark.parametrize("columns", ["date,date,player", "date,player,name"])
def test_table_with_two_columns_of_one_meaning_is_refused(columns: str) -> None:
    """The last column would count without a word, and it may be the wrong one."""
    past = read_past_nights(f"{columns},net\n2020-01-01,2021-01-01,ann,0\n")
    assert not past.nights
    assert "two columns have the same meaning" in past.lines[0].text


def test_table_with_too_many_rows_is_read_up_to_the_limit() -> None:
    """Rows without cells took 500 bytes each, so 20 MB took 5 GB."""
    past = read_past_nights("date,player,net\n" + "x\n" * 60_000)
    assert len(past.lines) == 50_001
    assert past.lines[0].text == "a table has at most 50,000 rows: split the file"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("date,player,net" + ",a" * 200 + "\n2024-03-13,Ann,0\n", "more than 100 columns"),
        ("date,player,net\n" + "," * 200_000, "a row has more than 100,000 characters"),
        ('date,player,net\n"' + "x\n" * 100_000, "a row has more than 100,000 characters"),
    ],
)
def test_table_with_too_many_columns_or_too_long_rows_is_refused(text: str, why: str) -> None:
    """A header of 20 MB took 760 MB of memory."""
    [line] = read_past_nights(text).lines
    assert why in line.text


def test_empty_columns_after_the_last_one_are_ignored() -> None:
    """Excel writes them for cells that were once in use."""
    empty = "," * 1_000
    text = f"date,player,net{empty}\n2024-03-13,Ann,50{empty}\n2024-03-13,Bob,-50{empty}\n{empty}\n"
    assert nets(text) == {date(2024, 3, 13): NETS}
