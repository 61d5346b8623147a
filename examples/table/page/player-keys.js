// The seed and the key of each round, in IndexedDB: a reload in the middle of a round finds them again. The private
// key cannot be exported. The seed is stored as bytes, as the browser has to send it.

import { toHex } from "/verify/js/bytes.js";

import { commitTo } from "./records.js";

const STORE = "rounds";
const KEPT = 60;
const ALGORITHM = { name: "Ed25519" };

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

let opened = null;
function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("paigow-table", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

const store = async (mode) => (await database()).transaction(STORE, mode).objectStore(STORE);

export const idOf = (table, { epoch, round_no: number }) => `${table}/${epoch}/${number}`;

export const loadRound = async (table, round) => (await done((await store("readonly")).get(idOf(table, round)))) ?? null;
export const saveRound = async (kept) => done((await store("readwrite")).put(kept));

export async function canSign() {
  try {
    await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

// Returns the seed and key of a round. A bet that is sent again keeps them, unless the seed has left this browser:
// a seed is for one ticket only.
export async function keysFor(table, round, seat, prefix) {
  const kept = await loadRound(table, round);
  if (kept !== null && kept.prefix === prefix && kept.seat === seat && kept.ticketHash === null) return kept;
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  const made = {
    id: idOf(table, round), table, round, seat, prefix, seed, at: Date.now(),
    commit: await commitTo(prefix, seed),
    privateKey: pair.privateKey,
    publicKey: toHex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))),
    // The seed was sent for this ticket. The key signed this low hand, for the deal with this hash. The page showed these
    // cards.
    ticket: null, ticketHash: null, low: null, doubles: false, deal: null, cards: [],
  };
  await saveRound(made);
  await forgetOld();
  return made;
}

export async function signWith(kept, bytes) {
  return toHex(new Uint8Array(await crypto.subtle.sign(ALGORITHM, kept.privateKey, bytes)));
}

async function forgetOld() {
  const all = await done((await store("readonly")).getAll());
  const old = all.sort((a, b) => b.at - a.at).slice(KEPT);
  for (const { id } of old) await done((await store("readwrite")).delete(id));
}
