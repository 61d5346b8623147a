// Holds this verifier against `paigow-lab audit` on any transcripts: every check and every amount.
//
//   node tests/verifier/agree.mjs --lab PROGRAM --root KEY FILE...

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { difference } from "../../deploy/verifier/js/audit/difference.js";
import { answered } from "./support/fixtures.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true,
  options: { lab: { type: "string" }, root: { type: "string" } } });
const statuses = (answer) => answer.checks.map(({ code, status }) => `${code} ${status}`);

let rounds = 0;
let unlike = 0;
for (const file of positionals) {
  const { stdout, stderr } = spawnSync(values.lab, ["audit", file, "--root", values.root, "--json"],
    { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (stdout === "") throw new Error(stderr);
  const theirs = JSON.parse(stdout);
  const ours = answered(readFileSync(file, "latin1"), [values.root]);
  const pick = (answer) => ({ verdict: answer.verdict, code: answer.code ?? "",
    checks: statuses(answer), rounds: answer.rounds ?? [] });
  rounds += theirs.rounds?.length ?? 0;
  if (!isDeepStrictEqual(pick(ours), pick(theirs))) {
    unlike += 1;
    console.log(file, ...difference(pick(theirs), pick(ours), "answer"));
  }
}
console.log(`${positionals.length} files, ${rounds} rounds, ${unlike} files unlike`);
process.exitCode = unlike > 0 ? 1 : 0;
