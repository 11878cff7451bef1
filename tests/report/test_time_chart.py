"""The chart of quality against training time, and its picture for documents."""

import itertools
import pathlib
import struct
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "time_picture.py"
FRONT = {"cca-itq", "sdh", "fasthash", "structhash (kernel)"}  # of the best eight in make_results.py


def first_chart(page):
    return page.locator("#panel-time .chart").first


def table_rows(page):
    """The cells of the table beside the first chart, by method."""
    rows = page.locator("#panel-time figure").first.locator("tbody tr").all()
    cells = [row.locator("th, td").all_text_contents() for row in rows]
    return {head: values for head, *values in cells}


def on_front(rows):
    return {method for method, (_, _, front, _) in rows.items() if front == "yes"}


def visible_names(page):
    """Text and rectangle of the names in the first chart, and the rectangle of the chart."""
    return first_chart(page).evaluate(
        """chart => {
             const box = item => { const {left, right, top, bottom} = item.getBoundingClientRect();
                                   return {left, right, top, bottom}; };
             const names = [...chart.querySelectorAll('.best_names text, .rest_names text')];
             return {chart: box(chart.querySelector('svg')),
                     names: names.filter(name => name.getAttribute('opacity') !== '0')
                                 .map(name => ({text: name.textContent, ...box(name)}))};
           }""")


def overlap(a, b, slack=3):
    """Boxes of text are a little higher than its letters: `slack` pixels may be shared."""
    return (min(a["right"], b["right"]) - max(a["left"], b["left"]) > slack
            and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > slack)


def test_line_joins_the_pareto_front(visit, page_file):
    seen = visit(page_file)
    page = seen.page
    page.click("#tab-time")
    rows = table_rows(page)
    assert len(rows) == 8
    assert on_front(rows) == FRONT
    path = first_chart(page).locator(".mark-line path").get_attribute("d")
    assert path.count("L") == len(FRONT) - 1
    page.locator(".chip", has_text="sdh").click()  # methods that are not shown beat nobody
    seen.wait()
    assert on_front(table_rows(page)) == FRONT - {"sdh"} | {"structhash (linear)"}


def test_measure_bits_and_methods_can_be_chosen(visit, page_file):
    seen = visit(page_file)
    page = seen.page
    page.click("#tab-time")
    page.select_option("#choose-measure", "map")
    page.select_option("#choose-bits", "16")
    page.get_by_role("button", name="All").click()
    seen.wait()
    assert "map" in first_chart(page).locator("svg").text_content()
    assert "16 bits" in page.locator("#panel-time h2").first.text_content()
    rows = table_rows(page)
    assert len(rows) == 9  # a method has one point, by its usual distance
    assert rows["lsh"][0] == "0"  # no time at all is drawn at the left end of the axis
    assert first_chart(page).locator(".mark-symbol path").count() == 9
    assert seen.complaints == []


@pytest.mark.parametrize("width", [240, 390, 1280])
def test_names_can_be_read(visit, page_file, width):
    seen = visit(page_file, viewport={"width": width, "height": 740}, is_mobile=width < 500)
    seen.page.click("#tab-time")
    seen.page.get_by_role("button", name="All").click()
    seen.wait()
    found = visible_names(seen.page)
    if width < 300:  # too narrow: names that do not fit are hidden
        assert 0 < len(found["names"]) < 9
    else:
        assert {name["text"] for name in found["names"]} == set(table_rows(seen.page))
    for a, b in itertools.combinations(found["names"], 2):
        assert not overlap(a, b), (a, b)
    for name in found["names"]:
        assert name["left"] >= found["chart"]["left"] and name["right"] <= found["chart"]["right"], name
    assert seen.complaints == []


def test_structhash_stands_out(visit, page_file):
    page = visit(page_file).page
    page.click("#tab-time")
    bold = first_chart(page).locator("text[font-weight='700']").all_text_contents()
    assert set(bold) == {"structhash (kernel)", "structhash (linear)"}


def test_chart_may_be_replaced_while_it_is_drawn(visit, plain_page_file):
    """As happens after two quick choices: the first chart has left the page and has no width."""
    seen = visit(plain_page_file)
    seen.page.evaluate("""() => {
        const draw = window.vegaEmbed;
        window.vegaEmbed = (place, ...rest) => { place.remove(); return draw(place, ...rest); };
      }""")
    seen.page.select_option("#choose-measure", "map")
    seen.wait()
    assert seen.complaints == []


def test_picture_for_documents(browser, page_file, command, tmp_path):
    def picture(*options):
        file = tmp_path / "chart.png"
        run = subprocess.run([sys.executable, SCRIPT, page_file.parent / "results.jsonl", "--command", command,
                              "--out", file, *options], capture_output=True, text=True, check=False)
        return run, file

    run, file = picture("--dataset", "mnist", "--bits", "32", "--width", "600")
    assert run.returncode == 0, run.stderr
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    assert 1000 < width < 1200 and 600 < height < 900
    run, _ = picture("--dataset", "mnst")
    assert run.returncode == 1 and "usps, mnist, cifar-10" in run.stderr
