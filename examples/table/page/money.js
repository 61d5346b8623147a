// Amounts are whole minor units. Nothing here divides: a decimal point is put into the digits.

const SIGNS = { USD: "$", EUR: "€", GBP: "£" };

// Returns an amount as people write it: 123456 of USD is $1,234.56.
export function amountText(minor, { code, exponent }) {
  const negative = minor < 0;
  const digits = String(negative ? -minor : minor).padStart(exponent + 1, "0");
  const at = digits.length - exponent;
  const whole = digits.slice(0, at).replace(/\B(?=(\d{3})+$)/g, ",");
  const text = whole + (exponent > 0 ? `.${digits.slice(at)}` : "");
  const sign = SIGNS[code];
  return (negative ? "−" : "") + (sign === undefined ? `${text} ${code}` : sign + text);
}

// The same without a fraction that is zero: $25.
export function shortText(minor, { code, exponent }) {
  const zeros = `.${"0".repeat(exponent)}`;
  const text = amountText(minor, { code, exponent });
  return exponent > 0 ? text.replace(zeros, "") : text;
}

// A gain or a loss, with its sign.
export const netText = (minor, currency) => (minor > 0 ? "+" : "") + amountText(minor, currency);

// How many minor units one major unit has.
export function majorUnit(exponent) {
  let unit = 1;
  for (let i = 0; i < exponent; i++) unit *= 10;
  return unit;
}
