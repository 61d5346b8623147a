// Text of a page that is too faint on what is behind it, by WCAG 2.2: 4.5 to 1, large text 3 to 1.

// Runs in the page. Colours are computed ones, `rgb(..)` or `rgba(..)` and nothing else here.
function faintText() {
  const read = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[0-9.]+/g).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (front, back) => {
    const mix = (name) => front[name] * front.alpha + back[name] * (1 - front.alpha);
    return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
  };
  const light = ({ red, green, blue }) => {
    const [r, g, b] = [red, green, blue].map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(read(getComputedStyle(one).backgroundColor));
      if (layers.at(-1).alpha === 1) break;
    }
    return layers.reduceRight((back, front) => over(front, back));
  };
  const faint = [];
  const judge = (element, text, color) => {
    const { fontSize, fontWeight } = getComputedStyle(element);
    const pixels = parseFloat(fontSize);
    const enough = pixels >= 24 || (pixels >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
    const back = behind(element);
    const [high, low] = [light(over(read(color), back)), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < enough) faint.push(`${ratio.toFixed(2)} ${element.tagName}: ${text.slice(0, 40)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    const shown = element.checkVisibility() && element.tagName !== "SCRIPT";
    if (text && shown) judge(element, text, getComputedStyle(element).color);
  }
  for (const input of document.querySelectorAll("[placeholder]")) {
    judge(input, input.placeholder, getComputedStyle(input, "::placeholder").color);
  }
  return faint;
}

export const FAINT = `(${faintText})()`;
