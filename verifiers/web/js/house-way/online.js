// The online chart, rules O1 to O42 with the pair rows (crates/paigow-rules/src/house_way/coded/online.toml).

import { ACE, JOKER, choose, rankOf, shapeOf, suitOf, without } from "../cards.js";
import { categoryOf, isComplete } from "../hands.js";
import { flushRows, flushSuit, leavesFlush, straightRows } from "./online-rows.js";

const KING = 13;
const TEN = 10;
const isNatural = (card) => card !== JOKER;

// All facts of a hand that the rules need.
class Asked {
  constructor(hand) {
    this.hand = hand;
    this.shape = shapeOf(hand.groups);
    this.pairs = hand.groups.filter((group) => group.cards.length === 2);
    this.big = hand.groups[0];
    this.aceAndJoker = this.pairs.find((pair) => pair.cards.includes(JOKER));
    this.suit = flushSuit(hand);
    this.flush = this.suit !== null;
    this.straight = hand.values.some((value) => categoryOf(value).startsWith("straight") ||
      categoryOf(value) === "royal flush");
  }

  has(rank) {
    return this.hand.cards.some((card) => rankOf(card) === rank);
  }

  card(rank) {
    return this.hand.cards.find((card) => rankOf(card) === rank);
  }

  leavesStraight(front) {
    return straightIn(this.hand, front);
  }
}

// Five of the remaining cards form a straight or better.
function straightIn(hand, removed) {
  const left = without(hand.cards, removed);
  return [...choose(left, 5)].some((five) => isComplete(hand.high(without(hand.cards, five))));
}

const at = (clause, front) => (front === null ? null : { low: front, clause });

const twoOf = (asked, clause) =>
  at(clause, asked.hand.pick([...choose(asked.big.cards, 2)]));

const only = (asked, clause, front) => at(clause, asked.hand.pick([front]));

const byFlush = (asked, clause) => {
  const { row, front } = flushRows(asked.hand, asked.suit);
  return at(`${clause}/${row}`, front);
};

const byStraight = (asked, clause, suit = null) => {
  const { row, front } = straightRows(asked.hand, suit);
  return at(`${clause}/${row}`, front);
};

// The pair rows of the royal flush, the straight flush (i, j, k alone) and the flush.
function pairRows(asked, prefix) {
  const { hand, pairs, suit } = asked;
  if (pairs.length === 3) return only(asked, `${prefix}k`, asked.aceAndJoker.cards);
  if (pairs.length === 2) {
    const [higher, lower] = pairs;
    if (higher.rank === ACE && (lower.rank === 2 || lower.rank === KING)) {
      return byFlush(asked, `${prefix}i`);
    }
    return only(asked, `${prefix}j`, lower.cards);
  }
  const pair = pairs[0].cards;
  if (!hand.joker) return byFlush(asked, `${prefix}f`);
  if (leavesFlush(without(hand.cards, pair))) {
    return only(asked, prefix + (asked.aceAndJoker ? "a" : "b"), pair);
  }
  if (leavesFlush(hand.cards.filter(isNatural))) return byFlush(asked, `${prefix}c`);
  if (asked.aceAndJoker && pair.some((card) => isNatural(card) && suitOf(card) === suit)) {
    return only(asked, `${prefix}d`, hand.singletons.slice(0, 2));
  }
  const off = hand.singletons.find((card) => isNatural(card) && suitOf(card) !== suit);
  const front = off === undefined ? null : only(asked, `${prefix}e`, [JOKER, off]);
  return front ?? byFlush(asked, `${prefix}ex`);
}

function royalFlush(asked) {
  if (asked.big.cards.length >= 3) return twoOf(asked, "O3") ?? byFlush(asked, "O3x");
  if (asked.pairs.length > 0) return pairRows(asked, "O4");
  return byFlush(asked, "O5");
}

function straightFlush(asked) {
  const { hand, pairs, suit } = asked;
  if (asked.shape === "3+2+1+1") {
    return only(asked, asked.big.rank === ACE ? "O6" : "O7", hand.groups[1].cards);
  }
  if (asked.big.cards.length >= 3) {
    return twoOf(asked, "O8") ?? byStraight(asked, "O8x", suit);
  }
  if (pairs.length === 1) {
    const clause = asked.aceAndJoker ? "O9" : "O10";
    return only(asked, clause, pairs[0].cards) ?? byStraight(asked, `${clause}x`, suit);
  }
  if (pairs.length > 1) return pairRows(asked, "O11");
  return byStraight(asked, "O12", suit);
}

function fullHouseBesideMore(asked) {
  const { hand, big } = asked;
  const pair = hand.groups[1].cards;
  if (asked.flush) {
    if (big.rank === ACE) return only(asked, "O21", pair);
    if (big.rank >= TEN) return twoOf(asked, "O22");
    return only(asked, "O23", pair);
  }
  if (big.rank === ACE) return only(asked, "O27", pair);
  if (big.rank > TEN) return twoOf(asked, "O28");
  return only(asked, "O29", pair);
}

