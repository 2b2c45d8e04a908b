"""Random histories of reviews, as PyPI's `fsrs` schedules them.

Usage: histories.py COUNT SEED

Prints a line of JSON for each history: a list of reviews [seconds since 1970, rating, phase, stability, difficulty, step, due].
"""
import json
import random
import sys
from datetime import datetime, timedelta, timezone

from fsrs import Card, Rating, Scheduler

PHASES = {1: "learning", 2: "review", 3: "relearning"}


def history(chance, scheduler):
    card = Card(card_id=1)
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    reviews = []
    for _ in range(chance.randint(1, 25)):
        # Within minutes, within a day, on the day when it is due, or at any time.
        kind = chance.random()
        if kind < 0.25:
            now += timedelta(seconds=chance.randint(1, 3_600))
        elif kind < 0.4:
            now += timedelta(seconds=chance.randint(3_600, 100_000))
        elif kind < 0.8:
            now = max(now, card.due) + timedelta(seconds=chance.randint(0, 50_000))
        else:
            now += timedelta(days=chance.randint(1, 700), seconds=chance.randint(0, 86_399))
        rating = Rating(chance.choices([1, 2, 3, 4], [3, 1, 7, 1])[0])
        card, _ = scheduler.review_card(card, rating, now)
        reviews.append([
            int(now.timestamp()), int(rating), PHASES[int(card.state)], card.stability, card.difficulty, card.step or 0,
            int(card.due.timestamp()),
        ])
    return reviews


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    scheduler = Scheduler(enable_fuzzing=False)
    for _ in range(count):
        print(json.dumps(history(chance, scheduler)))


if __name__ == "__main__":
    main()
