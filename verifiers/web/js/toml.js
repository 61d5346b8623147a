// The part of TOML 1.0 that ruleset and house-way files can use, read strictly: every way to write
// tables, keys, strings, integers, booleans and arrays. Floating-point numbers, dates and integers
// beyond 2^53 - 1 are refused.

export class NotToml extends Error {}

const COMMENT = "#[^\\x00-\\x08\\x0a-\\x1f\\x7f]*";
const ESCAPE = "\\\\(?:[btnfr\"\\\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})";
const SKIPPED = new RegExp(`(?:[ \\t\\n]|\\r\\n|${COMMENT}(?=\\r?\\n|$))*`, "y");
const END_OF_LINE = new RegExp(`[ \\t]*(?:${COMMENT})?(?:\\r?\\n|$)`, "y");
const BASIC = new RegExp(`"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|${ESCAPE})*"`, "y");
const LITERAL = /'[^'\x00-\x08\x0a-\x1f\x7f]*'/y;
// One or two quotes may come before the three that end the text. They belong to the text.
const LONG_BASIC = new RegExp(
  `"""(?:\\r?\\n)?((?:[^"\\\\\\x00-\\x08\\x0b-\\x1f\\x7f]|\\r\\n|"{1,2}(?!")|${ESCAPE}`
  + `|\\\\[ \\t]*\\r?\\n(?:[ \\t\\n]|\\r\\n)*)*)("{3,5})`, "y");
const LONG_LITERAL = /'''(?:\r?\n)?((?:[^'\x00-\x08\x0b-\x1f\x7f]|\r\n|'{1,2}(?!'))*)('{3,5})/y;
const ESCAPED = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };
const INTEGER =
  /(?:[+-]?(?:0|[1-9](?:_?[0-9])*)|0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)(?![\w.:+-])/y;

// The origin of a table or an array, which decides what may still be added to it. It is "implied" by
// the header of a table below it, a "header", a "dotted" key, "repeated" headers in double brackets,
// or a "value".
class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.made = new WeakMap();
  }

  fail(what) {
    const line = this.text.slice(0, this.at).split("\n").length;
    throw new NotToml(`line ${line}: ${what}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  take(pattern) {
    return this.match(pattern)?.[0] ?? null;
  }

  expect(pattern, what) {
    return this.take(pattern) ?? this.fail(`expected ${what}`);
  }

  // Blanks and comments, over lines.
  skip() {
    this.take(SKIPPED);
  }

  blanks() {
    this.take(/[ \t]*/y);
  }

  endOfLine() {
    this.expect(END_OF_LINE, "the end of the line");
  }

  // A key, which may lead through tables.
  path() {
    const path = [];
    do {
      this.blanks();
      path.push(this.take(/[A-Za-z0-9_-]+/y) ?? this.quoted() ?? this.fail("expected a key"));
      this.blanks();
    } while (this.take(/\./y) !== null);
    return path;
  }

  // A string of one line.
  quoted() {
    const basic = this.take(BASIC);
    if (basic !== null) return this.unescaped(basic.slice(1, -1));
    return this.take(LITERAL)?.slice(1, -1) ?? null;
  }

  unescaped(text) {
    return text.replace(/\\(?:u(.{4})|U(.{8})|([^\s])|\s+)/g, (_, short, long, letter) => {
      if (letter !== undefined) return ESCAPED[letter];
      if (short === undefined && long === undefined) return "";
      const point = parseInt(short ?? long, 16);
      const isScalar = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
      return isScalar ? String.fromCodePoint(point) : this.fail("an escape of no character");
    });
  }

  string() {
    const basic = this.match(LONG_BASIC);
    if (basic !== null) return this.unescaped(basic[1]) + basic[2].slice(3);
    const literal = this.match(LONG_LITERAL);
    if (literal !== null) return literal[1] + literal[2].slice(3);
    if (this.take(/"""|'''/y) !== null) this.fail("a string that does not end");
    return this.quoted() ?? this.fail("expected a string");
  }

  value() {
    const first = this.text[this.at];
    if (first === '"' || first === "'") return this.string();
    if (first === "[") return this.array();
    if (first === "{") return this.inlineTable();
    const word = this.take(/(?:true|false)(?![\w.:+-])/y);
    if (word !== null) return word === "true";
    const digits = this.expect(INTEGER, "a value").replaceAll("_", "");
    // Without the addition -0 would differ from 0.
    const number = Number(digits) + 0;
    return Number.isSafeInteger(number) ? number : this.fail("a number out of range");
  }

  array() {
    this.at += 1;
    const items = this.table("value", []);
    for (;;) {
      this.skip();
      if (this.take(/]/y) !== null) return items;
      if (items.length > 0) {
        this.expect(/,/y, "a comma");
        this.skip();
        if (this.take(/]/y) !== null) return items;
      }
      items.push(this.value());
    }
  }

  inlineTable() {
    this.at += 1;
    const table = this.table("dotted");
    for (let first = true; ; first = false) {
      this.blanks();
      if (this.take(/}/y) !== null) break;
      if (!first) this.expect(/,/y, "a comma");
      this.pair(table);
    }
    this.close(table);
    return table;
  }

  // Nothing may be added to an inline table, or to tables that its keys made.
  close(table) {
    this.made.set(table, "value");
    for (const inside of Object.values(table)) {
      if (this.made.get(inside) === "dotted") this.close(inside);
    }
  }

  table(made, table = Object.create(null)) {
    this.made.set(table, made);
    return table;
  }

  pair(root) {
    const path = this.path();
    const name = path.pop();
    let table = root;
    for (const step of path) {
      table = table[step] ??= this.table("dotted");
      if (!["dotted", "implied"].includes(this.made.get(table))) this.fail(`${step} twice`);
      this.made.set(table, "dotted");
    }
    if (name in table) this.fail(`${name} twice`);
    this.expect(/=[ \t]*/y, "=");
    table[name] = this.value();
  }

  // The table that a header names, below the newest element of each array on the way.
  header(root) {
    const isArray = this.text.startsWith("[[", this.at);
    this.at += isArray ? 2 : 1;
    const path = this.path();
    this.expect(isArray ? /\]\]/y : /\]/y, isArray ? "]]" : "]");
    const name = path.pop();
    let table = root;
    for (const step of path) {
      table = table[step] ??= this.table("implied");
      if (this.made.get(table) === "repeated") table = table[table.length - 1];
      if (!["implied", "header", "dotted"].includes(this.made.get(table))) this.fail(`${step} twice`);
    }
    if (isArray) {
      const list = table[name] ??= this.table("repeated", []);
      if (this.made.get(list) !== "repeated") this.fail(`${name} twice`);
      list.push(this.table("header"));
      return list[list.length - 1];
    }
    if (!(name in table)) table[name] = this.table("implied");
    if (this.made.get(table[name]) !== "implied") this.fail(`${name} twice`);
    return this.table("header", table[name]);
  }

  document() {
    const root = this.table("header");
    let table = root;
    for (;;) {
      this.skip();
      if (this.at === this.text.length) return root;
      if (this.text[this.at] === "[") table = this.header(root);
      else this.pair(table);
      this.endOfLine();
    }
  }
}

export function parseToml(text) {
  return new Reader(text).document();
}
