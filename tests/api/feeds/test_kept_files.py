"""Files cached for later range requests. A file is closed when its last reader is done."""

from api.feeds.exports import MOST_FILES, CachedFile, FileCache


def made(size: int = 1) -> CachedFile:
    return CachedFile(lambda file: file.write(b"x" * size))


def test_cached_file_is_closed_when_its_last_reader_finishes() -> None:
    files, held = FileCache(), made()
    file = held.file
    files.keep("first", held)
    for number in range(MOST_FILES):
        files.keep(str(number), made())
    assert files.find("first") is None
    assert held.read(0, 5) == b"x"
    del held
    assert file.closed


def test_most_recently_used_files_stay_cached() -> None:
    files = FileCache()
    for number in range(MOST_FILES):
        files.keep(str(number), made())
    assert files.find("0")
    files.keep("new", made())
    assert files.find("0")
    assert files.find("1") is None
