"""Checks PAR sheets with nothing of the engine: the JSON against its schema, the HTML as
strict XML, that the page says every number of the JSON, and that a workbook and files of CSV
have the same tables.

    par_check.py SCHEMA JSON HTML CSV-FOLDER XLSX

Prints what it has checked; exit status 1 where something does not hold.
"""

import csv
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

import jsonschema

schema, sheets = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(sheets)

page = ElementTree.parse(sys.argv[3]).getroot()
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
assert page.tag == XHTML + "html" and page.get("lang") == "en"

elements = list(page.iter())
ids = [element.get("id") for element in elements if element.get("id")]
assert len(ids) == len(set(ids)), "an id is there twice"
for element in elements:
    tag = element.tag.removeprefix(XHTML).removeprefix(SVG)
    assert tag not in {"script", "link", "iframe", "object", "embed", "img"}, tag
    for name, value in element.attrib.items():
        assert not name.startswith("on"), name
        if name in {"href", "src"}:
            assert value.startswith("#") and value[1:] in ids, value
    for id in (element.get("aria-labelledby") or "").split():
        assert id in ids, id
    if tag == "table":
        assert element.find(XHTML + "caption") is not None
        columns = element.findall(f"{XHTML}thead/{XHTML}tr/{XHTML}th")
        assert columns and all(column.get("scope") == "col" for column in columns)
        for row in element.findall(f"{XHTML}tbody/{XHTML}tr"):
            assert len(row) == len(columns) and row[0].get("scope") == "row"
    if tag == "svg":
        assert element.get("role") == "img"
        assert all(element.find(SVG + part).text for part in ("title", "desc"))
style = "".join(element.text or "" for element in page.iter(XHTML + "style"))
assert "@import" not in style and "url(" not in style
for wanted in ("prefers-color-scheme: dark", "@media print"):
    assert wanted in style, wanted

# Numbers as the page has them, commas and spaces aside.
articles = {article.get("id"): article for article in page.iter(XHTML + "article")}
numbers = 0


def wanted_in(value, path, said):
    """Looks for every text of digits, and for the members of every fraction."""
    global numbers
    if isinstance(value, dict):
        for key, member in value.items():
            wanted_in(member, f"{path}.{key}", said)
    elif isinstance(value, list):
        for place, member in enumerate(value):
            wanted_in(member, f"{path}[{place}]", said)
    elif isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        numbers += 1
        assert value in said, f"{path}: {value}"
    elif isinstance(value, int) and not isinstance(value, bool):
        numbers += 1
        assert str(value) in said, f"{path}: {value}"


def exact(fraction):
    return int(fraction["num"]) / int(fraction["den"])


def is_near(text, value):
    assert abs(float(text) - value) < 1e-6, (text, value)


intervals = 0
for sheet in sheets["sheets"]:
    readings = [sheet["base"]["best_play"]]
    if sheet["base"]["own"]:
        readings.append(sheet["base"]["own"]["readings"][0])
    of = {f"Base wager by {'best play' if one['id'] == 'best-play' else 'house way'}": (
        one, [one["win_rate"], one["push_rate"], one["loss_rate"]]) for one in readings if one}
    of.update({bet["title"]: (bet["figures"], [bet["figures"]["loss_rate"]] + [
        row["figures"]["probability"] for row in bet["rows"]])
        for bet in sheet["bonus_bets"] if bet["figures"]})
    assert sorted(of) == sorted(one["bet"] for one in sheet["many_rounds"])
    for one in sheet["many_rounds"]:
        figures, rates = of[one["bet"]]
        deviation = math.sqrt(exact(figures["spread"]["variance"]))
        is_near(one["volatility_index"], 1.644853627 * deviation)
        rarest = min(exact(rate) for rate in rates if exact(rate))
        assert int(one["fit_from"]) * rarest >= 10 * (1 - 1e-12) > (int(one["fit_from"]) - 1) * rarest
        for interval in one["intervals"]:
            half = 1.959963985 * deviation / math.sqrt(int(interval["wagers"]))
            is_near(interval["low"], exact(figures["return"]) - half)
            is_near(interval["high"], exact(figures["return"]) + half)
            intervals += 1
    for bet in sheet["bonus_bets"]:
        others = bet["to_others"]
        for beside in others["by_players"] if others else []:
            seats = beside["players"]
            paid = seats * (seats - 1) * exact(others["one_other_minor"])
            assert abs(exact(beside["paid_a_round_minor"]) - paid) < 1e-6
            most = max(int(row["to_others_minor"] or 0) for row in bet["rows"])
            assert int(beside["paid_at_most_a_hand_minor"]) == (seats - 1) * most
assert intervals

for sheet in sheets["sheets"]:
    text = " ".join(articles[sheet["ruleset"]["id"]].itertext()).replace(",", "")
    wanted_in(sheet, sheet["ruleset"]["id"], set(re.findall(r"-?\d+(?:\.\d+)?", text)))

files = {}
for path in pathlib.Path(sys.argv[4]).iterdir():
    with open(path, newline="", encoding="utf-8") as file:
        assert "\r\n" in file.read(), path
        file.seek(0)
        files[path.stem] = list(csv.reader(file))
    assert len({len(row) for row in files[path.stem]}) == 1, path

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
with zipfile.ZipFile(sys.argv[5]) as book:
    shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
    strings = ["".join(one.itertext()) for one in shared.findall(SHEET + "si")]
    names = ElementTree.fromstring(book.read("xl/workbook.xml")).find(SHEET + "sheets")
    worksheets = {}
    for place, sheet in enumerate(names, 1):
        rows = []
        for row in ElementTree.fromstring(book.read(f"xl/worksheets/sheet{place}.xml")).iter(SHEET + "row"):
            cells = {}
            for cell in row.findall(SHEET + "c"):
                value = cell.find(SHEET + "v")
                if value is not None:
                    column = re.match("[A-Z]+", cell.get("r")).group()
                    is_text = cell.get("t") == "s"
                    cells[column] = strings[int(value.text)] if is_text else float(value.text)
            rows.append(cells)
        worksheets[sheet.get("name")] = rows

contents = worksheets.pop("Contents")[1:]
assert len(contents) == len(worksheets) == len(files)
for line in contents:
    expected = files[f"{line['B']}-{line['C']}"]
    rows = worksheets[line["A"]]
    assert len(rows) == len(expected), line
    for cells, row in zip(rows, expected):
        for column, text in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", row):
            cell = cells.get(column, "")
            assert cell == text or (isinstance(cell, float) and cell == float(text)), (line, text)
for sheet in sheets["sheets"]:
    ruleset = sheet["ruleset"]["id"]
    cells = {cell for name, rows in files.items() if name.startswith(ruleset + "-")
             for row in rows for cell in row}
    for bet in sheet["bonus_bets"]:
        returned = bet["figures"]["return"]
        assert f"{returned['num']}/{returned['den']}" in cells, (ruleset, bet["bet"])
    many = files[f"{ruleset}-many-rounds"]
    for one, row in zip(sheet["many_rounds"], many[1:], strict=True):
        assert row[:3] == [one["bet"], one["volatility_index"], one["fit_from"]], row
        assert row[3:] == [f"{each['low']} to {each['high']}" for each in one["intervals"]], row

print(f"{len(sheets['sheets'])} sheets, {numbers} numbers, {len(ids)} anchors")
