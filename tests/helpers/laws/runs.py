"""Random runs: turns the record of a complete deal into one whose rest is run several times."""

from random import Random
from typing import Any

from rules.api import problems
from rules.game.hand import LEAST_RUNS, MOST_RUNS
from tests.helpers.laws.records import Form, Record, form_of, is_out

UNSEEN = "??"


def with_runs(chance: Random, record: Record) -> Record:
    """Return the record with two to four runs, if its game and its deck allow that.

    The first run deals cards of the record. `took` is left out, because it belongs to one deal.
    """
    form = form_of(record)
    hand: Record = {**record, "board": [], "players": [dict(one) for one in record["players"]]}
    hand.pop("took", None)
    first: Record = {"board": []}
    for row in record.get("board", ()):
        _cut_row(chance, hand, first, row)
    if form["dealt"] is None and not form["extra_cards"] and chance.random() < 0.4:
        first["players"] = _cut_hands(chance, hand)
    deck = [card for card in form["deck"] if card not in _cards_of(record)]
    chance.shuffle(deck)
    size = len(_dealt(first))
    most = min(MOST_RUNS, 1 + len(deck) // size) if size else 0
    if most < LEAST_RUNS:
        return record
    runs = [first, *(_again(first, deck) for _ in range(chance.randint(2, most) - 1))]
    for run in runs:
        _decide(chance, form, hand, run)
    hand["runs"] = [{key: value for key, value in run.items() if value} for run in runs]
    hand = {key: value for key, value in hand.items() if value not in ([], {})}
    codes = {problem.code for problem in problems(hand)}
    if codes == {"card-count"}:  # a fact of the deal may determine the number of cards
        for run in hand["runs"]:
            run.pop("options", None)
    return record if "bad-runs" in codes else hand


def _cut_row(chance: Random, hand: Record, run: Record, row: list[str]) -> None:
    """Move some cards of a row to the run: mostly the last ones, sometimes any of them."""
    count = chance.randint(0, len(row))
    places = set(range(len(row) - count, len(row)))
    if chance.random() < 0.3:
        places = set(chance.sample(range(len(row)), count))
    left = [UNSEEN if at in places else card for at, card in enumerate(row)]
    while left and left[-1] == UNSEEN:
        left.pop()
    hand["board"].append(left)
    run["board"].append([row[at] for at in sorted(places)])


def _cut_hands(chance: Random, hand: Record) -> list[Record]:
    """Move the last card of each player left to the run."""
    zone = chance.choice(["down", "up"])
    players = [player for player in hand["players"] if not is_out(player)]
    if not all(player.get(zone) for player in players):
        return []
    moved = []
    for player in players:
        *player[zone], last = player[zone]
        moved.append({"name": player["name"], zone: [last]})
    return moved


def _cards_of(record: Record) -> set[str]:
    cards = {card for row in record.get("board", ()) for card in row}
    cards |= {item["card"] for item in record.get("shared", ())}
    for player in record["players"]:
        cards |= {*player.get("down", ()), *player.get("up", ())}
        cards |= {card for pile in player.get("piles", {}).values() for card in pile}
    return cards


def _dealt(run: Record) -> list[str]:
    cards = [card for row in run["board"] for card in row]
    for player in run.get("players", ()):
        cards += [*player.get("down", ()), *player.get("up", ())]
    return cards


def _again(first: Record, deck: list[str]) -> Record:
    """Return a run with other cards in the same places."""
    run: Record = {"board": [[deck.pop() for _ in row] for row in first["board"]]}
    if "players" in first:
        run["players"] = [
            {
                key: value if key == "name" else [deck.pop() for _ in value]
                for key, value in player.items()
            }
            for player in first["players"]
        ]
    return run


def _decide(chance: Random, form: Form, hand: Record, run: Record) -> None:
    """Sometimes give a run its own facts, declarations and rounds for ties."""
    asked = [option for option in form["options"] if option["asked"] and "choices" in option]
    if asked and chance.random() < 0.5:
        run["options"] = {o["name"]: chance.choice(o["choices"])["name"] for o in asked}
    if form["declarations"] and chance.random() < 0.5:
        added: list[dict[str, Any]] = run.setdefault("players", [])
        by_name = {added_player["name"]: added_player for added_player in added}
        for player in hand["players"]:
            if not is_out(player) and chance.random() < 0.7:
                added_player = by_name.get(player["name"])
                if added_player is None:
                    added.append(added_player := {"name": player["name"]})
                added_player["declared"] = chance.choice(form["declarations"])
    if form["tiebreak"] and chance.random() < 0.5:
        deck = list(form["deck"])
        chance.shuffle(deck)
        names = [player["name"] for player in hand["players"]]
        run["tiebreaks"] = [{name: [deck.pop() for _ in range(form["tiebreak"])] for name in names}]
