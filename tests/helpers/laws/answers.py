"""Answers to compare, without the parts that may differ between two records of one hand."""

from collections.abc import Callable, Mapping
from typing import Any

Json = Any
Naming = Callable[[str], str]


def same(name: str) -> str:
    return name


def essence(answer: Mapping[str, Json], naming: Naming = same) -> Json:
    """Return the chips, pots, carried chips, findings and hand names in an answer.

    Sentences, the order of seats and the choice between tied hands are omitted.
    """
    if "errors" in answer:
        return sorted((error["where"], error["code"]) for error in answer["errors"])
    by_name = {
        key: {naming(name): chips for name, chips in answer[key].items()}
        for key in ("paid", "returned", "won", "net")
    }
    return by_name | {
        "carry": answer["carry"],
        "carries": sorted((c["amount"], _names(c["for"], naming)) for c in answer["carries"]),
        "pots": [_pot(pot, naming) for pot in answer["pots"]],
        "findings": sorted(
            (one["code"], naming(one["player"]) if "player" in one else "")
            for one in answer["findings"]
        ),
        "hands": {
            naming(name): {way: _hand(shown) for way, shown in ways.items()}
            for name, ways in answer.get("hands", {}).items()
        },
    }


def _names(names: list[str], naming: Naming) -> list[str]:
    return sorted(naming(name) for name in names)


def _pot(pot: Json, naming: Naming) -> Json:
    shares = [
        (share["way"], share["amount"], {naming(n): won for n, won in share["winners"].items()})
        for share in pot["shares"]
    ]
    return pot["amount"], _names(pot["for"], naming), shares


def _hand(shown: Json) -> Json:
    return shown["name"] if isinstance(shown, dict) else shown
