"""The hand that is being dealt: its game, players, declarations and shown cards.

Every phone shows the open deal. This package does not move chips. A deal ends when a hand with the
same id is recorded or the deal is dropped.
"""
