"""IBANs follow ISO 13616 and have the lengths in SWIFT's registry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.payment_methods.kinds import (
    LENGTHS,
    NOT_EEA,
    in_groups,
    needs_bic,
    read_iban,
    remainder,
)

# Examples from SWIFT's IBAN registry, in electronic format.
EXAMPLES = """
AD1200012030200359100100 AL47212110090000000235698741 AT611904300234573201 BE68539007547034
BG80BNBG96611020345678 CH9300762011623852957 CY17002001280000001200527600
CZ6508000000192000145399 DE89370400440532013000 DK5000400440116243 EE382200221020145685
ES9121000418450200051332 FI2112345600000785 FR1420041010050500013M02606 GB29NWBK60161331926819
GI75NWBK000000007099453 GR1601101250000000012300695 HR1210010051863000160
HU42117730161111101800000000 IE29AIBK93115212345678 IS140159260076545510730339
IT60X0542811101000000123456 LI21088100002324013AA LT121000011101001000 LU280019400644750000
LV80BANK0000435195001 MC5811222000010123456789030 MD24AG000225100013104168
ME25505000012345678951 MK07250120000058984 MT84MALT011000012345MTLCAST001S NL91ABNA0417164300
NO9386011117947 PL61109010140000071219812874 PT50000201231234567890154
RO49AAAA1B31007593840000 RS35260005601001611379 SE4550000000058398257466
SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100
VA59001123000012345678
""".split()
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize("iban", EXAMPLES)
def test_registry_examples_are_accepted(iban: str) -> None:
    assert read_iban(iban) == iban
    assert read_iban(f" {in_groups(iban).lower()} ") == iban


def test_every_sepa_country_has_an_example() -> None:
    assert {each[:2] for each in EXAMPLES} == LENGTHS.keys()
    assert LENGTHS.keys() > NOT_EEA


@given(st.sampled_from(EXAMPLES), st.data())
def test_single_mistyped_character_is_detected(iban: str, data: st.DataObject) -> None:
    """ISO 7064 detects every single substitution: 97 is prime and larger than any difference."""
    at = data.draw(st.integers(2, len(iban) - 1))
    alike = "0123456789" if iban[at].isdigit() else LETTERS[10:]
    other = data.draw(st.sampled_from([each for each in alike if each != iban[at]]))
    spoilt = iban[:at] + other + iban[at + 1 :]
    assert remainder(spoilt) != 1
    assert read_iban(spoilt) is None


@given(st.sampled_from(EXAMPLES), st.data())
def test_swapped_digits_are_detected(iban: str, data: st.DataObject) -> None:
    """ISO 7064 detects every swap of adjacent digits."""
    places = [at for at in range(4, len(iban) - 1) if iban[at : at + 2].isdigit()]
    at = data.draw(st.sampled_from(places))
    swapped = iban[:at] + iban[at + 1] + iban[at] + iban[at + 2 :]
    assert (read_iban(swapped) is None) == (swapped != iban)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "DE",
        "DE8937040044053201300",  # one digit too short
        "DE893704004405320130000",  # one digit too long
        "BR1500000000000010932840814P2",  # valid, but outside SEPA
        "DE89 3704 0044 0532 0130 0O",
        "DE89-3704-0044-0532-0130-00",
        "ＤＥ89370400440532013000",
        "DE8937040044053201300\N{ARABIC-INDIC DIGIT ZERO}",
        "DE" + "8" * 10_000,
    ],
)
def test_invalid_iban_is_refused(typed: str) -> None:
    assert read_iban(typed) is None


def test_code_for_an_account_outside_the_eea_requires_a_bic() -> None:
    """EPC069-12: in version 002 the BIC is optional only within the EEA."""
    assert not needs_bic("DE89370400440532013000")
    assert needs_bic("CH9300762011623852957")
