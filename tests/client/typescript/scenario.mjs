// Plays tests/client/scenario.json with the TypeScript client, from the step that an earlier process reached.
//
//   node scenario.mjs --client FOLDER --scenario FILE --server URL --ledger-key FILE --root FILE --database FILE
//     --transcript FILE [--die-after N] [--postgres FOLDER:DATABASE]
//
// FOLDER is where the package is installed. With --die-after the process is killed (SIGKILL) when the N-th
// answer has come, before it is looked at. Before a round with a rotation it prints the number of the rotation, and
// waits for a line on standard input.

import assert from "node:assert/strict";
import { createHash, sign } from "node:crypto";
import { readFileSync, readSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const option = { type: "string" };
const { values } = parseArgs({ options: { client: option, scenario: option, server: option, "ledger-key": option,
  root: option, database: option, transcript: option, "die-after": option, postgres: option } });
const paigow = await import(pathToFileURL(`${values.client}/dist/index.js`).href);
const { BadSignature, FileSigner, Ledger, PostgresStore, Refused, Round, SqliteStore, Table, WrongStep, commitment, connect,
  privateKey, publicHalf, readRoot } = paigow;

// 32 bytes of a word of the scenario.
const bytesOf = (word) => createHash("sha256").update(word).digest();

function dying(engine, after) {
  let left = after;
  const call = engine.call.bind(engine);
  engine.call = async (method, request) => {
    const answer = await call(method, request);
    if (--left === 0) process.kill(process.pid, "SIGKILL");
    return answer;
  };
  return engine;
}

const sheetOf = (wagers) => ({ currency: { code: "USD", exponent: 2 },
  wagers: Object.entries(wagers).sort().flatMap(([seat, bets]) => Object.entries(bets).map(([bet, amount]) =>
    ({ seat: Number(seat), bet, amountMinor: BigInt(amount) }))) });

async function mustRefuse(kind, step) {
  const refused = await step.catch((error) => error);
  if (!(refused instanceof kind)) throw new Error(`no ${kind.name}: ${refused}`);
}

async function play(round, plan) {
  const seats = Object.entries(plan.seats).map(([seat, facts]) => ({ seat: Number(seat), ...facts }));
  const keys = new Map(seats.filter(({ key }) => key).map(({ seat, key }) => [seat, privateKey(bytesOf(key))]));
  const seeds = Object.fromEntries(seats.filter(({ seed }) => seed).map(({ seat, seed }) => [seat, bytesOf(seed)]));
  // They decide, and go before they sign.
  const absent = seats.filter(({ absent }) => absent).map(({ seat }) => seat);
  if (!await round.ticket()) {
    // Unless an earlier process has asked for the right one.
    const refused = await round.open({ 1: { commit: "no commitment" } }).catch((error) => error);
    if (refused instanceof Error && (refused.code !== "InvalidArgument" || refused.fields.length === 0)) throw refused;
  }
  if (!await round.ticket()) {
    const prefixes = Object.keys(seeds).length > 0 ? await round.commitPrefixes() : new Map();
    const opening = {};
    for (const { seat } of seats) {
      opening[seat] = { ...(seeds[seat] && { commit: await commitment(prefixes.get(seat), seeds[seat]) }),
        ...(keys.has(seat) && { publicKey: publicHalf(keys.get(seat)), houseWayIfAbsent: absent.includes(seat) }) };
    }
    await round.open(opening);
  }
  if (plan.end === "void_opened") return round.void();
  if (plan.refused && !await round.sheet()) {
    const refused = await round.deal(sheetOf({ [seats[0].seat]: plan.refused.wagers })).catch((error) => error);
    if (!(refused instanceof Refused) || refused.reason !== plan.refused.reason || refused.fields.length === 0) {
      throw new Error(`the wagers are not refused: ${refused}`);
    }
  }
  const dealt = await round.deal(sheetOf(Object.fromEntries(seats.map(({ seat, wagers }) => [seat, wagers]))), seeds);
  if (plan.end === "void_dealt") return round.void();
  if (await round.isLocked()) return round.settle();
  for (const { seat, decision } of seats) {
    const { cards } = dealt.hands.find((hand) => hand.seat === seat);
    const setting = decision === "house_way" ? { case: "houseWay", value: true } :
      { case: "low", value: { cards: cards.slice(0, 2) } };
    const toSign = await round.decide({ seat, setting });
    if (!keys.has(seat) || absent.includes(seat)) continue;
    await mustRefuse(WrongStep, round.settle());
    await mustRefuse(BadSignature, round.sign(seat, new Uint8Array(64)));
    await round.sign(seat, sign(null, toSign, keys.get(seat)));
  }
  return round.settle(absent);
}

const scenario = JSON.parse(readFileSync(values.scenario, "utf8"));
const patience = { deadlineMs: 10_000, patienceMs: 60_000 };
const engine = dying(connect({ url: values.server, ...patience }), Number(values["die-after"] ?? 0));
const [host, database] = (values.postgres ?? "").split(":");
const store = values.postgres ? await PostgresStore.open({ host, database, user: "paigow" }, values.database) :
  await SqliteStore.open(values.database, `${values.database}.mark`);
const ledger = new Ledger(new FileSigner(values["ledger-key"]), store);
const table = await Table.open(engine, ledger, scenario.table, { ruleset: scenario.ruleset, root: readRoot(values.root) });
// A development server begins with epoch 1.
let [epoch, roundNo, rotations] = [1, 0, 0];
const rounds = [];
for (const plan of scenario.rounds) {
  if (plan.rotation) rotations += 1;
  if (plan.rotation === "epoch") [epoch, roundNo] = [epoch + 1, 0];
  roundNo += 1;
  const round = new Round(table, { table: scenario.table, epoch, roundNo });
  rounds.push(round);
  if (await round.isClosed()) continue;
  if (plan.rotation) {
    console.log(`rotation ${rotations}`);
    readSync(0, Buffer.alloc(1));
  }
  const next = await table.nextRound();
  assert.deepEqual(next.place, round.place);
  await play(next, plan);
}
writeFileSync(values.transcript, await table.transcript(rounds));
await store.close();
process.exit(0);
