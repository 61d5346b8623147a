// Cards, drawn. A card is a code, as the server writes it: Ah, Tc, Jk.

import { cardOf, isRed, JOKER, rankOf } from "/verify/js/cards.js";

import { h, svg } from "./dom.js";

const RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

// Each in a box of 24 by 24.
const PIPS = {
  c: "M12 1.8a5 5 0 0 0-4.3 7.6 5 5 0 1 0 3 8.8c-.2 1.8-.9 3.2-2.3 4h7.2c-1.4-.8-2.1-2.2-2.3-4a5 5 0 1 0 3-8.8A5 5 0 0 0 12 1.8z",
  d: "M12 1.2c2.4 4 5 7.5 8 10.8-3 3.3-5.6 6.8-8 10.8-2.4-4-5-7.5-8-10.8 3-3.3 5.6-6.8 8-10.8z",
  h: "M12 22C8.5 17.4 2 13.5 2 7.9A5.4 5.4 0 0 1 12 5.4a5.4 5.4 0 0 1 10 2.5C22 13.5 15.5 17.4 12 22z",
  s: "M12 1.4c3.3 4.7 9.2 7.9 9.2 12.7a4.6 4.6 0 0 1-8.2 2.9c.1 2.2.9 4 2.6 5.2H8.4c1.7-1.2 2.5-3 2.6-5.2a4.6 4.6 0 0 1-8.2-2.9c0-4.8 5.9-8 9.2-12.7z",
};
const STAR = "M12 1l3 7.2 7.8.6-6 5 1.9 7.6L12 17.3l-6.7 4.1 1.9-7.6-6-5 7.8-.6z";
const CROWN = "M3 19V7l5 5 4-8 4 8 5-5v12z";

// Where the pips of a number card are, in a face of 100 by 140. Those below the middle are upside down.
const [LEFT, MID, RIGHT] = [39, 51, 63];
const column = (x, ...ys) => ys.map((y) => [x, y]);
const sides = (...ys) => [...column(LEFT, ...ys), ...column(RIGHT, ...ys)];
const PLACES = {
  2: column(MID, 28, 112), 3: column(MID, 28, 70, 112), 4: sides(28, 112), 5: [...sides(28, 112), [MID, 70]],
  6: sides(28, 70, 112), 7: [...sides(28, 70, 112), [MID, 49]], 8: [...sides(28, 70, 112), [MID, 49], [MID, 91]],
  9: [...sides(26, 55, 85, 114), [MID, 70]], 10: [...sides(26, 55, 85, 114), [MID, 40], [MID, 100]],
};

const mark = (path, x, y, size, turned = false) => svg("path", {
  d: path,
  transform: `translate(${x} ${y}) rotate(${turned ? 180 : 0}) scale(${size / 24}) translate(-12 -12)`,
});

export const isJoker = (code) => code === "Jk";
export const letterOf = (code) => (code[0] === "T" ? "10" : code[0]);
export const spoken = (code) => (isJoker(code) ? "joker" : `${RANKS[rankOf(cardOf(code)) - 2]} of ${SUITS[code[1]]}`);
const toneOf = (code) => {
  if (isJoker(code)) return "joker";
  return isRed(cardOf(code)) ? "red" : "black";
};

function corner(code) {
  if (isJoker(code)) return [mark(STAR, 15, 20, 22)];
  const letter = letterOf(code);
  return [
    svg("text", { x: letter === "10" ? 16.5 : 14.5, y: 27, class: letter === "10" ? "index ten" : "index",
      "text-anchor": "middle" }, letter),
    mark(PIPS[code[1]], 14.5, 41, 17),
  ];
}

function middle(code) {
  if (isJoker(code)) {
    return [mark(STAR, 50, 62, 46),
      svg("text", { x: 50, y: 108, class: "word", "text-anchor": "middle" }, "JOKER")];
  }
  const rank = rankOf(cardOf(code));
  const pip = PIPS[code[1]];
  if (rank === 14) return [mark(pip, 50, 74, 50)];
  if (rank > 10) {
    return [
      svg("rect", { x: 29, y: 16, width: 43, height: 108, rx: 5, class: "court" }),
      mark(CROWN, 50.5, 37, 22),
      svg("text", { x: 50.5, y: 88, class: "letter", "text-anchor": "middle" }, code[0]),
      mark(pip, 50.5, 107, 20),
    ];
  }
  return PLACES[rank].map(([x, y]) => mark(pip, x, y, 17.5, y > 70));
}

// The picture of a card. It is decoration: its container has the name as text.
export function face(code) {
  const turned = svg("g", { transform: "rotate(180 50 70)" }, corner(code));
  return svg("svg", { viewBox: "0 0 100 140", class: `face ${toneOf(code)}`, "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, class: "paper" }),
    corner(code), middle(code), turned);
}

// A small card, which has room for its rank and suit alone.
export function smallFace(code) {
  const content = isJoker(code) ? [mark(STAR, 50, 70, 64)]
    : [svg("text", { x: 50, y: 64, class: "big", "text-anchor": "middle" }, letterOf(code)),
      mark(PIPS[code[1]], 50, 102, 46)];
  return svg("svg", { viewBox: "0 0 100 140", class: `face ${toneOf(code)}`, "aria-hidden": "true", focusable: "false" },
    svg("rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 12, class: "paper" }), content);
}

export const suitMark = (suit, more = "") =>
  svg("svg", { viewBox: "0 0 24 24", class: `suit ${more}`, "aria-hidden": "true" }, svg("path", { d: PIPS[suit] }));

// Cards to look at, in a row.
export const row = (codes, { small = false } = {}) => h("ul", { class: small ? "cards small" : "cards" },
  codes.map((code) => h("li", { class: "slot" }, h("span", { class: "card" },
    small ? smallFace(code) : face(code), h("span", { class: "unseen" }, spoken(code))))));

// Cards face down.
export const backs = (count, { small = false } = {}) => h("div", { class: small ? "cards small backs" : "cards backs",
  role: "img", "aria-label": `${count} cards, face down` },
Array.from({ length: count }, () => h("span", { class: "slot" }, h("span", { class: "card back" }))));

// Highest first, the joker in front.
export const byRank = (codes) => [...codes].sort((a, b) => {
  const [x, y] = [cardOf(a), cardOf(b)];
  return Number(y === JOKER) - Number(x === JOKER) || rankOf(y) - rankOf(x) || y - x;
});
