// The terms of conditions, each with its negation, on hands chosen by hand; and conditions that are refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rules } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { asksChoice, rowOf } = await load("js/bets.js");
const { cardOf } = await load("js/cards.js");
const { holds } = await load("js/conditions.js");
const { BadPayload } = await load("js/payload.js");
const { checkRuleset } = await load("js/rules-file.js");
const { finalLines, resultsOf } = await load("js/settle.js");
const { Refused, readSheet } = await load("js/sheet.js");
const { parseToml } = await load("js/toml.js");

const cards = (text) => text.split(" ").map(cardOf);

// Checks a term and its negation: they hold for all of `yes`, and for none of `no`.
function check(looksAt, term, yes, no, choice) {
  assert.ok(yes.length > 0 && no.length > 0 && yes.length + no.length >= 4, term);
  for (const [hands, expected] of [[yes, true], [no, false]]) {
    for (const hand of hands) {
      assert.equal(holds(term, looksAt, cards(hand), { choice }), expected, `${term}: ${hand}`);
      assert.equal(holds(`no_${term}`, looksAt, cards(hand), { choice }), !expected, `no_${term}: ${hand}`);
    }
  }
}

// A term, hands for which it holds, hands for which it does not.
const ON_SEVEN = [
  ["five_aces", ["As Ah Ad Ac Jk 2c 3d", "Jk Ac Kd Ad Qh Ah As"], ["As Ah Ad Ac Kc 2c 3d", "As Ah Ad Jk Kc Kd 3d"]],
  ["royal_flush", ["As Ks Qs Js Ts 2c 3d", "As Ks Qs Jk Ts 2c 3d", "9s Ts Js Qs Ks Jk 2d"],
    ["9s Ts Js Qs Ks 2c 3d", "As Ks Qs Js Tc 2s 3s", "As 2s 3s 4s 5s Jk 9d"]],
  ["straight_flush", ["5h 6h 7h 8h 9h Kc Kd", "Ah 2h Jk 4h 5h Kc Kd", "As Ks Qs Js Ts 2c 3d"],
    ["5h 6h 7h 8h 9c Kh 2h", "Qh Kh Ah 2h 3h 9c 9d", "5h 6h Jk 8h 9c Kh 2h"]],
  ["four_of_a_kind", ["8c 8d 8h 8s Kc Kd 2s", "Ac Ad Ah Jk Kc Kd 2s", "As Ah Ad Ac Jk 2c 3d"],
    ["8c 8d 8h Jk Kc Kd 2s", "Ac Ad Jk Kc Kd Ks 2s"]],
  ["full_house", ["8c 8d 8h Kc Kd 3h 2s", "Ac Ad Jk Kc Kd 3h 2s", "8c 8d 8h 8s Kc Kd 2s", "8c 8d 8h Ks Kc Kd 2s",
    "8c 8d 8h Ac Jk 4d 2s"], ["8c 8d Jk Kc Kd 3h 2s", "8c 8d 8h 8s Kc Qd 2s", "8c 8d 8h Jk 4d 3d 2s"]],
  ["flush", ["2c 5c 9c Jc Kc 3d 4d", "2c 5c 9c Jk Kc 3d 4d", "5h 6h 7h 8h 9h Kc Kd", "As Ks Qs Jk Ts 2c 3d"],
    ["2c 5c 9c Jc Kd 3d 4d", "2c 5c 9c Jk Kd 3d 4d"]],
  ["straight", ["5c 6d 7h 8s 9c Kd Kh", "Ac 2d 3h 4s Jk Kd Kh", "Tc Jd Qh Kd Ah 2c 2d", "5h 6h 7h 8h 9h Kc Kd",
    "5c 6d Jk 8s 9c Kd Kh"], ["Qc Kd Ah 2s 3c 9d 9h", "5c 6d 7h 8s Tc Kd Kh", "5c 6d Jk 8s Tc Kd Kh"]],
  ["three_of_a_kind",
    ["8c 8d 8h Kc Qd 3h 2s", "Ac Ad Jk Kc Qd 3h 2s", "8c 8d 8h 8s Kc Kd Ks", "8c 8d 8h Kc Kd 3h 2s"],
    ["8c 8d Jk Kc Kd 3h 2s", "Ac Jk Kc Kd Qd 3h 2s"]],
  ["two_pair", ["8c 8d Kc Kd Qd 3h 2s", "Ac Jk Kc Kd Qd 3h 2s", "8c 8d 8h Kc Kd 3h 2s"],
    ["8c 8d 8h 8s Kc Qd 2s", "8c 8d Jk Kc Qd 3h 2s"]],
  ["pair", ["8c 8d Kc Td Qd 3h 2s", "Ac Jk 8c Td Qd 3h 2s", "8c 8d 8h Kc Qd 3h 2s", "8c 8d 8h Kc Kd 3h 2s"],
    ["8c 9d Kc Td Qd 3h 2s", "Jk 9d Kc Td 5d 3h 2s"]],
  ["natural_royal_flush", ["As Ks Qs Js Ts Jk 3d", "As Ks Qs Js Ts 2c 3d"],
    ["As Ks Qs Jk Ts 2c 3d", "9s Ts Js Qs Ks Jk 2d"]],
  ["natural_straight_flush", ["5h 6h 7h 8h 9h Jk Kd", "Ah 2h 3h 4h 5h Kc Kd"],
    ["5h 6h Jk 8h 9h Kc Kd", "5h 6h 7h 8h 9c Jk 2h"]],
  ["natural_four_of_a_kind", ["8c 8d 8h 8s Jk Kd 2s", "Ac Ad Ah As Jk Kd 2s"],
    ["Ac Ad Ah Jk Kc Kd 2s", "8c 8d 8h Jk Kc Kd 2s"]],
  ["natural_full_house", ["8c 8d 8h Kc Kd Jk 2s", "8c 8d 8h Kc Kd 3h 2s"],
    ["Ac Ad Jk Kc Kd 3h 2s", "8c 8d 8h Ac Jk 4d 2s"]],
  ["natural_flush", ["2c 5c 9c Jc Kc Jk 4d", "2c 5c 9c Jc Kc 3d 4d"], ["2c 5c 9c Jk Kc 3d 4d", "2c 5c 9c Jk Kd 3d 4d"]],
  ["natural_straight", ["5c 6d 7h 8s 9c Jk Kh", "Ac 2d 3h 4s 5d Kd Kh"],
    ["Ac 2d 3h 4s Jk Kd Kh", "5c 6d Jk 8s 9c Kd Kh"]],
  ["natural_three_of_a_kind", ["8c 8d 8h Kc Jk 3h 2s", "Ac Ad As Kc Qd 3h 2s"],
    ["Ac Ad Jk Kc Qd 3h 2s", "8c 8d Jk Kc Kd 3h 2s"]],
  ["natural_two_pair", ["Jk 8d Kc Kd 8c 3h 2s", "8c 8d 8h Kc Kd 3h 2s"],
    ["Ac Jk Kc Kd Qd 3h 2s", "8c 8d Jk Kc Qd 3h 2s"]],
  ["natural_pair", ["8c 8d Kc Jk Qd 3h 2s", "Ac Ad 8c Jk Qd 3h 2s"], ["Ac Jk 8c Td Qd 3h 2s", "Jk 9d Kc Td 5d 3h 2s"]],
  ["pai_gow", ["2h 3h 4d 5d 7h 8h 9d", "Jk 2s 4h 6d 8c Ts Qh"],
    ["2h 2d 9h Td Kh Qd 4d", "Ac Jk 8c Td Qd 3h 2s", "Jk 3h 4h 5h 6d Td Kd", "2c 5c 9c Jc Kc 3d 4d"]],
  ["joker", ["Jk 2s 4h 6d 8c Ts Qh", "As Ah Ad Ac Jk 2c 3d"], ["2h 3h 4d 5d 7h 8h 9d", "As Ah Ad Ac Kc 2c 3d"]],
  ["highest:Q", ["2h 3h 4d 5d 7h 8h Qd", "Qc Qd Qh 2c 3c 4c 5d"],
    ["2h 3h 4d 5d 7h Qh Kd", "2h 3h 4d 5d 7h 8h Jd", "Jk 2s 4h 6d 8c Ts Qh"]],
  ["highest:A", ["Jk 2s 4h 6d 8c Ts Qh", "Ac 2s 4h 6d 8c Ts Qh"], ["2h 3h 4d 5d 7h Qh Kd", "2h 3h 4d 5d 7h 8h Jd"]],
  ["pair:9", ["9c 9d 8h 7s 2c 3d 4h", "Ac Jk 8h 7s 2c 3d 4h", "8c 8d Tc Td 2c 3d 4h"],
    ["8c 8d 9h Ts 2c 3d 4h", "9c Jk Kh 7s 2c 3d 4h"]],
  ["pair:A", ["Ac Jk 8h 7s 2c 3d 4h", "Ac Ad Ah 7s 2c 3d 4h"], ["Kc Kd Ah 7s 2c 3d 4h", "Kc Kd Jk 7s 2c 3d 4h"]],
  ["pairs:0", ["2h 3h 4d 5d 7h 8h 9d", "Jk 9d Kc Td 5d 3h 2s"], ["8c 8d Kc Td Qd 3h 2s", "Ac Jk 8c Td Qd 3h 2s"]],
  ["pairs:1", ["8c 8d 8h 8s Kc Qd 2s", "Ac Jk 8c Td Qd 3h 2s"], ["Jk 9d Kc Td 5d 3h 2s", "8c 8d Kc Kd Qd 3h 2s"]],
  ["pairs:2", ["Ac Jk Kc Kd Qd 3h 2s", "8c 8d 8h Kc Kd 3h 2s"], ["2h 2d 9h 9d Kh Kd 4d", "8c 8d Jk Kc Qd 3h 2s"]],
  ["pairs:3", ["2h 2d 9h 9d Kh Kd 4d", "Ac Jk 9h 9d Kh Kd Ks"], ["2h 2d 9h 9d Kh Qd 4d", "Jk 2d 9h 9d Kh Kd 4d"]],
  ["suited:4", ["2c 5c 9c Jc 3d 4d 8h", "2c 5c 9c Jk 3d 4d 8h", "2c 3c 5c 7c 9c Jc Kc"],
    ["2c 5c 9c Jd 3d 4d 8h", "2c 5c Jk Jd 3d 8h 9h"]],
  ["suited:7", ["2c 3c 5c 7c 9c Jc Kc", "2c 3c 5c Jk 9c Jc Kc"], ["2c 3c 5c 7c 9c Jc Kd", "2c 3c 5c Jk 9c Jc Kd"]],
  ["run:2", ["2c 4d 6h 8s Tc Qd Kh", "2c 4d 6h 8s Tc Qd Jk", "Ac 2d 4h 6s 8c Td Qh"],
    ["2c 4d 6h 8s Tc Qd Qh", "3c 5d 7h 9s Jc Kd 3d"]],
  ["run:6", ["3c 4d 5h 6s 7c 8d Th", "3c 4d Jk 6s 7c 8d Th", "3c 4d 5h 6s 7c 8d 9h"],
    ["3c 4d 5h 6s 7c 9d Th", "Kc Ad 2h 3s 4c 5d 7h"]],
  ["run:7", ["3c 4d 5h 6s 7c 8d 9h", "Ac 2d Jk 4s 5c 6d 7h", "8c 9d Th Js Qc Kd Ah"],
    ["3c 4d 5h 6s 7c 8d Th", "Qc Kd Ah 2s 3c 4d 5h", "3c 4d Jk 6s 7c 8d Th"]],
  ["suited_run:3", ["4c 5c 6c 9d Jh Kd Kh", "Ac 2c Jk 9d Jh Kd Kh", "Qh Kh Ah 2c 2d 7s 9s"],
    ["4c 5c 6d 9d Jh Kd 2h", "Kc Ac 2c 9d Jh 4d 6h"]],
  ["suited_run:7", ["As 2s 3s 4s 5s 6s 7s", "As 2s 3s 4s 5s 6s Jk", "8s 9s Ts Js Qs Ks As", "3s 4s 5s 6s 7s 9s Jk"],
    ["As 2s 3s 4s 5s 6s Kd", "3s 4s 5s 6s 7s Ts Jk", "As 2s 3s 4s 5s 6s Ks", "Qs Ks As 2s 3s 4s 5s"]],
  ["ranks:AAK", ["Ac Ad Kc 2c 3c 4d 5d", "Ac Kc Jk 2c 3c 4d 5d", "Ac Ad Ah Kc Kd 4d 5d"],
    ["Ac Kd Kc 2c 3c 4d 5d", "Ac Ad Qc 2c 3c 4d 5d", "Kc Kd Jk 2c 3c 4d 5d"]],
  ["ranks:7", ["7c 2d 3h 4s Tc Jd Qh", "7c 7d 7h 7s Tc Jd Qh"], ["8c 2d 3h 4s Tc Jd Qh", "8c 6d 5h 9s Jk Jd Qh"]],
  ["ranks:AAAAA32", ["As Ah Ad Ac Jk 2c 3d", "3s Ah 2d Ac Jk As Ad"], ["As Ah Ad Ac Kd 2c 3d", "As Ah Ad Ac Jk 2c 4d"]],
  ["one_suit:A2345", ["As 2s 3s 4s 5s Jk 9d", "As 2s 3s 4s 5s 6s 7s"],
    ["As 2s 3s Jk 5s 9d 8d", "As 2s 3s 4s 5h 9d 8d"]],
  ["one_suit:KQ", ["Ks Qs 2c 2d 2h 4c 9s", "Kd Qh Kh 2d 3h 4c 9s"], ["Ks Qd 2c 2d 2h 4c 9s", "Ks Jk 2c 2d 2h 4c 9s"]],
  ["one_suit:A2345+AQ", ["As 2s 3s 4s 5s Ah Qh", "Ad Qd As 2s 3s 4s 5s"],
    ["As 2s 3s 4s 5s Qs Jk", "As 2s 3s 4s 5s Ah Qd", "As 2s 3s 4s 5s Qs Ah", "As 2s 3s 4s 5s Jk Qh"]],
  ["one_suit:AK+QJ", ["As Ks Qd Jd 2c 3c 4c", "As Ks Qs Js Qd Jd 2c"],
    ["As Ks Qs Js 2d 3d 4d", "As Kd Qd Jd 2c 3c 4c"]],
  ["one_suit:AK+AK", ["As Ks Ad Kd 2c 3c 4c", "Ah Kh Ac Kc 2c Jk 4c"],
    ["As Ks Ad Kh 2c 3c 4c", "As Ks Jk Kd 2c 3c 4c"]],
  ["royal_flush_beside:AQ", ["As Ks Qs Js Jk Ah Qh", "Ah Qh As Ks Js Ts Qs"],
    ["As Ks Qs Js Ts Jk Qh", "As Ks Qs Js Ts Ah Qd", "As Ks Qs Js 9s Ah Qh"]],
  ["royal_flush_beside:K9", ["As Qs Js Ts Jk Ks 9s", "As Ks Qs Js Ts Kd 9d"],
    ["As Ks Qs Js Ts Kd 9c", "As Ks Qs Js Jk Kd 8d", "As Ks Qs Js Ts 9d Jk"]],
  ["red:3", ["2h 3d 4h 5s 7c 8c 9s", "2h 3d 4h 5s 7c 8c Jk"], ["2h 3d 4h 5d 7c 8c 9s", "2h 3d Jk 5s 7c 8c 9s"]],
  ["red:0", ["2c 3s 4c 5s 7c 8c 9s", "2c 3s 4c 5s 7c 8c Jk"], ["2h 3s 4c 5s 7c 8c 9s", "2d 3s 4c 5s 7c 8c Jk"]],
  ["black:3", ["2c 3s 4c 5d 7h 8h 9d", "2c 3s 4c 5d 7h 8h Jk"], ["2c 3s 4c 5s 7h 8h 9d", "2c 3s Jk 5d 7h 8h 9d"]],
  ["one_colour", ["2h 4h 6d 8d Th Qd Kd", "2c 4c 6s 8s Tc Qs Jk"], ["2h 4h 6d 8d Th Qc Kd", "2h 4h 6d 8d Th Qc Jk"]],
];

