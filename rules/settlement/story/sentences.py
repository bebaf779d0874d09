"""Build a reason's sentence from its facts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.cards import sign
from rules.settlement.story.words import (
    RANK_WORDS,
    ahead,
    also_over,
    bar_words,
    chips,
    count,
    hand_words,
    listed,
    not_won,
    pot_words,
    share_word,
    the_card,
    the_share,
    whose_hand,
    with_hand,
)

Reason = Mapping[str, Any]
# why a player is out of the hand; `{1}` is `is` or `are`
OUT = {"folded": "{0} folded", "mucked": "{0} mucked", "killed": "{0} {1} killed"}


def sentence(reason: Reason) -> str:
    """Return a reason as a sentence in plain English."""
    text = SENTENCES[reason["code"]](reason)
    return f"Run {reason['run']}: {text}" if "run" in reason else text


# --- pots and shares ----------------------------------------------------------------------------


def _what(reason: Reason) -> str:
    """Describe a pot or share: `the pot (20)`, `the high (28)` or `the low of side pot 1 (8)`.

    If the cards were dealt several times, each run has a part of each pot.
    """
    pot = pot_words(reason["pot"])
    if "run" in reason:
        pot = f"this run's part of {pot}"
    amount = f" ({reason['amount']:,})"
    if "share" not in reason:
        return pot + amount
    share = the_share(reason["share"])
    return share + (amount if reason["pot"]["kind"] == "only" else f" of {pot}{amount}")


def _beside(reason: Reason) -> str:
    what, winners = _what(reason), reason["winners"]
    amounts = [f"{name} {won:,}" for name, won in winners.items()]
    parts = f": {listed(amounts)}" if len(winners) > 1 else ""
    beside = f"to the {reason['side']} of {listed(reason['players'])}"
    return f"{what[:1].upper()}{what[1:]} goes to {listed(list(winners))}, {beside}{parts}."


def _wins(reason: Reason) -> str:
    winner = next(iter(reason["winners"]))
    why = f"{with_hand(reason)}{ahead(reason)}{_broken(reason)}{also_over(reason)}"
    return f"{winner} wins {_what(reason)}{why}."


def _ties(reason: Reason) -> str:
    winners = reason["winners"]
    amounts = [f"{name} {won:,}" for name, won in winners.items()]
    even = len(set(winners.values())) == 1
    parts = f"{next(iter(winners.values())):,} each" if even else listed(amounts)
    split = f"{listed(list(winners))} split {_what(reason)}{with_hand(reason)}"
    if kickers := reason.get("kickers"):
        ranks = listed([RANK_WORDS[rank] for rank in kickers["ranks"]])
        split += f", and the {ranks} on the board" if kickers["on_board"] else f", and {ranks}"
    return f"{split}{_broken(reason)}: {parts}{_odd(reason)}{also_over(reason)}."


def _broken(reason: Reason) -> str:
    broken = reason.get("broken")
    if broken is None:
        return ""
    match broken["by"]:
        case "first":
            return ", the first of equal hands to stand"
        case "suit":
            return f", by {_higher(broken)}"
        case "natural":
            wild, winners = broken["wild"], reason["winners"]
            fewest = next(wild[name] for name in winners)
            others = [f"{name}'s has {count(wild[name])}" for name in wild if name not in winners]
            cards = f"{count(fewest)} wild card{'' if fewest == 1 else 's'}"
            return f", with {cards}, {listed(others)}"
        case "nothing":
            return ", as no hand was dealt to break the tie"
    dealt = ", by the hand dealt to break the tie"
    made = broken.get("hand")
    return f"{dealt} ({hand_words(made)}{ahead(broken)})" if made else dealt


def _higher(facts: Reason) -> str:
    """Return the deciding cards of tied hands: `the ace of spades over the ace of hearts`.

    If the lowest card decides, `under` replaces `over`.
    """
    decides = facts["decided_by"]
    other = "no card" if decides["over"] is None else the_card(decides["over"])
    return f"{the_card(decides['by'])} {'under' if facts['by'] == 'low-card' else 'over'} {other}"


def _odd(reason: Reason) -> str:
    odd = reason.get("odd")
    if odd is None:
        return ""
    lucky = odd["players"]
    what = "the odd chip" if len(lucky) == 1 else "the odd chips"
    if odd["by"] == "seat":
        return f", {what} to {listed(lucky)}, nearest the dealer's {odd['side']}"
    rest = odd.get("then", {"players": []})
    higher = listed([name for name in lucky if name not in rest["players"]])
    by_card = f", {what} to {higher} by {_higher(odd)}"
    if not rest["players"]:
        return by_card
    return f"{by_card} and to {listed(rest['players'])}, nearest the dealer's {rest['side']}"


def _share_unwon(reason: Reason) -> str:
    share = reason["share"]
    match reason["why"]:
        case "nobody-declared":
            nobody = f"declared {share_word(share)}"
        case "nobody-qualifies":
            nobody = f"has {bar_words(reason['needed'][0])}"
        case _:
            nobody = not_won(reason) or f"wins {the_share(share)}"
    what = f"{_nobody(reason['pot'])} {nobody}"
    if reason["why"] == "nobody-declared" and reason["players"]:
        place = "" if reason["pot"]["kind"] == "only" else f" in {pot_words(reason['pot'])}"
        what = f"Nobody who declared {share_word(share)} is left{place}"
    if reason["why"] == "lost-both":
        what = _lost_both(reason, f"the best {share_word(share)}")
    others = listed([the_share(other) for other in reason["others"]])
    takes = "takes" if len(reason["others"]) == 1 else "take"
    pot = reason["pot"]
    whole = "all of them" if pot.get("count", 1) > 1 else "all of it"
    whole = "the whole pot" if pot["kind"] == "only" else whole
    return f"{what}, so {others} {takes} {whole}."


def _lost_both(reason: Reason, hands: str) -> str:
    """Return which players have these hands even though they failed to win both ways."""
    players = reason["players"]
    have, are = ("has", "is") if len(players) == 1 else ("have", "are")
    pot = "" if reason["pot"]["kind"] == "only" else f" in {pot_words(reason['pot'])}"
    return f"{listed(players)} {have} {hands}{pot} but {are} out of both"


def _nobody(pot: Reason) -> str:
    return "Nobody" if pot["kind"] == "only" else f"Nobody in {pot_words(pot)}"


# --- pots that are not contested ----------------------------------------------------------------


def _last_left(reason: Reason) -> str:
    takes = f"{reason['player']} takes {pot_words(reason['pot'])} ({reason['amount']:,})"
    out = reason["out"]
    if not out:
        return f"{takes}."
    ways: dict[str, list[str]] = {}
    for entry in out:
        ways.setdefault(entry["why"], []).append(entry["player"])
    if [*ways] == ["folded"]:
        who = f"{out[0]['player']} folded" if len(out) == 1 else "Everyone else folded"
        return f"{who}: {takes}."
    folded = {"folded": "all others folded"} if len(ways.get("folded", ())) > 1 else {}
    sentences = [
        folded.get(why)
        or OUT[why].format(listed(ways[why]), "is" if len(ways[why]) == 1 else "are")
        for why in sorted(ways, reverse=True)
    ]
    return f"{listed(sentences)}: {takes}."


def _only_player(reason: Reason) -> str:
    them = "them" if reason["pot"].get("count", 1) > 1 else "it"
    what = f"{pot_words(reason['pot'])} ({reason['amount']:,})"
    return f"Only {reason['player']} can win {what}, and takes {them}."


def _carried(reason: Reason) -> str:
    pot, amount = reason["pot"], reason["amount"]
    stay = f"{chips(amount)} {'stays' if amount == 1 else 'stay'} for the next hand"
    groups = [each["for"] for each in reason["stays"]]
    if len(groups) > 1:
        stay += ", each pot for its own players"
    elif not reason["everybody"]:
        stay += f", for {listed(groups[0])}"
    stay += _dealt_again(reason)
    if reason["why"] == "nobody-left":
        return f"No player left can win {pot_words(pot)}: {stay}."
    if reason["why"] == "deal-ended":
        what = pot_words(pot)
        return f"{what[:1].upper()}{what[1:]} is not won: {stay}."
    if reason["why"] == "lost-both":
        hands = "the best hand" if len(reason["players"]) == 1 else "the best hands"
        return f"{_lost_both(reason, hands)}: {stay}."
    if not reason["needed"]:
        joins = ", so" if "best" in reason else ":"
        return f"{_nobody(pot)} {not_won(reason) or 'wins anything'}{joins} {stay}."
    several = len(reason["needed"]) > 1
    needed = [
        bar_words(bar) + (f" for {the_share(bar['share'])}" if several else "")
        for bar in reason["needed"]
    ]
    return f"{_nobody(pot)} has {' or '.join(needed)}: {stay}."


def _dealt_again(reason: Reason) -> str:
    return f", and {reason['dealer']} deals the same game again" if "dealer" in reason else ""


def _split_unwon(reason: Reason) -> str:
    amounts = [f"{name} {won:,}" for name, won in reason["winners"].items()]
    nobody = _nobody(reason["pot"])
    return f"{nobody} won a share, so those in it split {reason['amount']:,}: {listed(amounts)}."


# --- before the pots ----------------------------------------------------------------------------


def _before_pots(reason: Reason) -> str:
    """Return the sentence for uncalled chips, or for a card that kills a hand or ends the deal."""
    name = reason["player"]
    match reason["code"]:
        case "returned":
            chips = "chip" if reason["amount"] == 1 else "chips"
            return f"{name} takes back {reason['amount']:,} uncalled {chips}."
        case "killed":
            verb = "turned" if reason["turned"] else "held"
            return f"{name} {verb} {the_card(reason['card'])}, which kills the hand."
    return f"{name} was dealt {the_card(reason['card'])} up, which ends the deal for all."


def _out(reason: Reason) -> str:
    name, share = reason["player"], reason["share"]
    out = f"so {name} is out of both"
    if keeps := reason.get("keeps"):
        shares = listed([the_share(share) for share in keeps])
        out = f"but keeps {shares}, because all best hands went both ways and failed"
    if reason["why"] == "not-qualified":
        return f"{name} declared both ways and has no {share_word(share)} that qualifies, {out}."
    lost = "lost" if reason["why"] == "beaten" else "only tied"
    to = "to" if reason["why"] == "beaten" else "with"
    rival = whose_hand(reason["rival"])
    return f"{name} declared both ways and {lost} {the_share(share)} {to} {rival}, {out}."


def _all_over(reason: Reason) -> str:
    players: Sequence[str] = reason["players"]
    number = reason["number"]
    points = [f"{total:,}" for total in reason.get("over", {}).values()]
    count_of_each = f", with {listed(points)}" if points else ""
    if len(players) == 1:
        return f"{players[0]} is over {number}{count_of_each}."
    all_of_them = "both" if len(players) == 2 else "all"
    return f"{listed(players)} are {all_of_them} over {number}{count_of_each}."


# --- matches, dues, the bank, recorded results ----------------------------------------------------


def _match_deal(reason: Reason) -> str:
    """Return the sentence for a deal of a match: its best hand, a lost life, and the pot."""
    match reason["code"]:
        case "best-hand":
            has = "has" if len(reason["players"]) == 1 else "tie for"
            share = share_word(reason["share"]) if "share" in reason else "hand"
            best = f"the best {share}{with_hand(reason)}{ahead(reason)}{also_over(reason)}"
            return f"{listed(reason['players'])} {has} {best}."
        case "loses-life":
            left = f"has {reason['lives']} left" if reason["lives"] else "is out of the match"
            return f"{reason['player']} loses a life and {left}."
        case "stays-in-match":
            stay = "stays" if reason["amount"] == 1 else "stay"
            again = _dealt_again(reason)
            return f"{chips(reason['amount'])} {stay} until the match is won{again}."
    names, pot = list(reason["winners"]), f"the pot ({reason['amount']:,})"
    if len(names) > 1:
        return f"{listed(names)} lose their last lives together and split {pot}."
    return f"{names[0]} wins the match and takes {pot}."


def _loser_pays(reason: Reason) -> str:
    little = reason.get("why") == "under-half"
    lost = "won less than half of the pot" if little else "stayed in and lost"
    amount = chips(reason["amount"])
    if reason["code"] == "matches-pot":
        paid = f"puts in {amount} for the next hand"
    else:
        paid = f"pays {listed(list(reason['winners']))} {amount}"
    return f"{reason['player']} {lost}, and {paid}."


def _bank(reason: Reason) -> str:
    """Return the sentence for chips that move between a player, the pot and the bank."""
    if reason["code"] == "puts-and-takes":
        put = [f"puts in {reason['put']:,}"] if reason["put"] else []
        take = [f"takes {reason['take']:,}"] if reason["take"] else []
        return f"{reason['player']} {' and '.join(put + take)}."
    amount, single = reason["amount"], reason["amount"] == 1
    match reason["code"]:
        case "bank-pays":
            was = "was" if reason["take"] == 1 else "were"
            held = f"The pot held {chips(reason['held'])} and {reason['take']:,} {was} taken"
            return f"{held}: {reason['player']}, the bank, pays the missing {amount:,}."
        case "left-to-bank":
            goes = "is left over and goes" if single else "are left over and go"
            return f"{chips(amount)} {goes} to {reason['player']}, the bank."
    stays = "is left over and stays" if single else "are left over and stay"
    return f"{chips(amount)} {stays} in the pot."


def _table_says(reason: Reason) -> str:
    winners = [f"{name} {won:,}" for name, won in reason["winners"].items()]
    recorded = listed(winners) or "no player won anything"
    return f"Recorded at the table: {recorded}. The result isn't checked."


# --- bets against the pot -----------------------------------------------------------------------


def _puts_in_pot(reason: Reason) -> str:
    players = reason["players"]
    puts, each = ("puts", "") if len(players) == 1 else ("put", " each")
    return f"{listed(players)} {puts} {chips(reason['amount'])}{each} into the pot."


def _turn(reason: Reason) -> str:
    """Return the sentence for a bet against the pot: the cards that decide, and the chips."""
    name, card, won = reason["player"], sign(reason["card"]), reason["code"] == "beats-pot"
    posts = listed([sign(post) for post in reason.get("posts", ())])
    met = [post for post in reason.get("posts", ()) if post[:-1] == reason["card"][:-1]]
    if "posts" not in reason and won:
        why = f"{name}'s {sign(reason['shown'])} is higher than the {card} turned up"
    elif "posts" not in reason:
        why = f"{name} has nothing higher than the {card} turned up, of its suit"
    elif met and not won:
        which = "one of the posts" if len(met) == 1 else "both posts"
        why = f"{name}'s {card} meets {which}, {posts}"
    elif "called" in reason:
        side = {"high": "higher", "low": "lower"}[reason["called"]]
        than = f"{side} than the pair {posts}"
        why = f"{name}'s {card} is {than}, as called" if won else f"{name}'s {card} is not {than}"
    else:
        lies = "lies between" if won else "does not lie between"
        low_ace = ", the ace called low" if "ace" in reason else ""
        why = f"{name}'s {card} {lies} {posts}{low_ace}"
    amount, left = chips(reason["amount"]), reason["pot_left"]
    pot = f"the pot, which holds {left:,}" if left else "the pot and empties it"
    return f"{why}: {name} {f'takes {amount} from' if won else f'puts {amount} into'} {pot}."


def _no_bets(reason: Reason) -> str:
    returned = reason["returned"]
    if not returned:
        return "Nobody put in anything."
    amounts = {*returned.values()}
    go = "goes" if amounts == {1} else "go"
    suffix = " each" if len(returned) > 1 else ""
    if len(amounts) == 1:
        back = f"{chips(amounts.pop())} {go} back to {listed([*returned])}{suffix}"
    else:
        back = f"all go back, {listed([f'{n:,} to {name}' for name, n in returned.items()])}"
    return f"The pot is empty: nothing can be bet, {back}."


TIMES = {2: "twice", 3: "three times", 4: "four times"}


def _runs(reason: Reason) -> str:
    text = f"Run {TIMES[reason['number']]}"
    boards = [" ".join(map(sign, cards)) for cards in reason.get("boards", ())]
    return f"{text}: {', then '.join(boards)}." if boards else f"{text}."


SENTENCES: dict[str, Callable[[Reason], str]] = {
    "returned": _before_pots,
    "runs": _runs,
    "killed": _before_pots,
    "ends-deal": _before_pots,
    "out": _out,
    "all-over": _all_over,
    "wins": _wins,
    "ties": _ties,
    "beside": _beside,
    "share-unwon": _share_unwon,
    "last-left": _last_left,
    "only-player": _only_player,
    "carried": _carried,
    "split-unwon": _split_unwon,
    "stays-in-match": _match_deal,
    "match-won": _match_deal,
    "stayed-alone": "{player} is the only one who stayed in.".format_map,
    "best-hand": _match_deal,
    "earns-leg": "{player} earns a leg and has {legs} of {needed_legs}.".format_map,
    "loses-life": _match_deal,
    "matches-pot": _loser_pays,
    "pays": _loser_pays,
    "puts-and-takes": _bank,
    "bank-pays": _bank,
    "left-in-pot": _bank,
    "left-to-bank": _bank,
    "nothing-matched": "No card matched, so no chips moved.".format_map,
    "table-says": _table_says,
    "puts-in-pot": _puts_in_pot,
    "beats-pot": _turn,
    "loses-to-pot": _turn,
    "no-bets": _no_bets,
}
