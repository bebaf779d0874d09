"""The hand that is being dealt: named once, seen by every phone, told by whoever knows it.

Nothing here moves a chip: a deal ends as a hand (`recording`), under the same id, or is dropped.
"""
