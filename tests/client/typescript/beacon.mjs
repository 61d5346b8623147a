// Plays rounds that wait for a beacon with the TypeScript client, and has their source fail.
//
//   node beacon.mjs --client FOLDER --server URL --ledger-key FILE --root FILE --database FILE --table NAME --locks FOLDER
//     --kit FILE --transcript FILE [--dies yes]
//
// tests/client/python/beacon.py does the same, and says what it is.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const option = { type: "string" };
const { values } = parseArgs({ options: { client: option, server: option, "ledger-key": option, root: option,
  database: option, table: option, locks: option, kit: option, transcript: option, dies: option } });
const { BeaconUnavailable, FileSigner, Ledger, PaigowError, SqliteStore, Table, TooLate, connect, readRoot } =
  await import(pathToFileURL(`${values.client}/dist/index.js`).href);
const { roundOf } = await import(pathToFileURL(`${values.client}/dist/beacon.js`).href);

const { signatures } = JSON.parse(readFileSync(values.kit, "utf8"));
const SHEET = { currency: { code: "USD", exponent: 2 }, wagers: [{ seat: 1, bet: "base", amountMinor: 2500n }] };
const engine = connect({ url: values.server, deadlineMs: 10_000, patienceMs: 60_000 });
const ledger = new Ledger(new FileSigner(values["ledger-key"]),
  await SqliteStore.open(values.database, `${values.database}.mark`));
const terms = { ruleset: "express", root: readRoot(values.root) };

// The lead is too short: the server says which rounds of the beacon it takes.
const table = (signature, now) => Table.open(engine, ledger, values.table, { ...terms,
  beacon: { signature, lead: 0, records: values.locks, ...(now && { now }) } });
const down = async (round) => { throw new Error(`the relay is down, asked for ${round}`); };
const dies = () => new Promise(() => process.kill(process.pid, "SIGKILL"));

async function mustFail(kind, words, step) {
  const failed = await step.then(() => undefined, (error) => error);
  assert(failed instanceof kind && failed.message.includes(words), `no ${kind.name} of ${words}: ${failed}`);
}

await mustFail(PaigowError, "pass BeaconSettings", Table.open(engine, ledger, values.table, terms));
let first = await (await table(values.dies ? dies : down)).nextRound();
await first.open();
console.log("waits for", String(roundOf(await first.ticket())));
await mustFail(BeaconUnavailable, "the relay is down", first.deal(SHEET));
const [lock, ...others] = readdirSync(values.locks);
assert(others.length === 0 && readFileSync(join(values.locks, lock), "utf8").split("\n").length === 2, "not one line");
// A relay that gives the value of another round.
const again = await (await table(async (round) => signatures[round + 1n])).nextRound();
await mustFail(BeaconUnavailable, "BEACON_SIGNATURE", again.deal());
const playing = await table(async (round) => signatures[round]);
first = await playing.nextRound();
await first.deal();
await first.decide({ seat: 1, setting: { case: "houseWay", value: true } });
await first.settle();
// The value never comes.
const second = await (await table(down)).nextRound();
await second.open();
await mustFail(BeaconUnavailable, "the relay is down", second.deal(SHEET));
await second.void();
// Betting takes too long.
const late = await (await table(down, () => Date.now() / 1000 + 1000)).nextRound();
await (await playing.nextRound()).open();
await mustFail(TooLate, "no wagers are locked", late.deal(SHEET));
await late.void();
// Nobody has asked for the round.
const fourth = await playing.nextRound();
await fourth.void();
assert.deepEqual(readdirSync(values.locks), [], "a file of a closed round is left");
writeFileSync(values.transcript, await playing.transcript([first, second, late, fourth]));
process.exit(0);
