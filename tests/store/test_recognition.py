"""Under which numbers papers are filed."""

from bot.store import recognition


async def test_what_is_filed_is_found_by_the_most_numbers_in_common_first(database):
    await database.write(lambda c: recognition.file_under(c, [(1, 1), (2**32 - 1, 1)]))
    await database.write(lambda c: recognition.file_under(c, [(1, 2), (2, 2), (2**32 - 1, 2), (2, 2)]))

    assert await database.read(lambda c: recognition.filed_under(c, [1, 2, 2**32 - 1])) == [2, 1]
    assert await database.read(lambda c: recognition.filed_under(c, [3])) == []
    assert await database.read(lambda c: recognition.taken_bands(c, [3, 2, 1])) == {1, 2}


async def test_papers_can_be_filed_anew(database):
    await database.write(lambda c: recognition.file_under(c, [(1, 1)]))
    await database.write(recognition.forget_bands)

    assert await database.read(lambda c: recognition.filed_under(c, [1])) == []
