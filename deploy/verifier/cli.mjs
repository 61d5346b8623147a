#!/usr/bin/env node
// The modules of the page on the command line: audits transcripts and prints, a line each, what
// `paigow-lab audit --json` prints. Exit status as there: 0 match, 1 mismatch, 2 incomplete; 64 for
// wrong arguments, 66 for a file that cannot be read.
//
//   node cli.mjs FILE... --root KEY [--root KEY] [--threshold N] [--ruleset FILE] [--house-way FILE]

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { reportAnswer, roundAnswer } from "./js/answer.js";
import { auditNow } from "./js/audit/index.js";
import { houseWays, rulesets } from "./js/data.js";
import { Rules } from "./js/rules.js";

const STATUS = { match: 0, mismatch: 1, incomplete: 2 };
const many = { type: "string", multiple: true, default: [] };

function read(args) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: {
    root: many, threshold: { type: "string", default: "1" }, ruleset: many, "house-way": many } });
  if (positionals.length === 0 || values.root.length === 0) throw new Error("a file and --root KEY");
  if (!values.root.every((key) => /^[0-9a-f]{64}$/.test(key))) throw new Error("--root: 64 hex digits");
  if (!/^[1-9][0-9]?$/.test(values.threshold)) throw new Error("--threshold: 1 to 99");
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
    const report = auditNow(textOf(file), roots, rules, (round, audit, outcomes) => {
      const canonical = outcomes[0].status === "passed";
      if (canonical) rounds.push(roundAnswer(round, audit));
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
  console.error(error.message);
  process.exitCode = error.syscall ? 66 : 64;
}
