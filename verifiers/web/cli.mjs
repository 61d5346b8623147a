#!/usr/bin/env node
// The modules of the page on the command line: audits transcripts and prints, a line each, what
// `paigow-lab audit --json` prints. Exit status as there: 0 match, 1 mismatch, 2 incomplete; 64 for
// wrong arguments, 65 for a rules file that is none, 66 for a file that cannot be read, 70 for a fault of
// this program's own.
//
//   node cli.mjs FILE... --root KEY [--root KEY] [--threshold N] [--ruleset FILE] [--house-way FILE] [--json]

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { reportAnswer, roundAnswer } from "./js/answer.js";
import { auditNow } from "./js/audit/index.js";
import { fromHex } from "./js/bytes.js";
import { houseWays, rulesets } from "./js/data.js";
import { isPublicKey } from "./js/ed25519.js";
import { BadRules, Rules } from "./js/rules.js";

const STATUS = { match: 0, mismatch: 1, incomplete: 2 };
const many = { type: "string", multiple: true, default: [] };

class WrongArguments extends Error {}

function parsed(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: {
      root: many, threshold: { type: "string", default: "1" }, ruleset: many, "house-way": many,
      // It prints nothing else; the other verifiers have to be asked.
      json: { type: "boolean" } } });
  } catch (error) {
    throw new WrongArguments(error.message);
  }
}

function read(args) {
  const { values, positionals } = parsed(args);
  const need = (holds, what) => {
    if (!holds) throw new WrongArguments(what);
  };
  need(positionals.length > 0 && values.root.length > 0, "a file and --root KEY");
  const isKey = (key) => /^[0-9a-f]{64}$/.test(key) && isPublicKey(fromHex(key));
  need(values.root.every(isKey), "--root: not an Ed25519 public key");
  need(/^[1-9][0-9]?$/.test(values.threshold) && Number(values.threshold) <= new Set(values.root).size,
    "--threshold: 1 to the number of distinct root keys");
  return { values, files: positionals };
}

// Bytes that are no UTF-8 become characters that no record has.
const textOf = (file) => readFileSync(file === "-" ? 0 : file).toString("latin1");

function main(args) {
  const { values, files } = read(args);
  const own = (name) => values[name].map((file) => readFileSync(file, "utf8"));
  const rules = new Rules({ rulesets: [...rulesets, ...own("ruleset")],
    houseWays: [...houseWays, ...own("house-way")] });
  const roots = { keys: values.root, threshold: Number(values.threshold) };
  let worst = 0;
  for (const file of files) {
    const rounds = [];
    const report = auditNow(textOf(file), roots, rules, (round, audit) => {
      if (audit.isTicketCanonical) rounds.push(roundAnswer(round, audit));
    });
    console.log(JSON.stringify(reportAnswer(report, roots, rounds)));
    const status = STATUS[report.verdict];
    if (status === 1 || worst === 0) worst = status;
  }
  return worst;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const status = error instanceof WrongArguments ? 64 : error instanceof BadRules ? 65 : error.syscall ? 66 : 70;
  console.error(status === 70 ? error.stack : error.message);
  process.exitCode = status;
}
