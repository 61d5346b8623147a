// The ledger of the TypeScript client as what it is: the part that must not sign twice.
//
//   node ledger.mjs FOLDER [--long]
//
// FOLDER is where the package is installed. Without TEST_POSTGRES, the folder of the socket of PostgreSQL, only
// SQLite is tested. A process is killed before any of its statements and signatures. Two processes race for one
// step. The lock of the wagers and a void over the ticket alone exclude each other. After a void nothing is dealt, and
// a deal that another process got is no record of the round. A restored database signs nothing, and one that is down
// signs nothing. Altered records are refused.
// tests/client/python/ledger.py tests the same.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomBytes, sign } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync,
  rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const client = await import(pathToFileURL(`${folder}/dist/index.js`).href);
const { CLOSE, Ledger, LedgerUnavailable, NotTheRecord, PostgresStore, Restored, Round, SignedOtherwise, SqliteStore,
  WAGERS, privateKey, publicHalf } = client;
const { LOCK, body, canonical, pae, recordHash, signed } = await import(pathToFileURL(`${folder}/dist/records.js`).href);
const pb = await import(pathToFileURL(`${folder}/dist/gen/paigow/v1/paigow_service_pb.js`).href);
const { create, toBinary } = createRequire(`${folder}/dist/index.js`)("@bufbuild/protobuf");
const KEY = privateKey(Buffer.from([...Array(32).keys()]));
const PLACE = { table: "T1", epoch: 1, roundNo: 1 };

function unsigned(payload, toSign, payloadType = LOCK) {
  const body = Buffer.from(canonical(payload));
  const envelope = Buffer.from(JSON.stringify({ payload: body.toString("base64"), payloadType, signatures: [] }));
  return { record: { envelope, signatures: [] }, toSign: toSign ?? pae(LOCK, body) };
}

const wagers = (amount, round = "b".repeat(64)) => ({ currency: { code: "USD", exponent: 2 }, facts: {},
  prev: "a".repeat(64), round_id: round, seats: { 1: { wagers: [{ amount: String(amount), bet: "base" },
    { amount: "100", bet: "dynasty" }] }, 4: { wagers: [{ amount: String(amount), bet: "base" }] } }, step: "wagers" });
const CLOSING = { actions: ["c".repeat(64)], prev: "d".repeat(64), round_id: "b".repeat(64), step: "final" };
// A void over the ticket, which the wagers follow as well.
const voided = (round = "b".repeat(64), prev = "a".repeat(64)) => ({ prev, reason: "operator", round_id: round, step: "void" });
// The locks that race, by their content: the wagers by their amount.
const raced = (content, round) => (content === "void" ? [CLOSE, voided(round)] : [WAGERS, wagers(content, round)]);

// A signer that forgets nothing: what it was given is in a file.
const signer = (log, step = () => {}) => ({ publicKey: publicHalf(KEY), sign: (toSign) => {
  step();
  appendFileSync(log, `${Buffer.from(toSign).toString("hex")}\n`);
  step();
  return sign(null, toSign, KEY);
} });
const signedIn = (log) => {
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  const found = {};
  for (const line of new Set(lines)) {
    const { step } = JSON.parse(Buffer.from(line, "hex").toString().replace(/^DSSEv1 \d+ \S+ \d+ /, ""));
    found[step] = (found[step] ?? 0) + 1;
  }
  return found;
};

class Sqlite {
  static title = "SQLite";
  kind = SqliteStore;

  constructor(home) {
    this.file = join(home, "ledger.db");
    this.backup = join(home, "backup");
    this.mark = join(home, "mark");
  }

  open = (kind = this.kind) => kind.open(this.file, this.mark);
  accept = (firstEpoch) => SqliteStore.acceptRestore(this.file, this.mark, firstEpoch);
  remove = () => ["", "-wal", "-shm"].forEach((end) => rmSync(`${this.file}${end}`, { force: true, recursive: true }));

  async backUp(store) {
    await store.close();
    copyFileSync(this.file, this.backup);
  }

  async restore() {
    this.remove();
    copyFileSync(this.backup, this.file);
  }

  async takeDown(store) {
    await store.close();
    this.remove();
    mkdirSync(this.file);
  }

  end() {}
}

class Postgres {
  static title = "PostgreSQL";
  kind = PostgresStore;

  constructor(home) {
    this.mark = join(home, "mark");
    this.database = `ledger_${randomBytes(6).toString("hex")}`;
  }

  get config() {
    return { host: process.env.TEST_POSTGRES, user: "paigow", database: this.database };
  }

