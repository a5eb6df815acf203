"""The record of a match: its form, replay and score sheet, and the proof of its deals."""