test("terms on seven cards", () => {
  for (const [term, yes, no] of ON_SEVEN) {
    for (const looksAt of ["seat-hand", "dealer-hand"]) check(looksAt, term, yes, no);
  }
});

test("terms on six cards", () => {
  for (const [term, yes, no] of [
    ["suited:6", ["2c 3c 5c 7c 9c Jc", "2c 3c 5c Jk 9c Jc"], ["2c 3c 5c 7c 9c Jd", "2c 3c 5c Jk 9c Jd"]],
    ["run:6", ["9c Td Jh Qs Kc Ad", "Ac 2d 3h Jk 5c 6d"], ["Kc Ad 2h 3s 4c 5d", "2c 3d 4h 5s 6c 8d"]],
    ["two_pair", ["8c 8d 8h Kc Kd Ks", "Ac Jk Kd Kc 2d 3d"], ["8c 8d 8h 8s Kd Qs", "8c 8d Jk Kd Qs 2s"]],
    ["pairs:3", ["8c 8d Kh Kc Qd Qs", "Ac Jk Kd Kc 2d 2s"], ["8c 8d 8h 8s Kd Ks", "8c 8d Jk Kd Qs Qd"]],
    ["pai_gow", ["2h 3d 4h 5s 7c 9d", "2h 4d 6h 8s Jk Td"], ["2h 3d 4h 5s Jk 9d", "2h 4h 6h 8h Jk Td"]],
  ]) check("seat-hand", term, yes, no);
});

