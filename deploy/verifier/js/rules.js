// Rulesets and house ways by their content hashes, which are computed here from the very bytes of
// the files (D9).

import { toHex } from "./bytes.js";
import { houseWayHash, rulesetHash } from "./seeds.js";
import { parseToml } from "./toml.js";

export class Rules {
  // `files`: { rulesets: [text], houseWays: [text] }
  constructor({ rulesets, houseWays }) {
    this.rulesets = new Map();
    this.houseWays = new Map();
    for (const text of houseWays) this.addHouseWay(text);
    for (const text of rulesets) this.addRuleset(text);
  }

  addHouseWay(text) {
    const houseWay = parseToml(text);
    this.houseWays.set(toHex(houseWayHash(houseWay.id, text)), houseWay);
  }

  addRuleset(text) {
    const ruleset = parseToml(text);
    this.rulesets.set(toHex(rulesetHash(ruleset.id, text)), ruleset);
  }

  ruleset(hash) {
    return this.rulesets.get(hash) ?? null;
  }

  houseWayOf(ruleset) {
    return this.houseWays.get(ruleset.house_way.hash) ?? null;
  }
}