  async admin(...statements) {
    const pg = createRequire(`${folder}/dist/index.js`)("pg");
    const admin = new pg.Client({ ...this.config, database: "postgres" });
    await admin.connect();
    for (const statement of statements) await admin.query(statement);
    await admin.end();
  }

  open = async (kind = this.kind) => {
    await this.admin(`SELECT 1`);
    // The ledger's transactions do not depend on the default of the server.
    await this.admin(`CREATE DATABASE ${this.database}`,
      `ALTER DATABASE ${this.database} SET default_transaction_isolation = 'repeatable read'`)
      .catch((error) => assert.equal(error.code, "42P04"));
    return kind.open(this.config, this.mark);
  };

  accept = (firstEpoch) => PostgresStore.acceptRestore(this.config, this.mark, firstEpoch);
  leave = () => this.admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${this.database}'`);

  async backUp() {
    await this.leave();
    await this.admin(`CREATE DATABASE ${this.database}_backup TEMPLATE ${this.database}`);
  }

  async restore() {
    await this.leave();
    await this.admin(`DROP DATABASE ${this.database}`, `CREATE DATABASE ${this.database} TEMPLATE ${this.database}_backup`);
  }

  async takeDown() {
    await this.leave();
    await this.admin(`ALTER DATABASE ${this.database} ALLOW_CONNECTIONS false`);
  }
}

// Locks both steps of a round, as a process that may have died in the middle before.
async function play(store, log, amount, step) {
  const ledger = new Ledger(signer(log, step), store);
  await store.begin(PLACE, Buffer.from("opening"));
  await store.put(PLACE, "ticket", Buffer.from("ticket"));
  if (!await ledger.stored(PLACE, WAGERS)) {
    await ledger.lock(PLACE, WAGERS, unsigned(wagers(amount)), wagers(amount), Buffer.from(String(amount)));
  }
  if (!await ledger.stored(PLACE, CLOSE)) await ledger.lock(PLACE, CLOSE, unsigned(CLOSING), CLOSING, Buffer.from("actions"));
  await store.put(PLACE, "closed", Buffer.from("closed"));
  await store.close();
}

// A store that kills its process before its n-th statement, commit or mark.
function dying(kind, at) {
  let count = 0;
  const step = () => {
    if (++count === at) process.kill(process.pid, "SIGKILL");
  };
  return [class extends kind {
    execute(...parts) {
      step();
      return super.execute(...parts);
    }

    async commit() {
      await super.commit();
      step();
    }

    raiseMark(...parts) {
      step();
      super.raiseMark(...parts);
      step();
    }
  }, step];
}

const places = { Sqlite, Postgres };
const command = (...parts) => [process.argv[1], folder, "--child", ...parts.map(String)];
const child = (...parts) => spawnSync(process.execPath, command(...parts), { stdio: ["ignore", "ignore", "pipe"] });

async function inChild([mode, name, home, database, ...more]) {
  const place = new places[name](home);
  if (database) place.database = database;
  const log = join(home, "log");
  if (mode === "play") {
    const [kind, step] = dying(place.kind, Number(more[1]));
    await play(await place.open(kind), log, Number(more[0]), step);
  } else {
    const [content, other, round] = more;
    const store = await place.open();
    const [step, payload] = raced(content, round);
    const at = { ...PLACE, roundNo: parseInt(round, 16) };
    const lock = new Ledger(signer(log), store).lock(at, step, unsigned(payload), payload, Buffer.from(content));
    await lock.then(() => console.log("signed"), (error) => {
      assert(error instanceof SignedOtherwise && Buffer.from(error.locked).toString() === other, error);
      console.log("otherwise");
    });
    await store.close();
  }
}

