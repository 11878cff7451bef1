"""Opens report pages in headless Chromium: what the tests of the page and the pictures of it share."""

import shutil

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NO_CHROMIUM = "there is no chromium: scripts/install_packages.sh browser"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--no-first-run"]


def launch(playwright):
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


def wait_until_drawn(page):
    """Returns when every chart is drawn."""
    page.wait_for_function("document.documentElement.dataset.drawn === 'yes'", timeout=60_000)
