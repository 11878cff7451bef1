"""The report page in a browser, from a file and with the network switched off.

Needs the environment variable STRUCTHASH_COMMAND: the path of the structhash command. With
STRUCTHASH_SCREENSHOTS set to a folder, pictures of the page are kept there.
"""

import csv
import html
import json
import os
import pathlib
import shutil
import subprocess

import pytest

TABS = ["tables", "bits", "time", "curves", "training", "retrieval", "configuration"]
CHARTS = {"tables": 3, "bits": 3, "time": 3, "curves": 6, "training": 6}  # three data sets


def drawn_marks(page, tab):
    """Lines, dots and bars of every chart of a tab."""
    return page.evaluate(
        """tab => [...document.querySelectorAll(`#panel-${tab} .chart`)].map(chart => chart.querySelectorAll(
             '.mark-line path, .mark-symbol path, .mark-rect path, .mark-rule line').length)""", tab)


def shown_panels(page):
    return page.evaluate(
        "[...document.querySelectorAll('[role=tabpanel]')].filter(p => getComputedStyle(p).visibility === 'visible').map(p => p.id)")


def too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_every_tab_draws_its_charts_without_complaint_or_network(visit, page_file):
    seen = visit(page_file)
    page = seen.page
    for tab in TABS:
        page.click(f"#tab-{tab}")
        assert shown_panels(page) == [f"panel-{tab}"]
        marks = drawn_marks(page, tab)
        assert len(marks) == CHARTS.get(tab, 0), tab
        assert all(count > 0 for count in marks), (tab, marks)
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert len([url for url in seen.requests if url.startswith("file:")]) == 1


