// Rulesets and house ways by their content hashes, which are computed here from the bytes of the
// files (D9).

import { toHex } from "./bytes.js";
import { houseWayHash, rulesetHash } from "./seeds.js";
import { BadPayload } from "./payload.js";
import { checkHouseWay, checkRuleset } from "./rules-file.js";
import { NotToml, parseToml } from "./toml.js";

// The file is not a rules file, or it has an unknown key or word.
export class BadRules extends Error {}

function read(text, check) {
  let file;
  try {
    file = parseToml(text);
    check(file);
  } catch (error) {
    if (!(error instanceof BadPayload || error instanceof NotToml)) throw error;
    throw new BadRules(`${file?.id ?? "a rules file"}: ${error.message}`);
  }
  return file;
}

// Sorts rules files into house ways, which have clauses, and rulesets.
export function sorted(texts) {
  const isHouseWay = (text) => Object.hasOwn(read(text, () => {}), "clause");
  return { houseWays: texts.filter(isHouseWay), rulesets: texts.filter((text) => !isHouseWay(text)) };
}

export class Rules {
  // `files`: { rulesets: [text], houseWays: [text] }
  constructor({ rulesets, houseWays }) {
    this.rulesets = new Map();
    this.houseWays = new Map();
    for (const text of houseWays) this.addHouseWay(text);
    for (const text of rulesets) this.addRuleset(text);
  }

  addHouseWay(text) {
    const houseWay = read(text, checkHouseWay);
    this.houseWays.set(toHex(houseWayHash(houseWay.id, text)), houseWay);
  }

  addRuleset(text) {
    const ruleset = read(text, checkRuleset);
    if (this.houseWayOf(ruleset) === null) {
      throw new BadRules(`${ruleset.id}: its house way ${ruleset.house_way.id} is not among the rule files`);
    }
    this.rulesets.set(toHex(rulesetHash(ruleset.id, text)), ruleset);
  }

  ruleset(hash) {
    return this.rulesets.get(hash) ?? null;
  }

  houseWayOf(ruleset) {
    return this.houseWays.get(ruleset.house_way.hash) ?? null;
  }
}
