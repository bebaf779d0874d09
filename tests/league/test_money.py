"""The currencies' decimals match the ISO 4217 list (SIX, list one, 2024)."""

from decimal import Decimal

import pytest

from league.common.money import decimals_of, minor_units, shown

# All codes in the list with a minor unit other than 2, except metals and test codes.
NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split()
THREE = "BHD IQD JOD KWD LYD OMR TND".split()
FOUR = "CLF UYW".split()
TWO = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
    CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
    GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL
    MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
    PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT
    TOP TRY TTD TWD TZS UAH USD UZS VES WST XCD YER ZAR ZMW
""".split()
ISO_4217 = {
    **dict.fromkeys(NONE, 0),
    **dict.fromkeys(TWO, 2),
    **dict.fromkeys(THREE, 3),
    **dict.fromkeys(FOUR, 4),
}


def test_decimals_match_iso_4217() -> None:
    assert {currency: decimals_of(currency) for currency in ISO_4217} == ISO_4217


@pytest.mark.parametrize(
    ("amount", "currency", "minor", "text"),
    [
        ("1000", "XPF", 1000, "1,000"),
        ("15.38", "EUR", 1538, "15.38"),
        ("1.234", "KWD", 1234, "1.234"),
        ("0.5", "CLF", 5000, "0.5000"),
        ("12.5", "HUF", 1250, "12.50"),
    ],
)
def test_amounts_are_whole_minor_units(amount: str, currency: str, minor: int, text: str) -> None:
    assert minor_units(Decimal(amount), currency) == minor
    assert shown(minor, currency) == text


@pytest.mark.parametrize(("amount", "currency"), [("15.5", "JPY"), ("12.345", "EUR")])
def test_amounts_finer_than_the_currency_cannot_be_expressed_in_minor_units(
    amount: str, currency: str
) -> None:
    assert minor_units(Decimal(amount), currency) is None
