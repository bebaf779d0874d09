"""docs/dashboard, built with the commands in docs/cookbook.md, shows the ledger's figures."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.closing.standings import standings
from league.models import CallTally, HandFact, League
from league.stats.figures.players import luck, players
from league.stats.scopes import of_all_time
from tests.helpers.api.sample_league import link_to
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.palette import with_palette
from tests.helpers.config.commands import ROOT, plain_commands
from tests.helpers.league.demo_season import MISTAKES, a_demo_season

COMMANDS = [command for page, command in plain_commands() if "docs/dashboard" in command]
GUARD = Path(__file__).with_name("loopback_only.cjs")
MADE = shutil.ignore_patterns("node_modules", "dist", ".observablehq")
SIZES = {360: 740, 1280: 900}
LARGEST = 100_000


def run(command: str, folder: Path, **variables: str) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def built(league: League, server: str, key: str, folder: Path) -> str:
    """Build a league's page as in docs/cookbook.md. Return the command that serves it.

    `npm ci` may access the npm registry. The build itself accesses only the league.
    """
    shutil.copytree(ROOT / "docs" / "dashboard", folder / "docs" / "dashboard", ignore=MADE)
    install, build, serve = COMMANDS
    run(install, folder)
    command = build.replace("https://league.example", server)
    command = command.replace("=ID", f"={league.pk}").replace("=KEY", f"={key}")
    quiet = {"NO_COLOR": "1", "npm_config_update_notifier": "false"}
    output = run(command, folder, NODE_OPTIONS=f"--require {GUARD}", **quiet)
    assert not re.search("warn|error", output, re.IGNORECASE), output
    return serve


@contextmanager
def served(command: str, folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = command.replace("8080", port).split()
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL) as process:
        try:
            address = f"http://127.0.0.1:{port}/"
            _answers(address)
            yield address
        finally:
            process.terminate()


def _answers(address: str, *, within: float = 20) -> None:
    deadline = time.monotonic() + within
    while True:
        try:
            urlopen(address).close()  # noqa: S310 (our own)
        except OSError:
            assert time.monotonic() < deadline, "it does not answer"
            time.sleep(0.1)
        else:
            return


def marks(page: Page, picture: str, reads: str) -> list[tuple[str, ...]]:
    """Return the values in the labels of a chart's marks."""
    labels = page.locator(f"#{picture} svg [data-label]").evaluate_all(
        "all => all.map(each => each.dataset.label)"
    )
    return [match.groups() for each in labels if (match := re.fullmatch(reads, each))]


def same_as_the_books(page: Page, league: League) -> None:
    """Check that the charts' totals match the season table and the stats."""
    nets: dict[str, int] = {}
    for name, _, net in marks(page, "net", r"(.+), night (\d+): (-?\d+)"):
        nets[name] = nets.get(name, 0) + int(net)
    [season] = league.seasons.all()
    assert nets == {line.name: line.net for line in standings(season) if line.nights}
    cells = marks(page, "matrix", r"(.+), (.+): (-?\d+)")
    assert len({game for game, _, _ in cells}) == 12
    for game, name, net in cells:
        own = CallTally.objects.filter(game=game, dealer__name=name, player__name=name)
        assert int(net) == sum(line.net for line in own)
    points = marks(page, "luck", r"(.+): luck (.+), margin (.+), net (-?\d+)")
    won = {line.player: line.net for line in players(of_all_time(league))}
    ran = {line.name: line for line in luck(of_all_time(league))}
    assert {name for name, *_ in points} == ran.keys()
    for name, lucky, margin, net in points:
        assert float(lucky) == pytest.approx(ran[name].luck, abs=0.001)
        assert float(margin) == pytest.approx(ran[name].margin, abs=0.001)
        assert int(net) == won[ran[name].player]
    hands = HandFact.objects.filter(league=league, voided=False)
    bars = marks(page, "hours", r"hour (\d+): (\d+) of (\d+)")
    assert sum(int(wrong) for _, wrong, _ in bars) == MISTAKES
    for hour, wrong, whole in bars:
        of_hour = hands.filter(hour=int(hour) - 1)
        assert (of_hour.filter(mistaken=True).count(), of_hour.count()) == (int(wrong), int(whole))


def nothing_of_a_hand_is_in(folder: Path, key: str, league: League) -> None:
    """Check that the public files contain no hands."""
    built = [path for path in folder.rglob("*") if path.is_file()]
    text = "".join(path.read_text("utf-8") for path in built)
    secret = [key, *(str(player.pk) for player in league.players.all())]
    secret += [str(fact.hand_id) for fact in HandFact.objects.filter(league=league)]
    assert [value for value in secret if value in text] == []


@dataclass
class PageLog:
    """A page's requests and console messages."""

    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda told: self.said.append(told.text))
        page.on("pageerror", lambda told: self.said.append(str(told)))


def opened(browser: Browser, address: str, log: PageLog, width: int, scheme: Any) -> Page:
    viewport: Any = {"width": width, "height": SIZES[width]}
    page = browser.new_page(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    log.listen(page)
    page.goto(address)
    expect(page.locator("section svg[role=img]")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    return page


def take_screenshot(page: Page, scheme: str, width: int) -> None:
    """Take a screenshot, and store it for the documentation under `make pictures`."""
    shot = page.screenshot(full_page=True)
    if look := os.environ.get("LOOK"):
        (Path(look) / f"dashboard-{width}-{scheme}.png").write_bytes(shot)
    if (width, scheme) == (1280, "light"):
        small = with_palette(page, shot)
        assert len(small) < LARGEST
        if pictures := os.environ.get("PICTURES"):
            (Path(pictures) / "dashboard.png").write_bytes(small)


def one_player_is_picked_out(page: Page) -> None:
    """Check that all other players' bars are faint."""
    page.get_by_role("button", name="Bob", exact=True).click()
    expect(page.get_by_role("button", name="Everybody")).to_have_attribute("aria-pressed", "false")
    faint = page.locator("#net svg [data-label*=', night '][fill-opacity='0.18']")
    expect(faint.first).to_be_attached()
    labels = faint.evaluate_all("all => all.map(each => each.dataset.label.split(',')[0])")
    everybody = {name for name, *_ in marks(page, "net", r"(.+), night (\d+): (-?\d+)")}
    assert set(labels) == everybody - {"Bob"}


@pytest.mark.django_db(transaction=True)
def test_dashboard_draws_ledger_figures_without_external_requests(
    live_server: LiveServer, browser: Browser, tmp_path: Path
) -> None:
    """Covers a phone and a desktop, light and dark, with axe's accessibility rules."""
    league, log = a_demo_season(), PageLog()
    key = link_to(league)
    serve = built(league, live_server.url, key, tmp_path)
    nothing_of_a_hand_is_in(tmp_path / "docs" / "dashboard" / "dist", key, league)
    with served(serve, tmp_path) as address:
        for width, scheme in product(SIZES, ("light", "dark")):
            page = opened(browser, address, log, width, scheme)
            same_as_the_books(page, league)
            take_screenshot(page, scheme, width)
            one_player_is_picked_out(page)
            assert hard_to_use(page) == []
            page.close()
    elsewhere = [each for each in log.asked if not each.startswith((address, "data:"))]
    assert (elsewhere, log.said) == ([], [])
