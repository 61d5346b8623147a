// A settled round in the public log, and its public value: the sentence and the picture of the verifier page. This browser
// audits the transcript for them. The server has named the keys.

import { audit, auditRound } from "/verify/js/audit/index.js";
import { termsOf } from "/verify/js/audit/terms.js";
import { houseWays, rulesets } from "/verify/js/data.js";
import { publicView } from "/verify/js/page/timeline.js";
import { Rules } from "/verify/js/rules.js";

import { h } from "./dom.js";

const SLICE_MS = 20;
const rules = new Rules({ rulesets, houseWays });

// Runs an audit in slices, so that the page stays alive.
async function inSlices(steps) {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const DEMONSTRATION = "The beacon of this table is a demonstration. This server holds its key, so it can know every value "
  + "early. What follows holds for a beacon that many parties run.";

// Returns the sentence and the picture of a transcript; null if it has neither a log nor a beacon, or a check failed.
export async function publicPart(transcript, { roots, threshold, witnesses, beacons }) {
  const terms = termsOf({ keys: roots, threshold, witnesses, beacons, asOf: Math.floor(Date.now() / 1000) });
  const report = await inSlices(audit(transcript, terms, rules));
  const [round] = report.file?.rounds ?? [];
  if (round === undefined) return null;
  const done = auditRound(round, report.world);
  const view = publicView(report, 0, { round, ...done }, "this server");
  if (view === null) return null;
  const { external } = done.audit.ticket;
  const isDemonstration = external.type === "drand" && beacons.includes(external.chain);
  return h("div", { class: "public-part", "data-test": "public" }, h("h3", {}, "In public"),
    isDemonstration ? h("p", { class: "warning", "data-test": "demonstration" }, DEMONSTRATION) : null, view);
}