test("terms on three cards", () => {
  for (const [term, yes, no] of [
    ["straight_flush", ["Ac 2c 3c", "Qd Kd Ad", "4h Jk 6h", "Jk Ks As"],
      ["Kc Ac 2c", "4c 5c 6d", "4c Jk 7c", "4c Jk 6d"]],
    ["flush", ["2c 7c Kc", "2d Jk 9d", "4h 5h 6h"], ["2c 7c Kd", "2d Jk 9c"]],
    ["straight", ["Ac 2d 3h", "Qc Kd Ah", "4c Jk 6d", "Jk Kc Ad", "4h 5h 6h"],
      ["Kc Ad 2h", "4c 5d 7h", "4c Jk 7d", "4c Jk 4d"]],
    ["three_of_a_kind", ["8c 8d 8h", "Ac Ad Jk"], ["8c 8d Jk", "Ac Jk Kc"]],
    ["pair", ["8c 8d Kh", "Ac Jk Kc", "8c 8d 8h"], ["8c 9d Kh", "8c Jk 9d"]],
    ["natural_straight_flush", ["Ac 2c 3c", "Qd Kd Ad"], ["4h Jk 6h", "4c 5c 6d"]],
    ["natural_flush", ["2c 7c Kc", "4h 5h 6h"], ["2d Jk 9d", "2c 7c Kd"]],
    ["natural_straight", ["Ac 2d 3h", "Qc Kd Ah"], ["4c Jk 6d", "Kc Ad 2h"]],
    ["natural_three_of_a_kind", ["8c 8d 8h", "Ac Ad As"], ["Ac Ad Jk", "8c 8d Kh"]],
    ["natural_pair", ["8c 8d Jk", "Ac Ad As"], ["Ac Jk Kc", "8c 9d Kh"]],
    ["pai_gow", ["8c Td Kh", "8c Jk 5d"], ["8c 8d Kh", "8c 9d Th", "8c Tc Kc", "Jk Ac 5d", "Jk Qc 2c"]],
    ["joker", ["Ac Jk Kc", "Jk 2c 3c"], ["Ac Ad Ah", "2c 3c 4c"]],
    ["highest:K", ["Kc 2d 3h", "Kc Kd 3h"], ["Kc Jk 3h", "Qc 2d 3h"]],
    ["pair:T", ["Tc Td 3h", "Ac Jk 3h"], ["9c 9d Ah", "Tc Jk 3h"]],
    ["pairs:0", ["Tc Jd 3h", "Tc Jk 3h"], ["Tc Td 3h", "Ac Jk 3h"]],
    ["suited:2", ["2c 9c Kd", "2c Jk Kd"], ["2c 9d Kh", "5c 5d 5h"]],
    ["run:2", ["2c Ad 9h", "2c Jk 9h"], ["2c 4d 9h", "Kc Kd 2h"]],
    ["suited_run:2", ["2c Ac 9h", "2c Jk 9h"], ["2c Ad 9h", "Kc Ad 2c"]],
    ["ranks:77A", ["7c 7d Ah", "7c Jk 7d"], ["7c 7d Kh", "7c Ad Ah"]],
    ["one_suit:AK", ["Ac Kc 2d", "Kd 2c Ad"], ["Ac Kd 2d", "Jk Kd 2d"]],
    ["red:2", ["2h 3d 4c", "2h 3d Jk"], ["2h 3d 4d", "2h 3c Jk"]],
    ["black:0", ["2h 3d 4d", "2h 3d Jk"], ["2h 3d 4c", "2h 3s Jk"]],
    ["one_colour", ["2h 3d 4d", "2c 3s Jk"], ["2h 3d 4c", "2h 3s Jk"]],
  ]) check("first-three", term, yes, no);
});

