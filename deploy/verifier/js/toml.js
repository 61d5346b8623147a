// The subset of TOML that ruleset and house-way files use, read strictly: comments, tables, arrays
// of tables, and keys with strings, integers, booleans, arrays and inline tables.

export class NotToml extends Error {}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    const line = this.text.slice(0, this.at).split("\n").length;
    throw new NotToml(`line ${line}: ${what}`);
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0];
  }

  expect(pattern, what) {
    return this.take(pattern) ?? this.fail(`expected ${what}`);
  }

  // Blanks and comments, over lines.
  skip() {
    this.take(/(?:[ \t\r\n]|#[^\n]*)*/y);
  }

  endOfLine() {
    this.expect(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y, "the end of the line");
  }

  key() {
    return this.expect(/[A-Za-z0-9_-]+/y, "a key");
  }

  value() {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "[") return this.array();
    if (first === "{") return this.inlineTable();
    const word = this.expect(/true|false|-?(?:0|[1-9][0-9]*)/y, "a value");
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word);
    return Number.isSafeInteger(number) ? number : this.fail("a number out of range");
  }

  string() {
    // What these files need of the escapes is also JSON's.
    const quoted = this.expect(/"(?:[^"\\\n]|\\["\\])*"/y, "a string");
    return JSON.parse(quoted);
  }

  array() {
    this.at += 1;
    const items = [];
    for (;;) {
      this.skip();
      if (this.take(/]/y)) return items;
      if (items.length > 0) {
        this.expect(/,/y, "a comma");
        this.skip();
        if (this.take(/]/y)) return items;
      }
      items.push(this.value());
    }
  }

  inlineTable() {
    this.at += 1;
    const table = Object.create(null);
    for (let first = true; ; first = false) {
      this.take(/[ \t]*/y);
      if (this.take(/}/y)) return table;
      if (!first) this.expect(/,[ \t]*/y, "a comma");
      this.pair(table);
    }
  }

  pair(table) {
    const key = this.key();
    if (key in table) this.fail(`${key} twice`);
    this.expect(/[ \t]*=[ \t]*/y, "=");
    table[key] = this.value();
  }
}

// The table that a header names, below the newest element of each array on the way.
function below(reader, root, path, isArray) {
  let table = root;
  for (const name of path.slice(0, -1)) {
    table = table[name] ??= Object.create(null);
    if (Array.isArray(table)) table = table[table.length - 1];
  }
  const name = path[path.length - 1];
  const fresh = Object.create(null);
  if (isArray) {
    (table[name] ??= []).push(fresh);
  } else {
    if (name in table) reader.fail(`${name} twice`);
    table[name] = fresh;
  }
  return fresh;
}

export function parseToml(text) {
  const reader = new Reader(text);
  const root = Object.create(null);
  let table = root;
  for (;;) {
    reader.skip();
    if (reader.at === text.length) return root;
    const header = reader.take(/\[\[?[A-Za-z0-9_.-]+\]\]?/y);
    if (header !== null) {
      const isArray = header.startsWith("[[");
      if (isArray !== header.endsWith("]]")) reader.fail("a broken header");
      const path = header.replace(/[[\]]/g, "").split(".");
      table = below(reader, root, path, isArray);
    } else {
      reader.pair(table);
    }
    reader.endOfLine();
  }
}
