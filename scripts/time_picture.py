#!/usr/bin/env python3
"""Writes the chart of quality against training time as a PNG file, from the rows of an experiment.

Run: build/venv/bin/python scripts/time_picture.py results.jsonl
     build/venv/bin/python scripts/time_picture.py results.jsonl --dataset mnist --bits 64 --out mnist.png

Needs the command, built with the chart library (scripts/fetch_charts.sh), Chromium
(scripts/install_packages.sh browser) and Python with Playwright (./test.sh makes build/venv).
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import report_browser

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARGIN = 12  # pixels around the chart


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, help="rows of `structhash experiment` (.jsonl)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "quality-time.png",
                        help="default: docs/quality-time.png")
    parser.add_argument("--dataset", help="default: the first one of the rows")
    parser.add_argument("--bits", help="default: the longest codes")
    parser.add_argument("--measure", default="map", help="default: map")
    parser.add_argument("--all", action="store_true", help="all methods, not only those that the page shows at first")
    parser.add_argument("--width", type=int, default=860,
                        help="width of the page in CSS pixels; a picture has two pixels for each (default 860)")
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build" / "release" / "bin" / "structhash")
    return parser.parse_args()


def choose(page, name, value):
    """Picks `value` in one of the lists above the charts."""
    offered = page.locator(f"#choose-{name} option").all_text_contents()
    if value not in offered:
        sys.exit(f"the rows have no {name} {value}; they have {', '.join(offered)}")
    page.select_option(f"#choose-{name}", value)


def chart_of(page, dataset):
    """The chart of a data set; without a name the first one."""
    heads = page.locator("#panel-time h2").all_text_contents()
    names = [head.rpartition(", ")[0] for head in heads]
    if dataset and dataset not in names:
        sys.exit(f"the rows have no data set {dataset}; they have {', '.join(names)}")
    part = page.locator("#panel-time .part").nth(names.index(dataset) if dataset else 0)
    if part.locator(".chart").count() == 0:
        sys.exit(part.locator(".none").text_content())
    return part.locator(".chart")


def draw(page, wanted):
    page.click("#tab-time")
    choose(page, "measure", wanted.measure)
    if wanted.bits:
        choose(page, "bits", wanted.bits)
    if wanted.all:
        page.get_by_role("button", name="All").click()
    report_browser.wait_until_drawn(page)
    chart = chart_of(page, wanted.dataset)
    page.add_style_tag(content="figcaption, .tools { visibility: hidden }")
    page.evaluate("scrollTo(0, 0)")  # the tab bar sticks to the top of the window and could cover the chart
    box = chart.bounding_box()
    page.screenshot(path=wanted.out, full_page=True,
                    clip={"x": box["x"] - MARGIN, "y": box["y"] - MARGIN,
                          "width": box["width"] + 2 * MARGIN, "height": box["height"] + 2 * MARGIN})


def main():
    wanted = arguments()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("there is no Playwright: run this script with build/venv/bin/python, which ./test.sh makes")
    if report_browser.CHROMIUM is None:
        sys.exit(report_browser.NO_CHROMIUM)
    if not wanted.command.exists():
        sys.exit(f"there is no {wanted.command}: build it, or name the command by --command")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = pathlib.Path(folder) / "report.html"
        made = subprocess.run([wanted.command, "report", wanted.results, "--out", file],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            sys.exit(made.stderr.strip())
        browser = report_browser.launch(driver)
        page = browser.new_page(viewport={"width": wanted.width, "height": 900}, device_scale_factor=2,
                                color_scheme=wanted.scheme)
        page.goto(file.as_uri())
        report_browser.wait_until_drawn(page)
        draw(page, wanted)
        browser.close()
    print(f"{wanted.out} shows {wanted.measure} against training time")


if __name__ == "__main__":
    main()
