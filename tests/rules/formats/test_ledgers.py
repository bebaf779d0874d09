"""Ledgers saved by spreadsheets, with other separators, decimal commas, signs and encodings."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.__main__ import main
from rules.formats.ledgers import read_ledger

HEAD = "player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net"
# Excel's format in many European countries (actualbudget issue 1769), and similar ones.
SEMICOLONS = f"""\
{HEAD.replace(",", ";")}
Ann;a1;2026-02-13T18:00:00Z;;100,50;0;150,25;49,75
Bob;b2;2026-02-13T18:00:00Z;;100,00;50,25;0;-49,75
"""
UTF_16 = base64.b64decode(
    "//5wAGwAYQB5AGUAcgBfAG4AaQBjAGsAbgBhAG0AZQAsAHAAbABhAHkAZQByAF8AaQBkACwAcwBlAHMAcwBpAG8AbgBfA"
    "HMAdABhAHIAdABfAGEAdAAsAHMAZQBzAHMAaQBvAG4AXwBlAG4AZABfAGEAdAAsAGIAdQB5AF8AaQBuACwAYgB1AHkAXw"
    "BvAHUAdAAsAHMAdABhAGMAawAsAG4AZQB0AAoAQQBuAG4ALABhADEALAAyADAAMgA2AC0AMAAyAC0AMQAzAFQAMQA4ADo"
    "AMAAwADoAMAAwAFoALAAsADEAMAAwACwAMAAsADEANQAwACwANQAwAAoAQgBvAGIALABiADIALAAyADAAMgA2AC0AMAAy"
    "AC0AMQAzAFQAMQA4ADoAMAAwADoAMAAwAFoALAAsADEAMAAwACwANQAwACwAMAAsAC0ANQAwAAoA"
)
IN_CENTS = {"Ann": (10050, 4975), "Bob": (10000, -4975)}


def rows(*lines: str, delimiter: str = ";") -> str:
    return "\n".join([HEAD.replace(",", delimiter), *lines])


def players(text: str) -> dict[str, tuple[int, int]]:
    ledger = read_ledger(text, "units")
    assert not ledger.lines, ledger.lines
    return {player.name: (player.buy_in, player.net) for player in ledger.players}


SPELLINGS = {
    "semicolons and commas": SEMICOLONS,
    "tabs": SEMICOLONS.replace(";", "\t"),
    "a line of Excel's": f"sep=;\r\n{SEMICOLONS}",
    "a mark": f"\ufeff{SEMICOLONS}",
    "points": SEMICOLONS.replace(",", "."),
    "commas and quotes": (
        f'{HEAD}\nAnn,a1,,,"100,50",0,"150,25","49,75"\nBob,b2,,,"100,00","50,25",0,"-49,75"\n'
    ),
    "signs": rows("Ann;a1;;;€100.50;;€150.25;€49.75", "Bob;b2;;;100.00 €;$50.25;;-€49.75"),
    "codes": rows("Ann;a1;;;EUR 100,50;;150,25 EUR;49,75", "Bob;b2;;;100;50,25;;(49,75)"),
    "another order": (
        "net;buy_in;Player_Nickname;stack;buy_out;player_id;note\n"
        "49,75;100,50;Ann;150,25;0;a1;x\n-49,75;100;Bob;0;50,25;b2;y\n"
    ),
    "tabs and spaces": rows(
        "Ann\ta1\t\t\t100,50\t\t 150,25\t49,75", "Bob\tb2\t\t\t100\t50,25\t\t−49,75", delimiter="\t"
    ),
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_ledger_saved_by_a_spreadsheet_can_be_read(text: str) -> None:
    assert players(text) == IN_CENTS


@pytest.mark.parametrize(
    ("lines", "amounts"),
    [
        (["Ann;a;;;1.000;;1.500,50;500,50", "Bob;b;;;1.000;;499,50;-500,50"], (10000, 5005)),
        (["Ann;a;;;1,000;;1,500.50;500.50", "Bob;b;;;1,000;;499.50;-500.50"], (10000, 5005)),
        (["Ann;a;;;1 000;;1 500;500", "Bob;b;;;1'000;;500;-500"], (1000, 500)),
        (["Ann;a;;;1.000.000;;1.500;-998.500", "Bob;b;;;0;;998.500;998.500"], (1000000, -998500)),
    ],
)
def test_ambiguous_amount_is_read_like_other_amounts_in_its_file(
    lines: list[str], amounts: tuple[int, int]
) -> None:
    assert players(rows(*lines))["Ann"] == amounts


@pytest.mark.parametrize(
    "text",
    [
        rows("Ann;a;;;1.000;0;1.500;500", "Bob;b;;;1.000;0;500;-500"),
        rows("Ann;a;;;1,000;0;2,000;1,000"),
        f'{HEAD}\nAnn,a,,,"1,000",0,0,"-1,000"\n',
        rows("Ann;a;;;1.000;0;1,5;0,5", "Bob;b;;;1.5;0;0;0"),
    ],
)
def test_ambiguous_amount_without_context_is_refused(text: str) -> None:
    ledger = read_ledger(text, "units")
    assert "can mean 1000 or 1" in next(
        each.text for each in ledger.lines if each.why == "ambiguous"
    )
    assert not ledger.players or ledger.players[0].name != "Ann"


def test_points_in_a_pokernow_ledger_are_decimal_points() -> None:
    """PokerNow does not write thousands separators."""
    assert players(f"{HEAD}\nAnn,a,,,1.125,0,2.250,1.125\n") == {"Ann": (1125, 1125)}


def test_missing_column_is_reported_once() -> None:
    text = SEMICOLONS.replace("buy_out", "cash")
    assert [line.text for line in read_ledger(text, "units").lines] == [
        "the ledger has no column buy_out"
    ]


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=4),
    st.sampled_from([("", "."), (",", "."), (".", ","), (" ", ","), ("'", "."), ("\u202f", ",")]),
    st.sampled_from(";\t|"),
    st.sampled_from(["", "€", "$ ", "₹"]),
)
def test_ledger_written_in_any_locale_has_the_original_amounts(
    cents: list[int], separators: tuple[str, str], delimiter: str, sign: str
) -> None:
    """The amounts have two decimals and are written as a spreadsheet in any locale would."""
    spelling = str.maketrans({",": separators[0], ".": separators[1]})

    def spelled(amount: int) -> str:
        return sign + f"{amount / 100:,.2f}".translate(spelling)

    lines = [
        delimiter.join([f"p{at}", f"i{at}", "", "", spelled(item), "", "", f"-{spelled(item)}"])
        for at, item in enumerate(cents)
    ]
    ledger = read_ledger("\n".join([HEAD.replace(",", delimiter), *lines]), "units")
    amounts = [(item.buy_in, item.net) for item in ledger.players]
    by = 10 ** (2 - ledger.places)
    assert not ledger.lines
    assert [(bought * by, net * by) for bought, net in amounts] == [(item, -item) for item in cents]


def test_convert_reads_utf_16_and_windows_1252_ledgers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """actualbudget issue 6265: the encoding is detected from the byte order mark."""
    (tmp_path / "a.csv").write_bytes(UTF_16)
    (tmp_path / "b.csv").write_bytes(SEMICOLONS.replace("Ann", "Zoë").encode("cp1252"))
    for name in ("a.csv", "b.csv"):
        assert main(["convert", "--amounts", "units", str(tmp_path / name)]) == 0
    nets = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["name"], each["net"]) for each in nets] == [
        *[("Ann", 50), ("Bob", -50)],
        *[("Zoë", 4975), ("Bob", -4975)],
    ]