def test_page_in_the_frame_of_a_notebook(browser, page_file, tmp_path):
    """As structhash.report shows it in Python: a frame without an address of its own."""
    text = html.escape(page_file.read_text(encoding="utf-8"), quote=True)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f'<iframe srcdoc="{text}" sandbox="allow-scripts allow-downloads"></iframe>', encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(notebook.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("document.documentElement.dataset.drawn === 'yes'", timeout=60_000)
    for tab in TABS:
        frame.click(f"#tab-{tab}")
        assert shown_panels(frame) == [f"panel-{tab}"]
    assert complaints == []
    context.close()


def test_differences_say_what_their_interval_is(visit, command, page_file, tmp_path):
    assert "Student's t over seeds" in visit(page_file).page.inner_text("#panel-tables figcaption")
    lines = (page_file.parent / "results.jsonl").read_text().splitlines()
    (tmp_path / "one.jsonl").write_text("".join(line + "\n" for line in lines if json.loads(line)["seed"] == 1))
    shutil.copytree(page_file.parent / "results.details", tmp_path / "one.details")
    subprocess.run([command, "report", tmp_path / "one.jsonl", "--out", tmp_path / "one.html"], check=True)
    seen = visit(tmp_path / "one.html")
    assert "no interval: that needs more than one seed" in seen.page.inner_text("#panel-tables figcaption")
    assert all(count > 0 for count in drawn_marks(seen.page, "tables"))  # dots alone
    assert seen.complaints == []


def test_tabs_by_keyboard(visit, page_file):
    page = visit(page_file).page
    page.focus("#tab-tables")
    for key, tab in [("ArrowRight", "bits"), ("ArrowRight", "time"), ("ArrowLeft", "bits"),
                     ("Home", "tables"), ("ArrowLeft", "configuration"), ("Home", "tables"),
                     ("End", "configuration")]:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == f"tab-{tab}"
        assert page.get_attribute(f"#tab-{tab}", "aria-selected") == "true"
        assert shown_panels(page) == [f"panel-{tab}"]
    assert page.evaluate("document.querySelectorAll('[role=tab][tabindex=\"0\"]').length") == 1
    page.keyboard.press("Tab")  # the tab list is one stop; what comes next belongs to the panel
    assert page.evaluate("document.activeElement.closest('[role=tabpanel]').id") == "panel-configuration"


def test_tables_mark_the_best_and_show_published_numbers(visit, page_file):
    page = visit(page_file).page
    for table in page.query_selector_all("#panel-tables table.results"):
        assert len(table.query_selector_all("td.best")) == 3  # one per measure
        assert "(best)" in table.query_selector("td.best").text_content()
    assert page.locator("#panel-tables").get_by_text("published 0.612").count() == 1
    assert page.locator("#panel-tables tr.ours").count() == 3 * 4
    # Sorting by training time puts the quickest first when asked for twice.
    for _ in range(2):
        page.locator("#panel-tables table.results").first.get_by_role("button", name="training, s").click()
        page.wait_for_function("document.documentElement.dataset.drawn === 'yes'")
    first = page.locator("#panel-tables table.results").first
    assert first.locator("tbody th").first.text_content() == "lsh"
    assert first.locator("thead th[aria-sort=ascending]").count() == 1


def test_choices_change_the_charts(visit, page_file):
    seen = visit(page_file)
    page = seen.page
    page.click("#tab-bits")
    lines = "#panel-bits .chart .mark-line path"
    before = page.locator(lines).count()
    assert before == 3 * 8  # the best eight by their usual distance
    page.locator(".chip", has_text="fasthash").click()
    seen.wait()
    assert page.locator(lines).count() == before - 3
    page.get_by_role("button", name="All").click()
    seen.wait()
    assert page.locator(lines).count() == 3 * 11
    page.get_by_role("button", name="Best 8").click()
    page.select_option("#choose-measure", "map")
    seen.wait()
    assert page.locator(lines).count() == before
    assert "map" in page.locator("#panel-bits .chart svg").first.text_content()
    page.click("#tab-curves")
    page.select_option("#choose-bits", "16")
    seen.wait()
    assert "16 bits" in page.locator("#panel-curves h2").first.text_content()
    assert seen.complaints == []


def test_chips_work_by_keyboard(visit, page_file):
    seen = visit(page_file)
    page = seen.page
    page.click("#tab-bits")
    page.focus(".chip input")
    page.keyboard.press("Space")
    seen.wait()
    assert page.locator("#panel-bits .chart .mark-line path").count() == 3 * 7


@pytest.mark.parametrize("tab", CHARTS)
def test_every_chart_has_its_data_as_a_table_and_a_file(visit, page_file, tab):
    page = visit(page_file).page
    page.click(f"#tab-{tab}")
    for figure in page.query_selector_all(f"#panel-{tab} figure.has-chart"):
        figure.query_selector("summary").click()
        rows = len(figure.query_selector_all("details tbody tr"))
        with page.expect_download() as download:
            figure.query_selector("button").click()
        assert download.value.suggested_filename.endswith(".csv")
        with open(download.value.path(), newline="") as file:
            lines = list(csv.reader(file))
        assert len(lines) == rows + 1 > 1
        assert len({len(line) for line in lines}) == 1


def test_wrong_answers_are_marked_by_more_than_colour(visit, page_file):
    page = visit(page_file).page
    page.click("#tab-retrieval")
    wrong = page.locator("#panel-retrieval li.wrong")
    assert wrong.count() > 0
    assert wrong.first.locator("img").get_attribute("alt").endswith("wrong")
    assert page.evaluate("getComputedStyle(document.querySelector('li.wrong'), '::after').content") == '"✗"'
    assert page.locator("#panel-retrieval li .tile").count() == page.locator("#panel-retrieval ol").count()
    right = page.locator("#panel-retrieval li:not(.wrong) img").first
    assert right.get_attribute("alt").endswith("right")
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(visit, page_file, scheme, width):
    seen = visit(page_file, viewport={"width": width, "height": 740}, color_scheme=scheme,
                 is_mobile=width < 500)
    for tab in TABS:
        seen.page.click(f"#tab-{tab}")
        assert not too_wide(seen.page), tab
        if folder := os.environ.get("STRUCTHASH_SCREENSHOTS"):
            seen.page.screenshot(path=pathlib.Path(folder) / f"{scheme}-{width}-{tab}.png", full_page=True)
    assert seen.complaints == []


def test_dark_mode_changes_page_and_charts(visit, page_file):
    def colours(scheme):
        page = visit(page_file, color_scheme=scheme).page
        page.click("#tab-bits")
        return page.evaluate("""[getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.querySelector('#panel-bits .mark-line path')).stroke,
            getComputedStyle(document.querySelector('#panel-bits .role-axis-label text')).fill]""")

    light, dark = colours("light"), colours("dark")
    assert all(a != b for a, b in zip(light, dark)), (light, dark)
    assert all(colour.startswith("rgb") for colour in light + dark)


def test_paper_shows_every_tab(visit, page_file):
    page = visit(page_file, color_scheme="dark").page
    page.emulate_media(media="print")
    assert shown_panels(page) == [f"panel-{tab}" for tab in TABS]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.getElementById('tabs')).height") == "auto"  # not there
    assert page.evaluate("[...document.querySelectorAll('[role=tabpanel]')].every(p => p.clientHeight > 100)")


def test_parts_without_data_say_so(visit, plain_page_file):
    seen = visit(plain_page_file)
    for tab in ["tables", "curves", "training", "retrieval"]:
        seen.page.click(f"#tab-{tab}")
        assert seen.page.locator(f"#panel-{tab} .none").count() >= 1, tab
        assert drawn_marks(seen.page, tab) == []
    for tab in ["bits", "time"]:  # bars for the one code length, a point for the one method
        seen.page.click(f"#tab-{tab}")
        assert all(count > 0 for count in drawn_marks(seen.page, tab)), tab
    assert seen.complaints == []


# ---- Texts side by side: the page of the demo


@pytest.fixture(scope="session")
def demo_page_file(command, tmp_path_factory, page_file):
    page = tmp_path_factory.mktemp("demo") / "demo.html"
    subprocess.run([command, "demo", "--methods", "structhash,lsh", "--report", page], check=True, capture_output=True)
    return page


