"""Hands that win a side bet."""

from typing import Any

from tests.helpers.league.leagues import holdem


def with_seven_deuce() -> dict[str, Any]:
    """Ann wins with 7-2 against bob's kings, dan folded."""
    record = holdem(board=[["7h", "7d", "2c", "Js", "Qc"]])
    record["players"][0]["down"] = ["7s", "2d"]
    record["players"].append({"name": "dan", "paid": 0, "folded": True})
    return record


def bad_beat() -> dict[str, Any]:
    """Ann loses with four eights against four kings."""
    record = holdem(board=[["8h", "8c", "Kh", "Kd", "2d"]])
    record["players"][0]["down"] = ["8s", "8d"]
    record["players"][1]["down"] = ["Ks", "Kc"]
    return record
