// Exact amounts: BigInt minor units, fractions as [numerator, denominator].

export function fraction(text) {
  const [num, den = "1"] = text.split("/");
  return [BigInt(num), BigInt(den)];
}

// The share of the meter that a row pays; null if it pays odds, or pushes.
export const meterShare = ({ pays }) => (pays.startsWith("meter:") ? fraction(pays.slice("meter:".length)) : null);

const ROUND = {
  "down": (num, den) => num / den,
  "up": (num, den) => (num + den - 1n) / den,
  "half-up": (num, den) => (2n * num + den) / (2n * den),
};

// `amount` times a fraction, to a multiple of `increment`. An exact result needs no rounding. Amounts
// are not negative.
export function times(amount, [num, den], rounding = null, increment = 1n) {
  const top = amount * num;
  const bottom = den * increment;
  if (top % bottom === 0n) return (top / bottom) * increment;
  return ROUND[rounding ?? "down"](top, bottom) * increment;
}

export const total = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0n);
export const smaller = (a, b) => (a < b ? a : b);

// An amount as people write it: minor units 1234 of exponent 2 are 12.34.
export function decimal(minor, exponent) {
  const sign = minor < 0n ? "-" : "";
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, "0");
  const at = digits.length - exponent;
  return sign + digits.slice(0, at) + (exponent > 0 ? `.${digits.slice(at)}` : "");
}
