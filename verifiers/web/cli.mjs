#!/usr/bin/env node
// Audits transcripts with the modules of the page. Prints one line for each file, as
// `paigow-lab audit --json` does.
//
// The exit status is the first of these that holds for a file:
// 1, a mismatch;
// 2, incomplete, or a required claim is not shown;
// 3, pending;
// 0, a match.
// Other statuses are faults: 64 wrong arguments, 65 an invalid rules file, 66 a file that cannot be
// read, 70 a fault of this program.
//
//   node cli.mjs FILE... --root KEY [--root KEY] [--threshold N] [--witness KEY] [--beacon HASH] [--manifest HASH]
//     [--after ROUND_ID:HASH] [--as-of TIME] [--my-seat N[=KEY]] [--proof FILE] [--log-copy FILE]
//     [--require CLAIM] [--ruleset FILE] [--house-way FILE] [--json]

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { reportAnswer, roundAnswer } from "./js/answer.js";
import { CLAIMS } from "./js/audit/claims.js";
import { auditNow } from "./js/audit/index.js";
import { BadLogCopy, logCopyOf } from "./js/audit/log-copy.js";
import { BadProof, proofsOf } from "./js/audit/proofs.js";
import { BadTerms, seatOf, secondOf, termsOf } from "./js/audit/terms.js";
import { houseWays, rulesets } from "./js/data.js";
import { BadRules, Rules } from "./js/rules.js";

const STATUS = { match: 0, mismatch: 1, incomplete: 2, pending: 3 };
const REQUIRED = { shown: 0, not_shown: 2, pending: 3 };
const many = { type: "string", multiple: true, default: [] };
const one = { type: "string" };

class WrongArguments extends Error {}

function parsed(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: {
      root: many, threshold: { type: "string", default: "1" }, witness: many, beacon: many, manifest: one, after: many,
      "as-of": one, "my-seat": one, proof: many, "log-copy": many, require: many, ruleset: many, "house-way": many,
      // This program always prints JSON. The other verifiers need the option.
      json: { type: "boolean" } } });
  } catch (error) {
    throw new WrongArguments(error.message);
  }
}

// `--after ROUND_ID:HASH`, each round once.
const closesOf = (texts) => Object.fromEntries(texts.map((text) => {
  const at = text.indexOf(":");
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}));

function read(args) {
  const { values, positionals } = parsed(args);
  const need = (holds, what) => {
    if (!holds) throw new WrongArguments(what);
  };
  need(positionals.length > 0 && values.root.length > 0, "a file and --root KEY");
  need(/^[1-9][0-9]?$/.test(values.threshold), "--threshold: 1 to the number of distinct root keys");
  const unknown = values.require.find((name) => !CLAIMS.some((claim) => claim.name === name));
  need(unknown === undefined, `--require ${unknown}: one of ${CLAIMS.map(({ name }) => name).join(", ")}`);
  const terms = termsOf({ keys: values.root, threshold: Number(values.threshold), witnesses: values.witness,
    beacons: values.beacon, manifest: values.manifest, after: closesOf(values.after),
    asOf: values["as-of"] === undefined ? Math.floor(Date.now() / 1000) : secondOf(values["as-of"]),
    seat: values["my-seat"] === undefined ? null : seatOf(values["my-seat"]),
    proofs: values.proof.flatMap((file) => proofsOf(textOf(file))),
    logCopies: values["log-copy"].map((file) => logCopyOf(textOf(file))) });
  return { values, files: positionals, terms };
}

// Bytes that are not UTF-8 become characters that no record has.
const textOf = (file) => readFileSync(file === "-" ? 0 : file).toString("latin1");

function main(args) {
  const { values, files, terms } = read(args);
  const own = (name) => values[name].map((file) => readFileSync(file, "utf8"));
  const rules = new Rules({ rulesets: [...rulesets, ...own("ruleset")],
    houseWays: [...houseWays, ...own("house-way")] });
  const statuses = new Set();
  for (const file of files) {
    const rounds = [];
    const report = auditNow(textOf(file), terms, rules, (round, audit) => {
      if (audit.isTicketCanonical) rounds.push({ number: round.number, answer: roundAnswer(round, audit) });
    });
    console.log(JSON.stringify(reportAnswer(report, rounds)));
    statuses.add(STATUS[report.verdict]);
    for (const { name, status } of report.claims) {
      if (values.require.includes(name)) statuses.add(REQUIRED[status]);
    }
  }
  return [1, 2, 3].find((status) => statuses.has(status)) ?? 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const isWrong = error instanceof WrongArguments || error instanceof BadTerms;
  const status = isWrong ? 64 : [BadRules, BadProof, BadLogCopy].some((bad) => error instanceof bad) ? 65 : error.syscall ? 66 : 70;
  console.error(status === 70 ? error.stack : error.message);
  process.exitCode = status;
}