async function inFolder(make, work) {
  const home = mkdtempSync(join(tmpdir(), "ledger-"));
  try {
    return await work(new make(home), join(home, "log"), home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function kills(make, every) {
  let killed = 0;
  for (let at = every; ; at += every) {
    const isOver = await inFolder(make, async (place, log, home) => {
      const first = child("play", make.name, home, place.database ?? "", 500, at);
      assert(first.status === 0 || first.signal === "SIGKILL", String(first.stderr));
      const second = child("play", make.name, home, place.database ?? "", 900, 0);
      assert.equal(second.status, 0, `killed at ${at}: ${second.stderr}`);
      assert.deepEqual(signedIn(log), { wagers: 1, final: 1 }, `killed at ${at}`);
      const marks = readdirSync(place.mark);
      // A claim that was rolled back leaves a gap in PostgreSQL's count.
      assert(marks.length === 1 && Number(marks[0].split("-")[1]) >= 2, `killed at ${at}: ${marks} do not count a lock that was signed`);
      return first.status === 0;
    });
    if (isOver) return killed;
    killed += 1;
  }
}

// Two processes lock at once, each one of two locks that exclude each other.
async function races(make, count, one, other) {
  await inFolder(make, async (place, log, home) => {
    await (await place.open()).close();
    for (let number = 1; number <= count; number += 1) {
      const round = number.toString(16).padStart(64, "0");
      const said = await Promise.all([[one, other], [other, one]].map((contents) => new Promise((resolve) => {
        const racer = spawn(process.execPath, command("race", make.name, home, place.database ?? "", ...contents, round));
        let printed = "";
        racer.stdout.on("data", (data) => { printed += data; });
        racer.stderr.on("data", (data) => { printed += data; });
        racer.on("close", () => resolve(printed.trim()));
      })));
      assert.deepEqual(said.sort(), ["otherwise", "signed"], `race ${number}`);
    }
    assert.equal(Object.values(signedIn(log)).reduce((sum, more) => sum + more), count);
  });
}

// The wagers and a void over the ticket alone exclude each other. A void over ticket and wagers is signed.
const excluded = (make) => inFolder(make, async (place, log) => {
  const store = await place.open();
  const ledger = new Ledger(signer(log), store);
  const lock = (at, step, payload, content) => ledger.lock(at, step, unsigned(payload), payload, Buffer.from(content));
  const isRefused = (at, step, payload, content, locked) => assert.rejects(lock(at, step, payload, content),
    (error) => error instanceof SignedOtherwise && Buffer.from(error.locked).toString() === locked);
  const made = await lock(PLACE, WAGERS, wagers(500), "500");
  await isRefused(PLACE, CLOSE, voided(), "void", "500");
  assert.deepEqual(signedIn(log), { wagers: 1 });
  await lock(PLACE, CLOSE, voided(undefined, recordHash(made.envelope)), "void");
  assert.deepEqual(await lock(PLACE, WAGERS, wagers(500), "500"), made);
  const second = { ...PLACE, roundNo: 2 };
  await lock(second, CLOSE, voided(), "void");
  await isRefused(second, WAGERS, wagers(500), "500", "void");
  await store.spend(second, CLOSE);
  await isRefused(second, WAGERS, wagers(500), "500", "void");
  assert.deepEqual(signedIn(log), { wagers: 1, void: 2 });
  await store.close();
});

// Over a locked void nothing is dealt, and a deal that another process got is no record of the round.
const voidLocked = (make) => inFolder(make, async (place, log) => {
  const store = await place.open();
  const ledger = new Ledger(signer(log), store);
  const record = (payload, kind) => unsigned(payload, undefined, `application/vnd.pge.${kind}.v1+json`).record;
  const written = (name, value) => toBinary(pb[`${name}Schema`], create(pb[`${name}Schema`], value));
  const ticket = record({ round_id: "b".repeat(64) }, "ticket");
  await store.begin(PLACE, Buffer.from("opening"));
  await store.put(PLACE, "ticket", written("Record", ticket));
  const sheet = { ...wagers(500), prev: recordHash(ticket.envelope) };
  const locked = await ledger.lock(PLACE, WAGERS, unsigned(sheet), sheet, written("WagerSheet", {}));
  const after = voided(undefined, recordHash(locked.envelope));
  const close = ledger.record(await ledger.lock(PLACE, CLOSE, unsigned(after), after, Buffer.from("void")));
  // It has no engine: whatever it does, it does without a call.
  const round = new Round({ ledger, policy: { lockRequired: true } }, PLACE);
  await assert.rejects(round.deal(), (error) => error instanceof SignedOtherwise && /void it/.test(error.message) &&
    Buffer.from(error.locked).toString() === "void");
  const begun = [ticket, ledger.record(locked)];
  const dealt = { records: [...begun, record({ visible: {} }, "deal")] };
  await store.put(PLACE, "dealt", written("DealResponse", dealt));
  await store.put(PLACE, "closed", Buffer.concat([Buffer.from("V"), written("VoidRoundResponse", { records: [close] })]));
  const lines = (records) => records.map(({ envelope }) => Buffer.from(envelope).toString());
  assert.deepEqual(lines(await round.records()), lines([...begun, close]));
  await store.close();
});

const restored = (make) => inFolder(make, async (place, log) => {
  await play(await place.open(), log, 500);
  await place.backUp(await place.open());
  const own = await place.open();
  const second = { ...PLACE, roundNo: 2 };
  const lock = (store, at, amount) => new Ledger(signer(log), store)
    .lock(at, WAGERS, unsigned(wagers(amount, "e".repeat(64))), wagers(amount, "e".repeat(64)), Buffer.from(""));
  await lock(own, second, 700);
  await own.close();
  const before = readFileSync(log, "utf8");
  await place.restore();
  await assert.rejects(place.open(), Restored);
  await assert.rejects(lock(own, second, 300), Restored);
  assert.equal(readFileSync(log, "utf8"), before);
  await assert.rejects(place.accept(0));
  const accepted = await place.accept(2);
  await assert.rejects(lock(accepted, second, 300), Restored);
  await lock(accepted, { ...PLACE, epoch: 2 }, 300);
  await accepted.close();
  await (await place.open()).close();
});

// A lock names the key that has signed it, whichever the ledger has now.
const anotherKey = (make) => inFolder(make, async (place, log) => {
  const store = await place.open();
  await new Ledger(signer(log), store).lock(PLACE, WAGERS, unsigned(wagers(500)), wagers(500), Buffer.from(""));
  const key = privateKey(randomBytes(32));
  const later = new Ledger({ publicKey: publicHalf(key), sign: (toSign) => sign(null, toSign, key) }, store);
  const line = Buffer.from(later.record(await later.stored(PLACE, WAGERS)).envelope).toString();
  assert.equal(JSON.parse(line).signatures[0].sig, sign(null, pae(LOCK, Buffer.from(canonical(wagers(500)))), KEY).toString("base64"));
  await store.close();
});

// A signed lock is written as the engine writes it: as the locks of the published transcript.
const publishedLocks = () => {
  const lines = readFileSync(new URL("../../vectors/transcript-example.jsonl", import.meta.url), "utf8").trim().split("\n");
  const key = body(Buffer.from(lines[0])).tenants[0].ledger_keys[0].pk;
  const locks = lines.filter((line) => JSON.parse(line).payloadType === LOCK);
  assert.equal(locks.length, 2);
  for (const line of locks) {
    const read = JSON.parse(line);
    const bare = Buffer.from(JSON.stringify({ ...read, signatures: [] }));
    assert.equal(Buffer.from(signed(bare, key, Buffer.from(read.signatures[0].sig, "base64"))).toString(), line);
  }
};

const down = (make) => inFolder(make, async (place, log) => {
  const store = await place.open();
  await place.takeDown(store);
  for (let again = 0; again < 2; again += 1) {
    const lock = new Ledger(signer(log), store).lock(PLACE, WAGERS, unsigned(wagers(500)), wagers(500), Buffer.from(""));
    await assert.rejects(lock, LedgerUnavailable);
  }
  assert(!existsSync(log), "without a database something was signed");
  await store.close();
});

// Copies of a payload that differ in one place each.
function* alterations(payload, value = payload, path = []) {
  const altered = (alter) => {
    const copy = structuredClone(payload);
    alter(path.reduce((at, name) => at[name], copy));
    return copy;
  };
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object") yield* alterations(payload, inner, [...path, name]);
    else yield altered((at) => { at[name] = typeof inner === "number" ? inner + 1 : `${inner}0`; });
    if (!Array.isArray(value)) yield altered((at) => { delete at[name]; });
  }
  if (Array.isArray(value)) {
    yield altered((at) => { at.push(at[0]); });
    yield altered((at) => { at.pop(); });
  } else {
    yield altered((at) => { at.spare = "1"; });
  }
}

const mutations = (make) => inFolder(make, async (place, log) => {
  const store = await place.open();
  const ledger = new Ledger(signer(log), store);
  const payload = wagers(500);
  const good = unsigned(payload);
  const wrong = [...alterations(payload)].map((altered) => unsigned(altered));
  for (const toSign of [good.toSign.subarray(1), Buffer.concat([good.toSign, Buffer.from(" ")]), Buffer.from("")]) {
    wrong.push(unsigned(payload, toSign));
  }
  for (const one of wrong) await assert.rejects(ledger.lock(PLACE, WAGERS, one, payload, Buffer.from("")), NotTheRecord);
  assert(!existsSync(log), "an altered record was signed");
  await store.close();
  return wrong.length;
});

if (process.argv[3] === "--child") {
  await inChild(process.argv.slice(4));
} else {
  publishedLocks();
  const isLong = process.argv.includes("--long");
  for (const make of process.env.TEST_POSTGRES ? [Sqlite, Postgres] : [Sqlite]) {
    const killed = await kills(make, isLong ? 1 : make === Sqlite ? 6 : 17);
    await races(make, isLong ? 100 : 3, "500", "900");
    await races(make, isLong ? 100 : 10, "500", "void");
    await excluded(make);
    await voidLocked(make);
    await restored(make);
    await anotherKey(make);
    await down(make);
    console.log(`${make.title}: killed at ${killed} places, raced, voided, restored, down, and ${await mutations(make)} ` +
      "altered records: no step was signed twice, and no record was followed by two locks");
  }
}
process.exit(0);
