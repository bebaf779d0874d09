"""A log and a ledger in PokerNow's format."""

from collections.abc import Iterable

from rules.formats.pokernow.log import Log, iter_log


def read_log(text: str, amounts: str, hero: str = "") -> Log:
    log = Log()
    log.hands += iter_log(text, amounts, hero, log)
    return log


def log_of(lines: Iterable[str], *, date: str = "2026-02-13") -> str:
    """Return a log of these lines (oldest first) as PokerNow exports it, newest first."""
    rows = []
    for place, line in enumerate(lines):
        quoted = line.replace('"', '""')
        clock = f"{18 + place // 3600:02}:{place // 60 % 60:02}:{place % 60:02}"
        rows.append(f'"{quoted}",{date}T{clock}.000Z,{1771000000000 + place}')
    return "\r\n".join(["entry,at,order", *reversed(rows), ""])


ALICE, BOB, CAROL = '""Al @ aaa111""', '""Bob @ home @ bbb222""', '""Al @ ccc333""'
LOG = f"""entry,at,order
"-- ending hand #7 --",t,16
"{BOB} collected 61 from pot",t,15
"Uncalled bet of 30 returned to {BOB}",t,14
"{CAROL} folds",t,13
"{BOB} bets 30",t,12
"Flop:  [K♥, 7♦, 10♠]",t,11
"{BOB} calls 30",t,10
"{ALICE} folds",t,9
"{CAROL} raises to 30",t,8
"{BOB} posts a big blind of 2",t,7
"{ALICE} posts a small blind of 1",t,6
"Your hand is A♥, K♦",t,5
"Player stacks: #1 {ALICE} (100) | #4 {BOB} (200) | #6 {CAROL} (60)",t,4
"-- starting hand #7 (id: x1)  No Limit Texas Hold'em (dealer: {CAROL}) --",t,3
"the lights went out",t,2
"The player {ALICE} joined the game with a stack of 100.",t,1
"""
LEDGER = """player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net
"Al, Jr.",aaa111,2024-01-01T10:00:00Z,,2000,,2500,500
Bob,bbb222,2024-01-01T10:00:00Z,2024-01-01T11:00:00Z,1000,0,0,-1000
Bobby,bbb222,2024-01-01T11:00:00Z,,1000,,1500,500
nobody,,,,x,,,
"""
