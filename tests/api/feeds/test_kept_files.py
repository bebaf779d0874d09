"""Files that are kept for the next part: each is closed when nobody holds it any more."""

from api.feeds.files.kept_files import MOST_FILES, KeptFile, KeptFiles


def made(size: int = 1) -> KeptFile:
    return KeptFile(lambda file: file.write(b"x" * size))


def test_a_file_is_closed_with_the_last_who_holds_it() -> None:
    kept, held = KeptFiles(), made()
    file = held.file
    kept.keep("first", held)
    for number in range(MOST_FILES):
        kept.keep(str(number), made())
    assert kept.find("first") is None
    assert held.read(0, 5) == b"x"
    del held
    assert file.closed


def test_the_latest_that_were_asked_for_stay() -> None:
    kept = KeptFiles()
    for number in range(MOST_FILES):
        kept.keep(str(number), made())
    assert kept.find("0")
    kept.keep("new", made())
    assert kept.find("0")
    assert kept.find("1") is None