test("the colour that the wager names", () => {
  const red = ["2h 3d 4h 5d 7h 8c 9s", "2h 3d 4h 5d 7h 8c Jk"];
  const black = ["2c 3s 4c 5s 7c 8h 9d", "2c 3s 4c 5s 7c 8h Jk"];
  check("seat-hand", "named_colour:5", red, black, "red");
  check("seat-hand", "named_colour:5", black, red, "black");
  // Of the two hands with two of the colour, one has the joker in place of the second.
  check("seat-hand", "named_colour:2", [red[0], "2h 3d 4h 5d 8s 8c Jk"], [red[1], black[0]], "black");
});

test("a text is a term, of a list all hold, of lists one does", () => {
  const judged = (condition, hand) => holds(condition, "seat-hand", cards(hand));
  const [ace, queen, flush] = ["Jk 2s 4h 6d 8c Ts Qh", "2h 3h 4d 5d 7h 8h Qd", "2c 5c 9c Jc Kc 3d 4d"];
  const told = (condition) => [ace, queen, flush].map((hand) => judged(condition, hand));
  assert.deepEqual(told("pai_gow"), [true, true, false]);
  assert.deepEqual(told(["pai_gow"]), [true, true, false]);
  assert.deepEqual(told([["pai_gow"]]), [true, true, false]);
  assert.deepEqual(told(["pai_gow", "highest:Q"]), [false, true, false]);
  assert.deepEqual(told(["pai_gow", "no_highest:Q"]), [true, false, false]);
  assert.deepEqual(told([["pai_gow", "joker"], ["flush", "no_joker"]]), [true, false, true]);
  assert.deepEqual(told([["pai_gow", "no_joker"], ["highest:A"], ["flush", "joker"]]), [true, true, false]);
});

