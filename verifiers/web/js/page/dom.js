// Elements without markup in strings: the content of a transcript is only ever text.

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

// A hash or a key, which people compare by its ends. The whole text is there to copy.
export const hashText = (text) => h("code", { class: "hash", title: text }, text);

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// Makes a sentence of words that are used inside another sentence elsewhere.
export const sentence = (text) =>
  `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

// A panel whose content is made when it is first opened.
export function lazyDetails(summary, make) {
  const details = h("details", {}, h("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}
