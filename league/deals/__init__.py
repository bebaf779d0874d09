"""The hand that is being dealt: its game, shown on every phone, and what phones enter for it.

Nothing here moves chips. A deal ends as a recorded hand with the same id, or is dropped.
"""