const HASH = "3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd";
// A ruleset with one bet, which has one row.
const written = ({ looksAt = "seat-hand", condition = '"flush"', hand = 7, push = null, bet = "", more = "" }) => `
schema = 1
id = "own"
family = "own"
title = "Own"
source = "None"
cards = 53
hand = ${hand}
seats = 6
joker = "semi-wild"
wheel = "second"
house_way = { id = "trump-plaza", hash = "${HASH}" }
coverage = "house"
allow_player_advantage = false
dealing = { procedure = "packets", direction = "clockwise", dice = "none", dead_hands = "all-positions" }
facts = { required = [], optional = [] }
base = { pays = "1/1"${push === null ? "" : `, push_on_dealer = ${push}`} }
[[bets]]
id = "first"
title = "First"
looks_at = "${looksAt}"
needs_base = true
${bet}
[[bets.rows]]
id = "row"
title = "Row"
pays = "1/1"
condition = ${condition}
${more}
`;
function read(more) {
  const ruleset = parseToml(written(more));
  checkRuleset(ruleset);
  return ruleset;
}
const CONDITION = "bets[0].rows[0].condition";
const refused = (more, path = CONDITION) => assert.throws(() => read(more),
  (error) => error instanceof BadPayload && error.message.startsWith(`${path}: `), `${JSON.stringify(more)} ${path}`);

