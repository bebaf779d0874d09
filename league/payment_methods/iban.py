"""Account numbers of the Single Euro Payments Area: an IBAN of the right length that adds up."""

import re

# How long an IBAN of each country is that takes part in SEPA, as SWIFT's registry says.
LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "NL"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "EE", "LT", "LU"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "DE", "GB", "IE", "ME", "RS", "VA"), 22),
    **dict.fromkeys(("GI",), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "RO", "SE", "SK"), 24),
    **dict.fromkeys(("PT",), 25),
    **dict.fromkeys(("IS",), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "SM"), 27),
    **dict.fromkeys(("AL", "CY", "HU", "PL"), 28),
    **dict.fromkeys(("MT",), 31),
}
# Outside the European Economic Area a transfer names the bank by its BIC too: EPC069-12.
NOT_EEA = frozenset("AD AL CH GB GI MC MD ME MK RS SM VA".split())
LONGEST = 34  # of any country: ISO 13616
_SHAPE = re.compile(rf"[A-Z]{{2}}[0-9]{{2}}[A-Z0-9]{{1,{LONGEST - 4}}}")


def read_iban(typed: str) -> str | None:
    """Return the IBAN without spaces, in capitals; None where it is none, or of no SEPA country."""
    told = "".join(typed.split()).upper()
    if not _SHAPE.fullmatch(told) or len(told) != LENGTHS.get(told[:2]):
        return None
    return told if remainder(told) == 1 else None


def remainder(iban: str) -> int:
    """Return what ISO 13616 makes of it, which is 1 where no digit was mistyped.

    The country and its two digits go to the end, letters count from A = 10, modulo 97.
    """
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97


def needs_bic(iban: str) -> bool:
    """Tell whether a code that holds the IBAN would have to hold the bank's BIC as well."""
    return iban[:2] in NOT_EEA


def in_groups(iban: str) -> str:
    """Return it as banks print it: in groups of four."""
    return " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))
