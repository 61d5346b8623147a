// The canonical JSON of records (PGE-FAIR-1, section 6.2). It has objects with sorted keys, arrays, printable
// ASCII strings that escape only `"` and `\`, booleans, and integers below 2^53. It has no spaces, no floats
// and no null. A text that this reads is the only spelling of its value.
//
// An envelope is not such a payload: no signature covers its spelling. `{ loose: true }` allows blanks,
// any order of keys and every escape of JSON, but still no repeated key.

// How many lists and objects may enclose a value.
const DEPTH = 16;

const ESCAPES = { "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

export class NotCanonical extends Error {}

export function parseCanonical(text, { loose = false } = {}) {
  let at = 0;
  const blanks = () => {
    while (loose && (text[at] === " " || text[at] === "\t" || text[at] === "\r" || text[at] === "\n")) {
      at += 1;
    }
  };
  const fail = (what) => {
    throw new NotCanonical(`${what} at byte ${at}`);
  };
  const expect = (character) => {
    blanks();
    if (text[at] !== character) fail(`expected ${character}`);
    at += 1;
  };

  function string() {
    expect('"');
    let out = "";
    for (;;) {
      const start = at;
      while (at < text.length && text[at] !== '"' && text[at] !== "\\") {
        const code = text.charCodeAt(at);
        if (code < 0x20 || code > 0x7e) fail("a character that is not printable ASCII");
        at += 1;
      }
      out += text.slice(start, at);
      if (text[at] === '"') {
        at += 1;
        return out;
      }
      if (text[at] !== "\\") fail("a string without an end");
      const escaped = text[at + 1];
      if (loose && Object.hasOwn(ESCAPES, escaped)) {
        out += ESCAPES[escaped];
        at += 2;
        continue;
      }
      const code = loose && escaped === "u" && /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 2, at + 6));
      if (code) {
        out += String.fromCharCode(Number.parseInt(code[0], 16));
        at += 6;
        continue;
      }
      if (escaped !== '"' && escaped !== "\\") fail("another escape");
      out += escaped;
      at += 2;
    }
  }

  function integer() {
    const match = /^(?:0|[1-9][0-9]{0,15})/.exec(text.slice(at, at + 17));
    if (!match) fail("not a canonical integer");
    const value = Number(match[0]);
    if (!Number.isSafeInteger(value)) fail("an integer of 2^53 or more");
    at += match[0].length;
    if (/[0-9.eE]/.test(text[at] ?? "")) fail("not a canonical integer");
    return value;
  }

  function array(depth) {
    at += 1;
    const items = [];
    blanks();
    if (text[at] === "]") {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(value(depth + 1));
      blanks();
      if (text[at] === "]") {
        at += 1;
        return items;
      }
      expect(",");
    }
  }

  function object(depth) {
    at += 1;
    // No prototype, so that no key of the input has a special meaning.
    const members = Object.create(null);
    let last = null;
    blanks();
    if (text[at] === "}") {
      at += 1;
      return members;
    }
    for (;;) {
      const key = string();
      if (loose ? key in members : last !== null && key <= last) {
        fail("a key out of order or twice");
      }
      last = key;
      expect(":");
      members[key] = value(depth + 1);
      blanks();
      if (text[at] === "}") {
        at += 1;
        return members;
      }
      expect(",");
    }
  }

  function value(depth) {
    if (depth > DEPTH) fail("nested too deep");
    blanks();
    const first = text[at];
    if (first === "{") return object(depth);
    if (first === "[") return array(depth);
    if (first === '"') return string();
    if (text.startsWith("true", at)) {
      at += 4;
      return true;
    }
    if (text.startsWith("false", at)) {
      at += 5;
      return false;
    }
    return integer();
  }

  const whole = value(0);
  blanks();
  if (at !== text.length) fail("something after the end");
  return whole;
}

// Writes a value as the text that `parseCanonical` reads.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
    return `{${keys.map((key) => `${quoted(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return typeof value === "string" ? quoted(value) : String(value);
}

const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;

export const sameJson = (a, b) =>
  a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));
