"""A page made by the real command, and a browser without network to look at it."""

import os
import pathlib
import subprocess
import sys

import pytest

import make_results

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import report_browser


@pytest.fixture(scope="session")
def command():
    return os.environ["STRUCTHASH_COMMAND"]


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    make_results.write(folder)
    return folder


@pytest.fixture(scope="session")
def page_file(command, results):
    page = results / "report.html"
    run = subprocess.run(
        [command, "report", results / "results.jsonl", "--expected", results / "expected.json",
         "--out", page], capture_output=True, text=True)
    if "without the chart library" in run.stderr:
        pytest.skip("the command was built without the chart library: scripts/fetch_charts.sh")
    assert run.returncode == 0, run.stderr
    return page


@pytest.fixture(scope="session")
def plain_page_file(command, tmp_path_factory, page_file):
    """A page of one row without details: most of its parts have nothing to show."""
    folder = tmp_path_factory.mktemp("plain")
    first = (pathlib.Path(page_file).parent / "results.jsonl").read_text().splitlines()[0]
    (folder / "one.jsonl").write_text(first + "\n")
    subprocess.run([command, "report", folder / "one.jsonl", "--out", folder / "one.html"], check=True)
    return folder / "one.html"


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if report_browser.CHROMIUM is None:
        pytest.skip(report_browser.NO_CHROMIUM)
    with playwright.sync_playwright() as driver:
        chromium = report_browser.launch(driver)
        yield chromium
        chromium.close()


class Visit:
    """One page in one window; remembers what the page complained about and asked for."""

    def __init__(self, browser, file, **options):
        self.context = browser.new_context(offline=True, accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(pathlib.Path(file).as_uri())
        self.wait()

    def wait(self):
        report_browser.wait_until_drawn(self.page)

    def close(self):
        self.context.close()


@pytest.fixture
def visit(browser):
    visits = []

    def start(file, **options):
        visits.append(Visit(browser, file, **options))
        return visits[-1]

    yield start
    for one in visits:
        one.close()
