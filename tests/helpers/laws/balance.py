"""Totals that must balance in every answer."""

from typing import Any

from tests.helpers.laws.records import Record


def carried_in(record: Record) -> int:
    carried = record.get("carried", 0)
    return carried if isinstance(carried, int) else sum(item["amount"] for item in carried)


def assert_balanced(record: Record, answer: dict[str, Any]) -> None:
    """Chips in equal chips out, including carried ones. Each pot equals the sum of its shares."""
    paid, won, returned = (sum(answer[key].values()) for key in ("paid", "won", "returned"))
    assert paid + carried_in(record) == won + returned + answer["carry"]
    assert answer["carry"] == sum(carry["amount"] for carry in answer["carries"])
    for name, net in answer["net"].items():
        assert net == answer["won"][name] + answer["returned"][name] - answer["paid"][name]
    for key in ("paid", "won", "returned"):
        assert all(type(chips) is int and chips >= 0 for chips in answer[key].values())
        assert list(answer[key]) == [player["name"] for player in record["players"]]
