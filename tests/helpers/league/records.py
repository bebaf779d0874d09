"""Records with more than one way to win."""

from typing import Any

# docs/record.md, "A record": cat deals, bob is all in for 15, dan folded for 10, cat declares both.
# ways.
OMAHA: dict[str, Any] = {
    "variant": "omaha-8",
    "modifiers": ["two-row"],
    "options": {"declare": "high-low"},
    "button": 2,
    "players": [
        {"name": "ann", "paid": 40, "down": ["As", "Kd", "3c", "4c"], "declared": "low"},
        {
            "name": "bob",
            "paid": 15,
            "all_in": True,
            "down": ["Qs", "Qd", "7c", "7h"],
            "declared": "high",
        },
        {"name": "cat", "paid": 40, "down": ["Ac", "Ad", "Kh", "2c"], "declared": "both"},
        {"name": "dan", "paid": 10, "folded": True},
    ],
    "board": [["2h", "7d", "9s", "Jd", "Qc"], ["Ah", "5d", "6s", "8d", "Tc"]],
    "took": {"ann": 52, "bob": 28, "cat": 25},
}
PUT_AND_TAKE: dict[str, Any] = {
    "variant": "put-and-take",
    "button": 0,
    "players": [
        {"name": "ann", "paid": 0},
        {"name": "bob", "up": ["As", "3d", "4c", "6h", "8s"]},
    ],
    "board": [["Ad", "Kd", "Qd", "Jd", "Td"], ["Kc", "Qc", "Jc", "Tc", "9c"]],
}