const ON_HANDS = ["five_aces", "royal_flush", "four_of_a_kind", "full_house", "two_pair", "natural_royal_flush",
  "natural_four_of_a_kind", "natural_full_house", "natural_two_pair", "one_suit:A2+A2"];
const ON_CARDS = ["straight_flush", "flush", "straight", "three_of_a_kind", "pair", "natural_straight_flush",
  "natural_flush", "natural_straight", "natural_three_of_a_kind", "natural_pair", "pai_gow", "joker", "highest:2",
  "pair:T", "pairs:0", "pairs:3", "suited:2", "suited:3", "run:3", "suited_run:2", "ranks:A", "ranks:222",
  "one_suit:AK", "red:0", "red:7", "black:7", "one_colour"];
const ON_SEAT = ["named_colour:0", "named_colour:7"];
const COMPARED = ["win", "push", "lose", "high_win", "high_copy", "high_lose", "low_win", "low_copy", "low_lose"];
const ON_SET = ["low_highest:9", "high_highest:A", "high:full_house", "low_pair:3"];
const ON_BOTH = [...COMPARED, ...ON_SET, ...ON_SET.map((term) => `dealer_${term}`)];
const ON_7 = ["royal_flush_beside:AQ", "suited:7", "run:7", "suited_run:7", "ranks:AAAAAKQ"];

test("a bet has the terms of what it looks at", () => {
  for (const [looksAt, hand, terms] of [
    ["seat-hand", 7, [...ON_HANDS, ...ON_CARDS, ...ON_SEAT, ...ON_7]],
    ["seat-hand", 6, [...ON_HANDS, ...ON_CARDS, ...ON_SEAT]],
    ["dealer-hand", 7, [...ON_HANDS, ...ON_CARDS, ...ON_7]], ["dealer-hand", 6, [...ON_HANDS, ...ON_CARDS]],
    ["first-three", 7, ON_CARDS], ["house-way-hands", 7, ON_BOTH],
    ["house-way-hands", 6, ON_BOTH], ["seat-set-hands", 7, ON_SET], ["seat-set-hands", 6, ON_SET],
  ]) {
    for (const term of [...ON_HANDS, ...ON_CARDS, ...ON_SEAT, ...ON_7, ...ON_BOTH]) {
      for (const one of [term, `no_${term}`]) {
        const more = { looksAt, hand, condition: JSON.stringify(one) };
        if (terms.includes(term)) read(more);
        else refused(more);
        if (looksAt !== "dealer-hand") continue;
        const push = { hand, push: JSON.stringify(one) };
        if (terms.includes(term) || ON_SET.includes(term)) read(push);
        else refused(push, "base.push_on_dealer");
      }
    }
  }
});

