// The player's side: a seed, and a key for the round. It uses WebCrypto, in browsers and in Node.

/** Returns 32 random bytes: the client seed of a seat, for one round. */
export function newSeed(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** Returns the commitment to a seed, in hexadecimal; `prefix` is the seat's, of `Round.commitPrefixes`. */
export async function commitment(prefix: Uint8Array, seed: Uint8Array): Promise<string> {
  const both = new Uint8Array([...prefix, ...seed]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", both)));
}

/** The key with which a player signs the decisions of one round. */
export class SeatKey {
  private constructor(private readonly key: CryptoKey, readonly publicKey: string) {}

  /** Makes a key. */
  static async generate(): Promise<SeatKey> {
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]) as CryptoKeyPair;
    return new SeatKey(pair.privateKey, hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))));
  }

  /** Returns the signature of `toSign`, 64 bytes. */
  async sign(toSign: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign("Ed25519", this.key, new Uint8Array(toSign)));
  }
}

/** Returns bytes in hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
