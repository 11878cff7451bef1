#!/usr/bin/env python3
"""Writes docs/demo.png: a question on the page of `structhash demo`, with its nearest by floats and by codes.

    build/venv/bin/python scripts/demo_picture.py demo-report.html

Needs the packages of the tests of the page; ./test.sh installs them."""

import argparse
import pathlib

import report_browser
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs/demo.png")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = report_browser.launch(playwright)
        page = browser.new_context(viewport={"width": 840, "height": 1600}, offline=True).new_page()
        page.goto(arguments.page.resolve().as_uri())
        report_browser.wait_until_drawn(page)
        page.click("#tab-texts")
        page.locator("#panel-texts .part").screenshot(path=arguments.out)
        browser.close()


if __name__ == "__main__":
    main()