def embedded(page_file):
    """The document that the page draws from."""
    text = page_file.read_text(encoding="utf-8")
    return json.loads(text.split('<script type="application/json" id="document">')[1].split("</script>")[0])


def answers(page, side):
    """(text, marked as wrong) of each answer of a side."""
    items = page.locator("#panel-texts .side").nth(side).locator("ol.texts li")
    return [(item.locator("span").nth(1).inner_text().split("\n")[0], "wrong" in item.get_attribute("class"))
            for item in items.all()]


def expected_answers(document, method, bits, query):
    series = {i for i, one in enumerate(document["series"]) if one["method"] == method}
    entry = next(one for one in document["strips"]
                 if one["dataset"] == "questions" and one["series"] in series and one["bits"] == bits)
    return [(document["texts"][item["text"]], not item["relevant"]) for item in entry["queries"][query]["items"]]


def test_a_question_and_its_nearest_by_floats_and_by_codes(visit, demo_page_file):
    seen = visit(demo_page_file)
    page, document = seen.page, embedded(demo_page_file)
    page.click("#tab-texts")
    assert shown_panels(page) == ["panel-texts"]
    assert page.locator("#pick-questions-left option:checked").inner_text() == "float cosine, 1,536 bytes"
    assert page.locator("#pick-questions-right option:checked").inner_text() == "structhash (kernel), 64 bits, 8 bytes"
    questions = page.locator("#pick-questions-query option").all_inner_texts()
    assert len(questions) == len(set(questions)) == 77
    for place, way in [(0, None), (1, "next"), (0, "previous"), (76, "previous"), (40, "list")]:
        if way == "list":
            page.select_option("#pick-questions-query", str(place))
        elif way:
            page.click(f"#pick-questions-{way}")
            assert page.evaluate("document.activeElement.id") == f"pick-questions-{way}"
        assert page.locator(".asked").inner_text().startswith(questions[place])
        assert len(answers(page, 0)) == len(answers(page, 1)) == 10
        assert answers(page, 0) == expected_answers(document, "float cosine", 384 * 32, place)
        assert answers(page, 1) == expected_answers(document, "structhash", 64, place)
    page.select_option("#pick-questions-left", label="lsh, 16 bits, 2 bytes")
    assert answers(page, 0) == expected_answers(document, "lsh", 16, 40)
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_wrong_texts_are_marked_in_words(visit, demo_page_file):
    page = visit(demo_page_file).page
    page.click("#tab-texts")
    side = page.locator("#panel-texts .side").first
    wrong = side.locator("li.wrong .verdict").all_inner_texts()
    right = side.locator("li.right .verdict").all_inner_texts()
    assert set(wrong) <= {"✗ wrong"} and set(right) <= {"✓ right"} and len(wrong) + len(right) == 10
    assert side.locator(".count b").inner_text() == f"{len(right)} of 10 right"
    for control in page.locator("#panel-texts select").all():
        assert control.evaluate("one => one.labels.length") == 1


def test_float_vectors_are_shown_beside_every_code_length(visit, demo_page_file):
    seen = visit(demo_page_file)
    page = seen.page
    assert page.input_value("#choose-bits") == "64" and page.input_value("#choose-measure") == "map"
    assert page.locator("#choose-bits option").all_inner_texts() == ["16", "32", "64"]
    assert "float cosine, 1,536 bytes: 0.5" in page.inner_text("#winners")
    for bits in ("64", "16"):
        page.select_option("#choose-bits", bits)
        seen.wait()
        rows = page.locator("#panel-tables table.results").first.locator("tbody tr").all()
        size = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows}
        assert size["float cosine"] == "1,536" and size["sign bits"] == "48" and size["product quantiser"] == "8"
        assert size["structhash (kernel)"] == str(int(bits) // 8)
        assert "★" not in page.locator("#panel-tables tr", has_text="float cosine").first.inner_text()
    page.click("#tab-time")
    assert "float cosine" not in page.locator("#panel-time").text_content()
    assert seen.complaints == []


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_fit_the_window(visit, demo_page_file, scheme, width):
    seen = visit(demo_page_file, viewport={"width": width, "height": 740}, color_scheme=scheme, is_mobile=width < 500)
    page = seen.page
    page.click("#tab-texts")
    for query in range(0, 77, 7):
        page.select_option("#pick-questions-query", str(query))
        assert not too_wide(page), query
    left, right = (page.locator("#panel-texts .side").nth(side).bounding_box() for side in (0, 1))
    assert (left["y"] == right["y"]) == (width > 500)  # below each other on a phone
    if folder := os.environ.get("STRUCTHASH_SCREENSHOTS"):
        page.screenshot(path=pathlib.Path(folder) / f"{scheme}-{width}-texts.png", full_page=True)
    assert seen.complaints == []


def test_a_page_without_texts_has_no_tab_for_them(visit, page_file):
    assert visit(page_file).page.locator("#tab-texts").count() == 0
