// A locked, chained round with client seeds and signed decisions: the code of a platform.
//
//   node locked_round.mjs URL CA LEDGER_KEY ROOT TOKEN

import { readFileSync } from "node:fs";
import { FileSigner, Ledger, SeatKey, SqliteStore, Table, commitment, connect, newSeed, readRoot } from "@paigow/client";

const [url, ca, ledgerKey, root, token] = process.argv.slice(2);
if (token === undefined) throw new TypeError("locked_round.mjs URL CA LEDGER_KEY ROOT TOKEN");
const engine = connect({ url, ca: readFileSync(ca), token });
const ledger = new Ledger(new FileSigner(ledgerKey), await SqliteStore.open("ledger.db", "mark"));
const table = await Table.open(engine, ledger, "T1", { ruleset: "express", root: readRoot(root) });

// Each player's browser makes these.
const seeds = { 1: newSeed(), 4: newSeed() };
const keys = { 1: await SeatKey.generate(), 4: await SeatKey.generate() };

const round = await table.nextRound();
const prefixes = await round.commitPrefixes();
await round.open({
  1: { commit: await commitment(prefixes.get(1), seeds[1]), publicKey: keys[1].publicKey },
  4: { commit: await commitment(prefixes.get(4), seeds[4]), publicKey: keys[4].publicKey },
});
const dealt = await round.deal({
  currency: { code: "USD", exponent: 2 },
  wagers: [{ seat: 1, bet: "base", amountMinor: 25_00n }, { seat: 1, bet: "dynasty", amountMinor: 5_00n },
    { seat: 4, bet: "base", amountMinor: 100_00n }],
}, seeds);
for (const { seat, cards } of dealt.hands) {
  console.log("seat", seat, ...cards);
  const toSign = await round.decide({ seat, setting: { case: "houseWay", value: true } });
  await round.sign(seat, await keys[seat].sign(toSign));
}
const settled = await round.settle();
for (const { seat, netMinor } of settled.seats) console.log("seat", seat, "net", netMinor);
process.exit(0);