test("words that are not known, and arguments out of range, are refused", () => {
  for (const term of [
    "", "no_", "flushes", "Flush", " flush", "flush ", "flush:", "flush:5", "no_no_flush", "natural_no_flush",
    "natural_five_aces", "natural_pai_gow", "natural_pair:A", "natural_joker", "joker:", "highest", "highest:",
    "highest:1", "highest:10", "highest:q", "highest:QK", "highest:Jk", "pair:", "pair:1", "pair:AA", "pairs",
    "pairs:", "pairs:4", "pairs:-1", "pairs:01", "suited:1", "suited:8", "suited:05", "suited:5.0", "suited:A",
    "run:1", "run:8", "suited_run:0", "suited_run:10", "ranks", "ranks:", "ranks:1", "ranks:AAAAAAAA", "ranks:A K",
    "one_suit:", "one_suit:A", "one_suit:AA", "one_suit:A2+", "one_suit:+A2", "one_suit:A2+A", "one_suit:A2+AA",
    "one_suit:A2+A3+A4", "royal_flush_beside", "royal_flush_beside:A", "royal_flush_beside:AA",
    "royal_flush_beside:AKQ", "royal_flush_beside:AK+AK", "red", "red:8", "black:-1", "black:", "one_colour:7",
    "named_colour", "named_colour:8", "named_colour:red", "constructor", "__proto__",
    // The former names.
    "nine_high", "three_pair", "royal_match", "one_colour_with_joker", "seven_of_colour",
    "push_with_threes_or_better",
  ]) {
    refused({ condition: JSON.stringify(term) });
  }
  for (const term of ["suited:4", "run:4", "suited_run:4", "ranks:AAAA"]) {
    refused({ looksAt: "first-three", condition: JSON.stringify(term) });
  }
  for (const term of ["low_pair", "low_pair:1", "dealer_low_pair:", "win:1", "pai_gow"]) {
    refused({ looksAt: "house-way-hands", condition: JSON.stringify(term) });
    refused({ looksAt: "seat-set-hands", condition: JSON.stringify(term) });
  }
});

test("a condition is a text, a list of texts, or a list of lists of texts", () => {
  for (const condition of ['["flush"]', '["flush", "no_joker"]', '[\n  "flush", # all\n  "no_joker",\n]', '[["flush"]]',
    '[["flush", "joker"], ["straight"]]', '[\n  ["flush", "joker"], # or\n  [\n    "straight",\n  ],\n]']) {
    read({ condition });
  }
  for (const [condition, path] of [["1", ""], ["true", ""], ["{}", ""], ["[]", ""], ["[[]]", "[0]"],
    ['[["flush"], []]', "[1]"], ['["flush", ["joker"]]', "[1]"], ['[["flush"], "joker"]', "[1]"], ["[1]", "[0]"],
    ['["flush", "wins"]', "[1]"], ['[["flush"], ["joker", "pair:1"]]', "[1][1]"], ['[[["flush"]]]', "[0][0]"]]) {
    refused({ condition }, CONDITION + path);
    refused({ push: condition }, `base.push_on_dealer${path}`);
  }
  refused({ looksAt: "named-colour", condition: '"named_colour:7"' }, "bets[0].looks_at");
  refused({ bet: 'one_colour = "any"' }, "bets[0].one_colour");
});

// The lines of seat 1, which has a base wager and one on the bet; seat 2 has a base wager.
function settled(ruleset, hands, choice) {
  const wager = { bet: "first", amount: "100", ...(choice ? { choice } : {}) };
  const base = { bet: "base", amount: "100" };
  const sheet = readSheet(ruleset, { currency: { code: "USD", exponent: 2 }, facts: {},
    seats: { 1: { wagers: [base, wager] }, 2: { wagers: [base] } } });
  const dealt = new Map(hands.map((hand, seat) => [seat, cards(hand)]));
  const results = resultsOf({ ruleset, houseWay: rules.houseWayOf(ruleset), houseWayHash: HASH, sheet, hands: dealt,
    dice: [], decisions: new Map([[1, {}], [2, {}]]) });
  return { lines: results.seats[1].lines, final: finalLines(ruleset, sheet, dealt), seats: results.seats };
}
const OTHER = "2d 3d 4h 6h 8d 9c Jc";
const won = (more, dealer, seat, choice) =>
  settled(read(more), [dealer, seat, OTHER], choice).lines[1].status === "won";

test("a bet asks for a colour where a row has a term that needs it", () => {
  const asks = (condition, more) => asksChoice(read({ condition, more }).bets[0]);
  for (const condition of ['"named_colour:7"', '"no_named_colour:7"', '["joker", "named_colour:3"]',
    '[["joker"], ["named_colour:3"]]']) assert.ok(asks(condition), condition);
  for (const condition of ['"red:7"', '[["one_colour"], ["joker"]]']) assert.ok(!asks(condition), condition);
  assert.ok(asks('"joker"', '[[bets.rows]]\nid = "b"\ntitle = "B"\npays = "push"\ncondition = "named_colour:6"'));
  const more = { condition: '[["named_colour:7"], ["joker", "named_colour:6"]]' };
  const dealer = "2c 3c 4s 6s 8c 9d Jd";
  for (const [hand, choice, wins] of [["2h 5h 7h 8h Td Qd Kd", "red", true], ["2h 5h 7h 8h Td Qd Kd", "black", false],
    ["2h 5h 7h 8h Td Qd Jk", "red", true], ["2h 5h 7h 8h Td Qd Ks", "red", false]]) {
    assert.equal(won(more, dealer, hand, choice), wins, `${hand} ${choice}`);
  }
  assert.throws(() => won(more, dealer, "2h 5h 7h 8h Td Qd Kd"), Refused);
  assert.throws(() => won({}, dealer, "2h 5h 7h 8h Td Qd Kd", "red"), Refused);
});

