"""Hands in different TOML spellings, and changed hands, for tests of parsers."""

import json
from decimal import Decimal
from random import Random
from typing import Any

from rules.formats import toml

Fields = dict[str, Any]


def spelled(chance: Random, fields: Fields) -> str:
    """Write these fields in any of the ways allowed by TOML."""
    lines = []
    for name, value in fields.items():
        lines += chance.choice(([], [""], ["# a comment, with 'quotes' and [brackets]"], ["\t"]))
        behind = chance.choice(("", "", "  ", " # said # twice", "\t#"))
        equals = chance.choice((" = ", "=", "  =\t"))
        lines.append(f"{_name(chance, name)}{equals}{_value(chance, value)}{behind}")
    text = "\n".join(lines) + chance.choice(("", "\n", "\n\n# the end"))
    text = text.replace("\n", "\r\n") if chance.random() < 0.3 else text
    return ("\ufeff" if chance.random() < 0.2 else "") + text


def _name(chance: Random, name: str) -> str:
    bare = toml.key(name)
    return chance.choice((bare, bare, json.dumps(name), f"'{name}'" if "'" not in name else bare))


def _value(chance: Random, value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(chance, value)
    if isinstance(value, list):
        return _list(chance, value)
    if isinstance(value, dict):
        told = (f"{_name(chance, key)} = {_value(chance, item)}" for key, item in value.items())
        return "{ " + ", ".join(told) + " }"
    if isinstance(value, int):
        return _number(chance, value)
    if isinstance(value, Decimal):
        return str(value).lower().replace("infinity", "inf")
    return str(value)


def _number(chance: Random, number: int) -> str:
    ways = [str(number), str(number), f"{number:_}"]
    if number >= 0:
        ways += [f"+{number}", hex(number), oct(number), bin(number)]
    return chance.choice(ways)


def _text(chance: Random, text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    ways = [quoted, "".join(('"', *map(_escaped, text), '"')), f'"""\n{quoted[1:-1]}"""']
    if "'" not in text and text.isprintable():
        ways += [f"'{text}'", f"'''\n{text}'''"]
    return chance.choice(ways)


def _escaped(letter: str) -> str:
    return f"\\U{ord(letter):08x}"


def _list(chance: Random, items: list[Any]) -> str:
    values = [_value(chance, item) for item in items]
    last = chance.choice(("", ",")) if values else ""
    match chance.randrange(3):
        case 0:
            return f"[{', '.join(values)}{last}]"
        case 1:
            return f"[ {' , '.join(values)}{last} ]"
        case _:
            lines = [f"  {item},  {chance.choice(('', '# why, then'))}" for item in values]
            return "[\n" + "\n".join(["  # first", *lines, ""]) + "]"


def changed(chance: Random, fields: Fields) -> Fields:
    """Change fields as other tools might: remove or add fields, or use unusual values."""
    record = dict(fields)
    for _ in range(chance.randint(1, 3)):
        chance.choice(CHANGES)(chance, record)
    names = list(record)
    if chance.random() < 0.3:
        chance.shuffle(names)
    return {name: record[name] for name in names}


def _left_out(chance: Random, fields: Fields) -> None:
    fields.pop(chance.choice(list(fields)), None)


def _unknown(chance: Random, fields: Fields) -> None:
    name = chance.choice(
        ("_mine", "_a b", "venue", "author", "seats", "é", "time_limit", "url", "_")
    )
    fields[name] = chance.choice(ODD)


def _as_decimals(chance: Random, fields: Fields) -> None:
    """Write `100` as `100.0`, `100.50` or `1e2`."""
    name = chance.choice(AMOUNTS)
    if isinstance(fields.get(name), list):
        fields[name] = [_decimal(chance, item) for item in fields[name]]
    elif name in fields:
        fields[name] = _decimal(chance, fields[name])


def _decimal(chance: Random, number: Any) -> Any:
    ways = ("{}.0", "{}.000", "{}.50", "{}e0", "{}.0e0", "{}E+1", "{}.123456789")
    return Decimal(chance.choice(ways).format(number)) if type(number) is int else number


def _in_decimals(chance: Random, fields: Fields) -> None:
    """Write bets with decimals."""
    fields["actions"] = [
        f"{text}{chance.choice(('.0', '.5', '.05', '.50'))}" if " cbr " in text else text
        for text in fields.get("actions", ())
    ]


def _other_sizes(chance: Random, fields: Fields) -> None:
    for name in ("min_bet", "small_bet", "big_bet", "bring_in"):
        fields.pop(name, None)
        if chance.random() < 0.5:
            fields[name] = chance.choice((0, 1, 100, 2000, Decimal("0.5"), -1))


def _odd_amounts(chance: Random, fields: Fields) -> None:
    count = _players(fields)
    name = chance.choice(AMOUNTS)
    amount = chance.choice(
        (0, 1, 5, Decimal("inf"), Decimal("nan"), -3, 10**18, Decimal("1e-40"), "5")
    )
    fields[name] = chance.choice(
        (amount, [amount] * count, [amount], [], [0] * (count + 1), None, {"a": amount})
    )
    if fields[name] is None:
        del fields[name]


def _players(fields: Fields) -> int:
    stacks = fields.get("starting_stacks")
    return len(stacks) if isinstance(stacks, list) else 0


def _unknown_stacks(chance: Random, fields: Fields) -> None:
    stacks = fields.get("starting_stacks")
    if isinstance(stacks, list):
        fields["starting_stacks"] = [chance.choice((stack, Decimal("inf"))) for stack in stacks]


def _hidden(chance: Random, fields: Fields) -> None:
    """Replace cards with unseen ones."""
    fields["actions"] = [
        " ".join((*text.split()[:3], "??" * (len(text.split()[3]) // 2)))
        if text.startswith("d dh") and chance.random() < 0.5 and len(text.split()) == 4
        else text
        for text in fields.get("actions", ())
    ]


def _odd_actions(chance: Random, fields: Fields) -> None:
    actions = list(fields.get("actions", ()))
    at = chance.randrange(len(actions) + 1)
    actions.insert(at, chance.choice(("", "# a word", "p1 cbr 1_000", "p1 cbr 1e3", "p1 cbr -5",
        "p2 cbr 0.5.5", "p1 sm # shows", "p1  f", "p1 cc # 5", "d db", "p1 cbr .5", "p1 cbr 5.",
        "x", "p0 f", "d dh p1 AhAh", "p1 cbr 007", "p1 CBR 5", "p1 cbr 5 # was 2.5")))  # fmt: skip
    fields["actions"] = chance.choice((actions, actions[:at]))


def _names(chance: Random, fields: Fields) -> None:
    count = _players(fields)
    fields["players"] = chance.choice((
        [""] * count, ["a"] * count, [f"p{n + 1}" for n in range(count)], ["x"] * (count + 1),
        [f"é {n} 'q' \"w\"" for n in range(count)], list(range(count)), "names", [],
        [f"p{count - n}" for n in range(count)], ["tab\there"] * count, ["n" * 300] * count,
    ))  # fmt: skip


ODD = (
    *(1, -1, 10**30, True, "text", 'a\nb\t"c" \\ \'', "\u007f", "\U0001f0a1"),
    *({"toml": "1.5"}, {"toml": 5}),
    *([], [[1, "a"], ["b"]], {}, {"a": {"b c": [1]}}, [{"x": 1}, {"y": Decimal("2.0")}]),
    *(Decimal("1.50"), Decimal("nan"), Decimal("-inf"), [Decimal("0.10"), 2]),
)
AMOUNTS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings",
           "bring_in", "small_bet", "big_bet", "min_bet")  # fmt: skip
CHANGES = (_left_out, _unknown, _as_decimals, _in_decimals, _other_sizes, _odd_amounts,
           _unknown_stacks, _hidden, _odd_actions, _names)  # fmt: skip
