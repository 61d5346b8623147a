// Cards as people know them.

import { JOKER, isRed, nameOf, rankOf, suitOf } from "../cards.js";
import { h } from "./dom.js";

const PIPS = ["♣", "♦", "♥", "♠"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"];
const RANKS = { 11: "jack", 12: "queen", 13: "king", 14: "ace" };

export const spoken = (card) =>
  card === JOKER ? "joker" : `${RANKS[rankOf(card)] ?? rankOf(card)} of ${SUITS[suitOf(card)]}`;

const rankText = (card) => nameOf(card)[0].replace("T", "10");

export function cardView(card, extra = "") {
  const joker = card === JOKER;
  const colour = joker ? "joker" : isRed(card) ? "red" : "black";
  return h("span", { class: `card ${colour} ${extra}`, role: "img", "aria-label": spoken(card) },
    h("span", { class: "rank", "aria-hidden": "true" }, joker ? "★" : rankText(card)),
    h("span", { class: "pip", "aria-hidden": "true" }, joker ? "Jk" : PIPS[suitOf(card)]));
}

// The highest card first, as a hand is held; equal ranks together.
export function heldOrder(cards) {
  const count = (card) => cards.filter((other) => rankOf(other) === rankOf(card)).length;
  return [...cards].sort((a, b) => count(b) - count(a) || rankOf(b) - rankOf(a) || a - b);
}

export const cardRow = (cards, label) =>
  h("span", { class: "cards", role: "group", "aria-label": label }, cards.map((card) => cardView(card)));

// The dealer's hand that a deal shows before the decisions, or null.
export function exposedDealer(deal) {
  const hand = deal?.json?.dealer;
  if (hand === undefined) return null;
  return h("p", { class: "exposed" }, "Dealer, low ", cardRow(heldOrder(hand.low), "Low hand of the dealer"),
    " high ", cardRow(heldOrder(hand.high), "High hand of the dealer"));
}
