// Elements without markup in strings: text from the server is only ever text.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export const button = (text, test, onclick, more = {}) =>
  h("button", { type: "button", class: "button", "data-test": test, onclick, ...more }, text);

// Builds the content of a place again, but only when what it shows has changed. The element with the focus is
// found again by its `data-test`; if it is gone, the place itself takes the focus, so that a keyboard stays here.
const shown = new WeakMap();
export function show(place, key, make) {
  if (shown.get(place) === key) return false;
  shown.set(place, key);
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...place.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep));
  place.replaceChildren(...[make()].flat(9).filter((child) => child instanceof Node));
  for (const one of place.querySelectorAll("details[data-keep]")) if (open.has(one.dataset.keep)) one.open = true;
  if (active !== null && active !== place) focusAgain(place, active.dataset.test);
  return true;
}

function focusAgain(place, test) {
  const same = test === undefined ? null : place.querySelector(`[data-test="${CSS.escape(test)}"]:not(:disabled)`);
  if (same !== null) {
    same.focus({ preventScroll: true });
    return;
  }
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  place.focus({ preventScroll: true });
}

// Screen readers read this text. The same sentence twice is two announcements.
export function announce(text) {
  const place = document.getElementById("announce");
  const line = h("p", {}, text);
  place.append(line);
  setTimeout(() => line.remove(), 8000);
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
