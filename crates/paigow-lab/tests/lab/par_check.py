"""Checks PAR sheets with nothing of the engine: the JSON against its schema, the HTML as
strict XML, and that the page says every number of the JSON.

    par_check.py SCHEMA JSON HTML

Prints what it has checked; exit status 1 where something does not hold.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

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


for sheet in sheets["sheets"]:
    text = " ".join(articles[sheet["ruleset"]["id"]].itertext()).replace(",", "")
    wanted_in(sheet, sheet["ruleset"]["id"], set(re.findall(r"-?\d+(?:\.\d+)?", text)))

print(f"{len(sheets['sheets'])} sheets, {numbers} numbers, {len(ids)} anchors")
