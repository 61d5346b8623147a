// Hands and bonus rows: the tables of the rules, and counts of hands that outside analyses publish.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rules } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { rowOf } = await load("js/bets.js");
const { cardOf, choose } = await load("js/cards.js");
const { categoryOf, compare, highValue, isFoul, lowValue, rankingOf } = await load("js/hands.js");

const cards = (text) => text.split(" ").map(cardOf);
const bet = (ruleset, id) => [...rules.rulesets.values()].find((one) => one.id === ruleset)
  .bets.find((one) => one.id === id);
const row = (ruleset, id, hand) => rowOf(bet(ruleset, id), cards(hand))?.id ?? "lose";

// Published rows: express table 1, tables 2 to 7, Protection, Outlaw 9 with `no_pair`.
const LUHN_AQ = "natural-luhn-tao-wheel-with-aq-suited";
const JUDGED = [
  ["As Ks Qs Js Jk Ah Qh", "natural-royal-flush-with-aq-suited", "royal-flush-a-qs", "lose", "royal-flush"],
  ["As Ks Qs Js Ts Jk Qh", "royal-flush", "royal-flush", "lose", "royal-flush"],
  ["As Ks Qs Js Ts Kh Qh", "royal-flush", "royal-flush", "lose", "royal-flush-and-royal-match"],
  ["As 2s 3s 4s 5s Jk 9d", "straight-flush", "straight-flush", "lose", "straight-flush"],
  ["As 2s 3s 4s 5s 6s Kd", "luhn-tao-wheel", "straight-flush", "a-5-natural-straight-flush", "straight-flush"],
  ["As 2s 3s 4s 5s Ah Qh", LUHN_AQ, "straight-flush", "a-5-natural-straight-flush", "straight-flush"],
  ["As 2s 3s 4s 5s 6s 7s", "seven-card-natural-straight-flush", "natural-7-card-s-f", "lose", "7-card-straight-flush"],
  ["As 2s 3s 4s 5s 6s Jk", "seven-card-wild-straight-flush", "wild-7-card-s-f", "lose", "7-card-straight-flush-with-joker"],
  ["8s 9s Ts Js Qs Ks As", "seven-card-natural-straight-flush", "natural-7-card-s-f", "lose", "7-card-straight-flush"],
  ["5s 5h 5d 6c 7s 8d 9c", "three-of-a-kind", "3-of-a-kind", "lose", "three-of-a-kind"],
  ["As Jk Kc Kh 4c 4d 9s", "lose", "three-pair", "lose", "three-pairs"],
  ["Kc Kd 7c 7d 3h 3s Jk", "lose", "three-pair", "lose", "three-pairs"],
  ["Ac Jk 2c 2d 3h 3s 4h", "straight", "straight", "lose", "straight"],
  ["Jk 2s 4h 6d 8c Ts Qh", "lose", "lose", "ace-high", "lose"],
  ["Jk Ac Ad Kc Kd 7h 7d", "full-house", "full-house", "lose", "full-house"],
  ["Jk Ah Ad Kh Kd 7d 6h", "full-house", "full-house", "lose", "full-house"],
  ["2h 3h 4d 5d 7h 8h 9d", "lose", "lose", "9-high-pai-gow", "9-high-seven-cards"],
  ["2h 3d 4d 5h 7h 8d Td", "lose", "lose", "ten-high", "10-high-seven-cards"],
  ["2h 2d 9h 9d Kh Kd 4d", "lose", "three-pair", "lose", "three-pairs"],
  ["2h 3h 4h 5d 6d 7d Kd", "straight", "straight", "lose", "straight"],
  ["Jk 3h 4h 5h 9d Td Kd", "lose", "lose", "ace-high", "seven-cards-all-red-or-black-with-a-joker"],
  ["Jk Ah 4h 5h 9d Td 2d", "straight", "straight", "lose", "straight"],
];

test("the hands worth a test", () => {
  for (const [hand, one, two, protection, outlaw] of JUDGED) {
    assert.equal(row("express", "dynasty", hand), one, hand);
    assert.equal(row("express-2", "dynasty", hand), two, hand);
    assert.equal(row("express", "protection", hand), protection, hand);
    assert.equal(row("mikes", "outlaw_9", hand), outlaw, hand);
  }
});

test("every three-card hand, counted", () => {
  const counts = {};
  const mania = bet("mania", "three_card");
  const deck = Array.from({ length: 53 }, (_, card) => card);
  for (const three of choose(deck, 3)) {
    const id = rowOf(mania, three)?.id ?? "nothing";
    counts[id] = (counts[id] ?? 0) + 1;
  }
  assert.deepEqual(counts, { "st-flush-no-joker": 48, "3-of-a-kind": 58, "straight-flush": 100,
    straight: 1020, flush: 1308, "one-pair": 3912, nothing: 16980 });
});

test("a joker that is wild makes the most of either hand", () => {
  const wild = rankingOf({ wheel: "second", joker: "wild" });
  const category = (five) => categoryOf(highValue(cards(five), wild));
  assert.equal(category("Kc Kd Kh Ks Jk"), "five of a kind");
  assert.equal(category("Ac Ad Ah As Jk"), "five aces");
  assert.equal(category("Kc Kd 2h 2s Jk"), "full house");
  assert.equal(category("2c 2d 9h Ks Jk"), "three of a kind");
  assert.equal(category("2c 7d 9h Ks Jk"), "pair");
  assert.deepEqual(lowValue(cards("7h Jk"), wild), [1, 7, 7]);
});

test("A-2-3-4-5 is the second-highest straight, or the lowest", () => {
  const [broadway, wheel, king, six] =
    ["As Kd Qd Jd Td", "As 2d 3d 4d 5d", "Ks Qd Jd Td 9d", "6s 5d 4d 3d 2d"].map(cards);
  const order = (way) => [broadway, wheel, king, six].map((hand) => highValue(hand, rankingOf({ wheel: way })));
  const [a, b, c, d] = order("second");
  assert.ok(compare(a, b) > 0 && compare(b, c) > 0 && compare(c, d) > 0);
  const [, lowest, , next] = order("lowest");
  assert.ok(compare(lowest, next) < 0);
  // The joker makes the higher of two straights.
  assert.equal(compare(highValue(cards("2s 3d 4d 5d Jk")), b), 0);
});

test("the joker is an ace, or the highest card that a flush lacks", () => {
  assert.deepEqual(highValue(cards("Ah Kh 9h 5h Jk")), highValue(cards("Ah Kh Qh 9h 5h")));
  assert.deepEqual(highValue(cards("Ah Ad Ac As Jk")), [11, 14]);
  assert.deepEqual(lowValue(cards("Ah Jk")), [1, 14, 14]);
});

test("foul hands", () => {
  const foul = (low, high) => isFoul(cards(low), highValue(cards(high)));
  assert.ok(foul("2c 2d", "As Kd 9c 8c 3d"));
  assert.ok(foul("Ks Kd", "Qs Qd 2c 3c 4d"));
  assert.ok(!foul("Qs Qd", "Qc Qh 2c 3c 4d"));
  assert.ok(foul("As 2d", "Ks Qd 9c 8c 3d"));
  assert.ok(!foul("As Kd", "2c 2d 9c 8c 3d"));
  assert.ok(!foul("As Ad", "2c 2d 3c 3d 9h"));
  // Mini: the joker in front of ace high is legal, in front of king high foul.
  assert.ok(!foul("Jk", "As Qd 9c 8c 3d"));
  assert.ok(foul("Jk", "Ks Qd 9c 8c 3d"));
});
