// Checks a settlement before it is paid, with the verifier that is written from the specification.

import { readFileSync } from "node:fs";
import { NotVerified } from "./errors.js";
import type { Record } from "./gen/paigow/v1/paigow_service_pb.js";

/** The root keys that a platform trusts, and how many of them must have signed. */
export interface Root {
  readonly keys: string[];
  readonly threshold: number;
}

/** Reads `root.json` of a key ceremony. Throws a `TypeError` for any other file. */
export function readRoot(file: string): Root {
  const wrong = () => new TypeError(`${file} holds no root keys: root.json of the key ceremony is needed`);
  let read: Partial<Root>;
  try {
    read = JSON.parse(readFileSync(file, "utf8")) as Partial<Root>;
  } catch (error) {
    throw error instanceof SyntaxError ? wrong() : error;
  }
  if (!Array.isArray(read?.keys) || typeof read.threshold !== "number") throw wrong();
  return { keys: read.keys, threshold: read.threshold };
}

// The checks that a settlement must pass before it is paid.
const NEEDED = ["FORMAT", "CANONICAL", "MANIFEST_SIG", "MANIFEST_LINK", "SIGNATURES", "CHAIN", "POLICY", "ROUND_ID",
  "COMMIT", "REPLAY", "DECK_COMMIT", "CARDS_SHOWN", "RESULTS"];

interface Check {
  code: string;
  status: string;
  found?: string;
}

// The build puts the modules of the verifier page here; they have no types.
const load = (module: string) => import(new URL(`./verifier/${module}`, import.meta.url).href);

/** Returns a check of settlements. `rulesets` and `houseWays` are texts of files in addition to the published ones. */
export async function settlementCheck(root: Root, rulesets: string[] = [], houseWays: string[] = []):
  Promise<(records: Record[]) => void> {
  const [{ auditNow }, { termsOf }, data, { Rules }] = await Promise.all(
    ["audit/index.js", "audit/terms.js", "data.js", "rules.js"].map(load));
  const rules = new Rules({ rulesets: [...data.rulesets, ...rulesets], houseWays: [...data.houseWays, ...houseWays] });
  const terms = termsOf({ keys: root.keys, threshold: root.threshold, witnesses: [], manifest: undefined, after: {},
    asOf: 0, seat: null, proofs: [] });
  return (records) => {
    const text = records.map(({ envelope }) => `${Buffer.from(envelope).toString("latin1")}\n`).join("");
    const { checks } = auditNow(text, terms, rules, () => undefined) as { checks: Check[] };
    const bad = checks.find(({ status }) => status === "failed") ??
      NEEDED.map((code) => checks.find((check) => check.code === code)).find((check) => check?.status !== "passed");
    if (bad) {
      throw new NotVerified(`${bad.code} ${bad.status}: ${bad.found ?? ""}`, records.map(({ envelope }) => envelope));
    }
  };
}