function fourOfAKind(asked) {
  const { hand, big } = asked;
  const second = hand.groups[1];
  if (asked.shape === "4+3") {
    if (Math.abs(big.rank - second.rank) === 1) {
      return at("O13", hand.pick([...choose(second.cards, 2)]));
    }
    const higher = big.rank > second.rank ? big : second;
    return at("O14", hand.pick([...choose(higher.cards, 2)]));
  }
  if (asked.shape === "4+2+1") {
    return big.rank > second.rank ? twoOf(asked, "O15") : only(asked, "O16", second.cards);
  }
  return only(asked, "O17", hand.singletons.slice(0, 2));
}

function fullHouse(asked) {
  const { hand, big } = asked;
  if (asked.shape === "3+3+1") return twoOf(asked, "O37");
  if (asked.shape === "3+2+2") {
    const ranks = hand.groups.map((group) => group.rank).join();
    if (ranks === `${ACE},3,2`) return twoOf(asked, "O18");
    return only(asked, "O19", hand.groups[1].cards);
  }
  return only(asked, "O20", hand.groups[1].cards);
}

function flush(asked) {
  if (asked.big.cards.length === 3) return byFlush(asked, "O24");
  if (asked.pairs.length > 0) return pairRows(asked, "O25");
  return byFlush(asked, "O26");
}

function straightWithOnePair(asked) {
  const { hand } = asked;
  const pair = asked.pairs[0];
  if (asked.aceAndJoker) {
    const ace = pair.cards.filter(isNatural);
    if (straightIn(hand, ace)) {
      return only(asked, "O31a", [...ace, hand.singletons[0]]) ?? byStraight(asked, "O31ax");
    }
  } else if (hand.joker && asked.leavesStraight(pair.cards)) {
    return only(asked, "O31b", pair.cards);
  }
  const broadway = [ACE, 13, 12, 11, 10].every((rank) => asked.has(rank));
  if (broadway && pair.rank === KING) {
    return only(asked, "O31c", [asked.card(ACE), asked.card(12)]);
  }
  if (broadway && pair.rank >= TEN && pair.rank < KING) {
    return only(asked, "O31d", [asked.card(ACE), asked.card(KING)]);
  }
  return byStraight(asked, "O31e");
}

function straight(asked) {
  const { hand, pairs } = asked;
  if (asked.big.cards.length === 3) return byStraight(asked, "O30");
  if (pairs.length === 0) return byStraight(asked, "O32");
  if (pairs.length === 1) return straightWithOnePair(asked);
  if (pairs.length === 3) return only(asked, "O31k", asked.aceAndJoker.cards);
  const [higher, lower] = pairs;
  if (asked.leavesStraight(lower.cards)) return only(asked, "O31f", lower.cards);
  const low = lower.rank === 2 && higher.rank <= 4 && !asked.has(ACE) && !hand.joker;
  return low ? byStraight(asked, "O31i") : only(asked, "O31j", lower.cards);
}

function threeOfAKind(asked) {
  const { hand, big } = asked;
  const oneAndHighest = (clause) =>
    at(clause, hand.pick(big.cards.map((card) => [card, hand.singletons[0]])));
  if (big.rank === ACE) return oneAndHighest("O33");
  const tens = hand.singletons.filter((card) => rankOf(card) >= TEN).length;
  if (big.rank === KING && tens < 2) return oneAndHighest("O35");
  return only(asked, big.rank === KING ? "O34" : "O36", hand.singletons.slice(0, 2));
}

function pairsOrHighCard(asked) {
  const { hand, pairs } = asked;
  if (pairs.length === 1) return only(asked, "O38", hand.singletons.slice(0, 2));
  if (pairs.length === 2) return only(asked, "O39", pairs[1].cards);
  if (pairs.length === 3) return only(asked, "O40", pairs[0].cards);
  const [first, second, third, fourth] = hand.singletons.map(rankOf);
  const named = first === ACE && (second === KING || second === 12) &&
    third >= 8 && third <= 10 && (fourth === 7 || fourth === 8);
  return named
    ? only(asked, "O41", [hand.singletons[1], hand.singletons[3]])
    : only(asked, "O42", hand.singletons.slice(1, 3));
}

function rule(hand) {
  const asked = new Asked(hand);
  const best = categoryOf(hand.best);
  if (best === "five aces") {
    const kings = asked.pairs.find((pair) => pair.rank === KING);
    if (kings) return only(asked, "O1", kings.cards);
    return at("O2", hand.pick([...choose(asked.big.cards.filter(isNatural), 2)]));
  }
  if (best === "royal flush") return royalFlush(asked);
  if (best === "straight flush") return straightFlush(asked);
  if (asked.shape === "3+2+1+1" && (asked.flush || asked.straight)) {
    return fullHouseBesideMore(asked);
  }
  switch (best) {
    case "four of a kind": return fourOfAKind(asked);
    case "full house": return fullHouse(asked);
    case "flush": return flush(asked);
    case "straight": return straight(asked);
    case "three of a kind": return threeOfAKind(asked);
    default: return pairsOrHighCard(asked);
  }
}

export function setByOnline(hand) {
  const set = rule(hand);
  if (set === null) throw new Error("no rule of the online chart sets the hand");
  return set;
}
