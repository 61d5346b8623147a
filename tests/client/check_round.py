"""Checks a settled round with nothing but Python: seed, commitment, deck and dice."""
import base64, hashlib, hmac, json, struct, sys

def enc(label, *fields):
    head = bytes([len(label)]) + label.encode() + bytes([len(fields)])
    return head + b"".join(struct.pack("<I", len(f)) + f for f in fields)

def words(key, stream):
    """The ChaCha20 keystream as 32-bit words; the stream is eight ASCII bytes."""
    def rotate(x, n): return (x << n | x >> 32 - n) & 0xFFFFFFFF
    def quarter(s, a, b, c, d):
        for x, y, z, n in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            s[z] = rotate(s[z] ^ s[x], n)
    counter = 0
    while True:
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key),
                 counter & 0xFFFFFFFF, counter >> 32, *struct.unpack("<2I", stream)]
        s = start[:]
        for _ in range(10):
            for i in range(4): quarter(s, i, 4 + i, 8 + i, 12 + i)
            for i in range(4): quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(s, start))
        counter += 1

def uniform(stream, bound):
    """A word of the incomplete block at the top is thrown away, so no card is favoured."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in stream if word < limit) % bound

records = {}
for line in open(sys.argv[1], "rb"):
    envelope = json.loads(line)
    kind = envelope["payloadType"].split(".")[2]
    records.setdefault(kind, json.loads(base64.b64decode(envelope["payload"])))
ticket, wagers, deal, settle = (records[k] for k in ("ticket", "lock", "deal", "settle"))

unhex = bytes.fromhex
seed, round_id = unhex(settle["server_seed"]), unhex(ticket["round_id"])
commit = enc("pge/v1/commit", seed, round_id, unhex(ticket["ruleset"]), ticket["engine"].encode())
print("the server seed opens the commitment:", hashlib.sha256(commit).hexdigest() == ticket["commit"])

seeds = [bytes([int(s)]) + unhex(w["client_seed"])
         for s, w in sorted(wagers["seats"].items()) if "client_seed" in w]
block = enc("pge/v1/client-seeds", *seeds)
key = hmac.digest(seed, enc("pge/v1/round-seed", round_id, block, b""), "sha256")
print("the round seed follows from the seeds:", key.hex() == settle["round_seed"])

deck, stream = list(range(53)), words(key, b"pge.deck")
for i in range(52):
    j = i + uniform(stream, 53 - i)
    deck[i], deck[j] = deck[j], deck[i]
print("the deck follows from the round seed:", deck == settle["deck"])
shown = hashlib.sha256(enc("pge/v1/deck-commit", key, bytes(deck))).hexdigest()
print("the deck is the one committed to at the deal:", shown == deal["deck_commit"])

throw = words(key, b"pge.dice")
dice = [1 + uniform(throw, 6) for _ in range(3)]
print("the dice, if any, follow from the round seed:", deal["dice"] in (dice, []))
