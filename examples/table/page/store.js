// The browser's memory, except the keys of rounds. Every reader copes with a store that is empty or blocked.

function read(store, name) {
  try {
    return JSON.parse(store.getItem(name));
  } catch {
    return null;
  }
}

function write(store, name, value) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, JSON.stringify(value));
  } catch {
    // A full or blocked store: the page works without it until it is closed.
  }
}

// The player: { token, name, balance_minor }.
const PLAYER = "paigow.player";
export const loadPlayer = () => read(localStorage, PLAYER);
export const savePlayer = (player) => write(localStorage, PLAYER, player);

// The last wagers at a table, for "Same bet again".
export const loadWagers = (table) => read(localStorage, `paigow.wagers.${table}`);
export const saveWagers = (table, wagers) => write(localStorage, `paigow.wagers.${table}`, wagers);

// The keys of root and witness that this browser saw first at this server: a server that shows others later is not
// believed.
const ROOTS = "paigow.roots";
const spelling = ({ roots, threshold, witnesses }) =>
  JSON.stringify([[...roots].sort(), threshold, [...witnesses].sort()]);

export function pinRoots(verify) {
  const pinned = read(localStorage, ROOTS);
  if (pinned === null || pinned.witnesses === undefined) {
    // A browser that was here before the server had a witness keeps its root keys.
    const since = new Date().toISOString().slice(0, 10);
    const first = { ...verify, since, ...pinned, witnesses: verify.witnesses };
    write(localStorage, ROOTS, first);
    return { ...first, changed: spelling(first) !== spelling(verify) };
  }
  return { ...pinned, changed: spelling(pinned) !== spelling(verify) };
}

export function replaceRoots(verify) {
  write(localStorage, ROOTS, null);
  return pinRoots(verify);
}

// The last rounds of this session, newest first.
const HISTORY = "paigow.history";
const KEPT = 20;
export const loadHistory = () => read(sessionStorage, HISTORY) ?? [];

export function addToHistory(entry) {
  const others = loadHistory().filter((one) => one.id !== entry.id);
  if (others.length < loadHistory().length) return;
  write(sessionStorage, HISTORY, [entry, ...others].slice(0, KEPT));
}
