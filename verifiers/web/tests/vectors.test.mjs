// The shared vectors: encoding, seeds, shuffles, house ways (made by other implementations).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VECTORS, audited, rules } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { ascii, fromHex, toHex, u32, u64 } = await load("js/bytes.js");
const { cardOf, nameOf } = await load("js/cards.js");
const { block } = await load("js/chacha20.js");
const { categoryOf, highValue } = await load("js/hands.js");
const { setByHouseWay } = await load("js/house-way/index.js");
const seeds = await load("js/seeds.js");
const { deckOf, diceOf, uniform } = await load("js/shuffle.js");

const vectors = JSON.parse(readFileSync(`${VECTORS}fairness.json`, "utf8"));

test("tuples", () => {
  for (const { label, fields, out } of vectors.enc) {
    assert.equal(toHex(seeds.enc(label, ...fields.map(fromHex))), out);
  }
});

test("unbiased numbers from scripted words, rejections included", () => {
  for (const { m, words, value, words_used: used } of vectors.uniform) {
    const rejected = [];
    const drawn = uniform(words[Symbol.iterator](), m, (word) => rejected.push(word));
    assert.equal(drawn.value, value);
    assert.equal(rejected.length + 1, used);
  }
});

test("decks, dice and key streams from round seeds", () => {
  for (const one of vectors.lab_replay) {
    const seed = fromHex(one.round_seed);
    assert.deepEqual(deckOf(seed, 53), one.deck);
    assert.deepEqual(diceOf(seed), one.dice);
    const id = [0, 4].map((at) =>
      new DataView(ascii("pge.deck").buffer).getUint32(at, true));
    const first = [...block(seed, [0, 0, ...id])].map((word) => toHex(u32(word))).join("");
    assert.equal(first, one.deck_block_0);
  }
});

test("whole rounds, every value between", () => {
  for (const { title, in: given, out } of vectors.rounds) {
    const place = { epoch: given.epoch, tenant: given.tenant, table: given.table,
      roundNo: given.round_no };
    const id = seeds.roundId(place);
    assert.equal(toHex(id), out.round_id, title);
    let server = fromHex(out.server_seed);
    if (given.suite === "derived") {
      const secret = fromHex(given.epoch_secret);
      assert.equal(toHex(seeds.epochCommit(given.epoch, secret)), out.epoch_commit, title);
      server = seeds.serverSeed(secret, fromHex(given.epoch_salt), place);
      assert.equal(toHex(server), out.server_seed, title);
    }
    const commit = seeds.roundCommit(server, id, fromHex(given.ruleset_hash), given.engine);
    assert.equal(toHex(commit), out.commit, title);
    const own = Object.entries(given.client_seeds).map(([seat, hex]) => [Number(seat), fromHex(hex)])
      .sort(([a], [b]) => a - b);
    for (const [seat, seed] of own) {
      assert.equal(toHex(seeds.clientCommit(id, seat, seed)), out.client_commits[seat], title);
    }
    const round = seeds.roundSeed(server, id, own);
    assert.equal(toHex(round), out.round_seed, title);
    const deck = deckOf(round, given.cards);
    assert.deepEqual(deck, out.deck, title);
    assert.equal(toHex(seeds.deckCommit(round, deck)), out.deck_commit, title);
    assert.deepEqual(diceOf(round), out.dice, title);
  }
});

test("numbers are little-endian", () => {
  assert.equal(toHex(u32(0x01020304)), "04030201");
  assert.equal(toHex(u64("72623859790382856")), "0807060504030201");
});

for (const id of ["mini", "mikes", "online"]) {
  test(`the house way ${id} sets every hand of its vectors, by the clause named`, () => {
    const houseWay = [...rules.houseWays.values()].find((one) => one.id === id);
    const text = readFileSync(`${VECTORS}house-ways-${id}.jsonl`, "utf8");
    const names = (cards) => cards.map(nameOf).sort();
    for (const line of text.trimEnd().split("\n")) {
      const hand = JSON.parse(line);
      const set = setByHouseWay(houseWay, hand.cards.map(cardOf));
      assert.deepEqual(names(set.low), [...hand.low].sort(), hand.id);
      assert.equal(set.clause, hand.clause, hand.id);
      assert.equal(categoryOf(highValue(set.high)), hand.high_category, hand.id);
    }
  });
}

test("the example of hashes and signatures is no transcript of a round", () => {
  const text = readFileSync(`${VECTORS}transcript-example.jsonl`, "latin1");
  const root = "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f";
  const report = audited(text, { keys: [root] });
  assert.equal(report.verdict, "mismatch");
  assert.equal(report.code, "CANONICAL");
});
