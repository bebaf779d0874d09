"""A PokerStars hand with rake, chat, a new player, a side pot, and a player sitting out."""

ROOM = """\
PokerStars Hand #208958099944:  Hold'em No Limit ($0.25/$0.50 USD) - 2020/02/07 19:15:13 ET
Table 'Aaltje III' 6-max Seat #2 is the button
Seat 1: al ($1,036.50 in chips)
Seat 2: Bo B :D ($50 in chips)
Seat 4: cy ($0.30 in chips)
Seat 5: de ($50 in chips) is sitting out
Seat 6: ed (x) ($51.75 in chips)
cy: posts small blind $0.25
ed (x): posts big blind $0.50
al: posts small & big blinds $0.75
de: is sitting out
*** HOLE CARDS ***
Dealt to al [Ac Kd]
Bo B :D said, "al: folds"
al: checks
Bo B :D: folds
cy: calls $0.05 and is all-in
ed (x): raises $1 to $1.50
al: calls $1
*** FLOP *** [3h Kc Ts]
ed (x): checks
al: bets $2
ed (x) has timed out
ed (x): folds
Uncalled bet ($2) returned to al
*** TURN *** [3h Kc Ts] [Qd]
*** RIVER *** [3h Kc Ts Qd] [2c]
*** SHOW DOWN ***
al: shows [Ac Kd] (a pair of Kings)
al collected $2.30 from side pot
cy: mucks hand
al collected $1.05 from main pot
*** SUMMARY ***
Total pot $3.55 Main pot $1.15. Side pot $2.40. | Rake $0.20
Board [3h Kc Ts Qd 2c]
Seat 1: al showed [Ac Kd] and won ($3.35) with a pair of Kings
Seat 2: Bo B :D (button) folded before Flop (didn't bet)
Seat 4: cy (small blind) mucked [7h 7d]
Seat 6: ed (x) (big blind) folded on the Flop
"""

# The hand in the format of `write_pokerstars`.
HAND = """\
PokerStars Hand #77: Hold'em No Limit (1/2) - 2000/01/01 00:00:00 ET
Table 'Home game' 6-max (Play Money) Seat #3 is the button
Seat 1: ann (100 in chips)
Seat 2: bob (20 in chips)
Seat 3: cat (100 in chips)
ann: posts small blind 1
bob: posts big blind 2
*** HOLE CARDS ***
Dealt to ann [As Ah]
Dealt to bob [Kd Kc]
Dealt to cat [7h 2d]
cat: raises 4 to 6
ann: raises 14 to 20
bob: calls 18 and is all-in
cat: calls 14
*** FLOP *** [Qs 9d 4c]
ann: bets 30
cat: folds
Uncalled bet (30) returned to ann
*** TURN *** [Qs 9d 4c] [5h]
*** RIVER *** [Qs 9d 4c 5h] [Jc]
*** SHOW DOWN ***
ann: shows [As Ah] (pair of aces)
bob: shows [Kd Kc] (pair of kings)
ann collected 60 from pot
*** SUMMARY ***
Total pot 60 | Rake 0
Board [Qs 9d 4c 5h Jc]
Seat 1: ann (small blind) showed [As Ah] and won (60) with pair of aces
Seat 2: bob (big blind) showed [Kd Kc] and lost with pair of kings
Seat 3: cat (button) folded on the Flop
"""
