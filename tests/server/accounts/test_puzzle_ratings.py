"""How people and positions are rated by the answers of the first to the second."""

import pytest

from conftest import unwrap
from okey101.review.puzzles import ASKED, Rating, puzzle, puzzles_about, rated
from okey101.server.people.models import AnswerRow
from okey101.server.people.service import Accounts
from server.accounts.people import DAY, PASSWORD, Clock, account

THREE = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]


def test_the_example_of_the_paper_comes_out() -> None:
    """Glickman's, of whom it rounds what stands between: 1464.06, 151.52, 0.05999."""
    new = rated(Rating(1500, 200, 0.06), THREE)
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.005)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_surprises_is_less_sure_to_stay_as_before() -> None:
    """Where the difference is larger than was to be expected the volatility grows."""
    new = rated(Rating(1500, 30), [(Rating(2400, 30), 1.0)] * 5)
    assert new.volatility > 0.06
    assert 1500 < new.rating < 2400


def test_a_position_that_more_bots_find_begins_lower() -> None:
    starts = {puzzle(number).found: puzzle(number).start for number in puzzles_about()}
    ratings = [starts[found].rating for found in sorted(starts)]
    assert ratings == sorted(ratings, reverse=True)
    assert (min(starts), max(starts)) == (0, len(ASKED) - 1)
    assert all(start.provisional for start in starts.values())
    keys = {puzzle(number).key for number in puzzles_about()}
    assert len(keys) == len(puzzles_about())


async def answers(accounts: Accounts) -> int:
    return await accounts._run(lambda db: db.query(AnswerRow).count())


async def test_the_first_answer_is_rated_for_both(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    other, _ = await account(accounts, "Veli")
    one, start = puzzle(1), puzzle(1).start
    first = await accounts.answer(user, one, right=True)
    assert first == (rated(Rating(), [(start, 1)]), rated(start, [(Rating(), 0)]))
    assert await accounts.answer(user, one, right=False) == first
    second = await accounts.answer(other, one, right=False)
    assert second[0].rating < 1500 < first[0].rating
    assert second[1].rating > first[1].rating
    after = await accounts.answer(user, puzzle(2), right=False)
    assert after[0] == rated(first[0], [(puzzle(2).start, 0)])


async def test_twenty_five_answers_are_enough_to_say_a_rating(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    found = [(await accounts.answer(user, puzzle(n), right=n % 3 > 0))[0] for n in range(1, 31)]
    assert [one.provisional for one in found] == sorted(one.provisional for one in found)[::-1]
    assert found[9].provisional
    assert not found[-1].provisional


async def test_an_account_takes_over_what_it_has_not_answered_itself(
    accounts: Accounts, clock: Clock
) -> None:
    """As if the person had answered all of it in that order."""
    user, _ = await account(accounts, "Ali")
    guest, token = await accounts.guest("Misafir")
    ratings = list[tuple[Rating, Rating]]()
    for who, number, right in ((guest.id, 1, True), (user, 2, True), (guest.id, 2, False)):
        clock.now += 1
        ratings.append(await accounts.answer(who, puzzle(number), right=right))
    await accounts.login("Ali", PASSWORD, guest=unwrap(await accounts.session(token)))
    merged = await accounts.answer(user, puzzle(2), right=False)
    met = [puzzle(1).start, puzzle(2).start]
    assert merged[0] == rated(rated(Rating(), [(met[0], 1)]), [(met[1], 1)])
    assert merged[1] == ratings[-1][1], "what others did to it stays"
    assert await answers(accounts) == 2


async def test_answers_go_with_the_person(accounts: Accounts, clock: Clock) -> None:
    user, _ = await account(accounts, "Ali")
    guest, _ = await accounts.guest("Misafir")
    for one in (user, guest.id):
        after = await accounts.answer(one, puzzle(1), right=True)
    await accounts.delete(user)
    assert await answers(accounts) == 1
    clock.now += 181 * DAY
    await accounts.prune()
    assert await answers(accounts) == 0
    fresh, _ = await accounts.guest("Taze")
    again = await accounts.answer(fresh.id, puzzle(1), right=True)
    assert again[0] == rated(Rating(), [(after[1], 1)])