test("all wagers push on a condition of any form", () => {
  const seat = "Ac Ad Kc Kd Qc 5d 3h";
  const outcome = (push, dealer) => settled(read({ push }), [dealer, seat, OTHER]).seats[1].outcome;
  const [queen, joker, king] = ["2h 3h 4s 5s 7h 8h Qd", "Jk 2s 4s 6d 8c Ts Qh", "2h 3h 4s 5s 7h 8h Ks"];
  for (const [push, expected] of [
    ['"joker"', ["win", "push", "win"]], ['["pai_gow", "highest:Q"]', ["push", "win", "win"]],
    ['[["joker"], ["no_highest:Q"]]', ["win", "push", "push"]],
    // As they are set: queen behind eight and seven, ace behind queen and ten, king behind eight and seven.
    ['"low_highest:8"', ["push", "win", "push"]], ['"high:high_card"', ["push", "push", "push"]],
    ['["high_highest:Q", "no_low_highest:Q"]', ["push", "win", "win"]], ['"low_pair:2"', ["win", "win", "win"]],
  ]) assert.deepEqual([queen, joker, king].map((dealer) => outcome(push, dealer)), expected, push);
});

test("a bet on the first three looks at no other cards", () => {
  const more = { looksAt: "first-three", condition: '["pair:8", "no_three_of_a_kind"]' };
  const { final } = settled(read(more), ["2c 3c 4s 6s 8c 9d Jd", "8h 8s Kc 8d Ac Ad Ah", OTHER]);
  assert.deepEqual(final.map(([seat, { status }]) => [seat, status]), [[1, "won"]]);
  assert.ok(!won(more, "2c 3c 4s 6s 8c 9d Jd", "8h 9s Kc 8d Ac Ad Ah"));
});

// Dealer and seat, and the terms that hold for the seat's hand as the house way sets both.
const BOTH = [
  ["2c 3c 4s 6s 8c 9s Jd", "Ac Ad Kc Kd Qc 5d 3h", "win high_win low_win low_pair:K low_pair:3"],
  ["Ac Ad Kc Kd Qc 5d 3h", "2c 3c 4s 6s 8c 9s Jd", "lose high_lose low_lose dealer_low_pair:K dealer_low_pair:3"],
  ["2h 2s Kh Qh 5s 7h 9s", "Ac Ad 4c Jd 8c 9c 3h", "push high_win low_lose"],
  ["As Kh Qh 9s 7s 5h 4h", "Ad Kc Qc 9d 7c 5d 4d", "lose high_copy low_copy"],
  ["As Kh Jh 9s 7s 5h 4h", "Ad Kc Qc 9d 7c 5d 4d", "push high_copy low_win"],
  ["As Kh Qh 9s 7s 5h 4h", "Ad Kc Qc Td 7c 5d 4d", "push high_win low_copy"],
  ["2c 3c 4s 6s 8c 9s Jd", "Kc Kd Kh Ac Jk 4d 2s", "win high_win low_win low_pair:A low_pair:K low_pair:3"],
  ["Kc Kd Kh Ac Jk 4d 2s", "2c 3c 4s 6s 8c 9s Jd",
    "lose high_lose low_lose dealer_low_pair:A dealer_low_pair:K dealer_low_pair:3"],
];

test("terms on both hands as the house way sets them", () => {
  const pairs = ["low_pair:3", "low_pair:K", "low_pair:A", "dealer_low_pair:3", "dealer_low_pair:K"];
  for (const term of [...COMPARED, ...pairs]) {
    for (const [dealer, seat, held] of BOTH) {
      const expected = held.split(" ").includes(term);
      for (const [condition, wins] of [[term, expected], [`no_${term}`, !expected]]) {
        const more = { looksAt: "house-way-hands", condition: JSON.stringify(condition) };
        assert.equal(won(more, dealer, seat), wins, `${condition}: ${seat} against ${dealer}`);
      }
    }
  }
});

test("the first row that holds is paid", () => {
  const rows = [{ id: "a", condition: ["flush", "joker"] }, { id: "b", condition: "flush" }];
  const bet = { looks_at: "seat-hand", rows };
  assert.equal(rowOf(bet, cards("2c 5c 9c Jk Kc 3d 4d")).id, "a");
  assert.equal(rowOf(bet, cards("2c 5c 9c Jc Kc 3d 4d")).id, "b");
  assert.equal(rowOf(bet, cards("2c 5c 9c Jc Kd 3d 4d")), null);
});
