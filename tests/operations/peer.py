"""A peer that speaks HTTP/2 frame by frame, so that it can break every rule."""
import base64
import re
import select
import socket
import struct
import time

import hpack

from common import PATIENCE, SERVICE, Failed

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0, 1, 2, 3, 4, 6, 7, 8, 9)
END_STREAM, END_HEADERS, ACK = 1, 4, 1
# The default largest payload of a frame.
LARGEST_FRAME = 16_384
REFUSED_STREAM, ENHANCE_YOUR_CALM = 7, 11


def framed(message):
    """Returns a message in its gRPC frame: not compressed, its length, itself."""
    return b"\0" + struct.pack(">I", len(message)) + message


class Answer:
    """The result of a call: its headers and trailers, or the code of its reset."""

    def __init__(self):
        self.fields, self.reset, self.data, self.ended = {}, None, b"", False

    @property
    def http(self):
        return self.fields.get(":status")

    @property
    def grpc(self):
        return self.fields.get("grpc-status")

    @property
    def reason(self):
        """`ErrorInfo.reason`, or an empty text."""
        details = self.fields.get("grpc-status-details-bin", "")
        raw = base64.b64decode(details + "=" * (-len(details) % 4))
        found = re.search(rb"\n.([A-Z_]+)\x12.paigow\.v1", raw, re.S)
        return found.group(1).decode() if found else ""

    def __str__(self):
        if self.reset is not None:
            return f"reset {self.reset}"
        return f"HTTP {self.http}, status {self.grpc} {self.reason}".rstrip()


class Peer:
    """A connection whose every byte is ours. It answers pings and settings and makes room for
    what it has read, unless it is `mute`; it makes no room if it is `full`."""

    def __init__(self, port, tls=None, hello=True, settings=b"", mute=False, full=False):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.poll = select.poll()
        self.poll.register(self.socket, select.POLLIN)
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder(max_header_list_size=1 << 20)
        self.decoder.max_allowed_table_size = 1 << 16
        self.received, self.answers, self.block = b"", {}, b""
        self.goaway, self.over, self.mute, self.full = None, False, mute, full
        self.last_stream, self.pongs = -1, set()
        if hello:
            self.send(PREFACE + self.frame(SETTINGS, 0, 0, settings))

    def send(self, raw):
        """Sends bytes. Returns whether the other side still accepts them."""
        try:
            self.socket.sendall(raw)
            return True
        except (OSError, TimeoutError):
            self.over = True
            return False

    @staticmethod
    def frame(kind, flags, stream, payload=b""):
        return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(
            ">I", stream) + payload

    def head(self, path, extra=()):
        """Returns the header block of a call."""
        path = path if path.startswith("/") else f"/{SERVICE}/{path}"
        fields = [(":method", "POST"), (":scheme", "http"), (":path", path),
                  (":authority", "paigow"), ("te", "trailers"),
                  ("content-type", "application/grpc"), *extra]
        return self.encoder.encode(fields, huffman=False)

    def new_stream(self):
        self.last_stream += 2
        return self.last_stream

    def begin(self, path, extra=(), flags=END_HEADERS):
        """Begins a call and returns its stream."""
        stream, block = self.new_stream(), self.head(path, extra)
        kind = HEADERS
        while len(block) > LARGEST_FRAME:
            self.send(self.frame(kind, 0, stream, block[:LARGEST_FRAME]))
            kind, block = CONTINUATION, block[LARGEST_FRAME:]
        self.send(self.frame(kind, flags, stream, block))
        return stream

    def call(self, path, message, extra=()):
        """Makes a whole call and returns its answer."""
        stream = self.begin(path, extra)
        self.send(self.frame(DATA, END_STREAM, stream, framed(message)))
        return self.answer(stream)

    def answer(self, stream):
        """Waits for the end of a call."""
        ends = time.monotonic() + PATIENCE
        while not (answer := self.answers.setdefault(stream, Answer())).ended:
            if self.over:
                raise Failed(f"the connection was closed before stream {stream} was answered; "
                             f"GOAWAY: {self.goaway}")
            if time.monotonic() > ends:
                raise Failed(f"stream {stream} is not answered")
            self.read(1.0)
        return answer

    def heard(self):
        """Whether the other side has taken in all that was sent and goes on; it may close the
        connection instead."""
        self.send(self.frame(PING, 0, 0, b"heard me"))
        ends = time.monotonic() + PATIENCE
        while not self.over and b"heard me" not in self.pongs:
            if time.monotonic() > ends:
                raise Failed("a ping is not answered")
            self.read(1.0)
        self.pongs.discard(b"heard me")
        return not self.over

    def read(self, wait=0.0):
        """Reads the received data, waiting at most `wait` seconds for some."""
        pending = getattr(self.socket, "pending", lambda: 0)()
        while pending or self.poll.poll(wait * 1000):
            wait, pending = 0.0, 0
            try:
                got = self.socket.recv(1 << 16)
            except (OSError, TimeoutError):
                got = b""
            if not got:
                self.over = True
                return
            self.received += got
        while len(self.received) >= 9:
            length = int.from_bytes(self.received[:3], "big")
            if len(self.received) < 9 + length:
                return
            kind, flags = self.received[3], self.received[4]
            stream = int.from_bytes(self.received[5:9], "big") & 0x7FFFFFFF
            payload, self.received = self.received[9:9 + length], self.received[9 + length:]
            self.take(kind, flags, stream, payload)

    def take(self, kind, flags, stream, payload):
        if kind in (PING, SETTINGS) and not flags & ACK:
            # A mute peer sends only what the test asks it to send.
            if not self.mute:
                self.send(self.frame(kind, ACK, 0, payload if kind == PING else b""))
        elif kind == PING:
            self.pongs.add(payload)
        elif kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        elif kind in (HEADERS, CONTINUATION):
            self.block += payload
            if flags & END_HEADERS:
                answer = self.answers.setdefault(stream, Answer())
                for name, value in self.decoder.decode(self.block):
                    answer.fields[name] = value
                self.block = b""
            # Only HEADERS has END_STREAM, and answers here fit into one.
            if kind == HEADERS and flags & END_STREAM:
                self.answers.setdefault(stream, Answer()).ended = True
        elif kind == DATA:
            answer = self.answers.setdefault(stream, Answer())
            answer.data += payload
            if not (self.mute or self.full) and payload:
                more = struct.pack(">I", len(payload))
                self.send(self.frame(WINDOW_UPDATE, 0, 0, more)
                          + self.frame(WINDOW_UPDATE, 0, stream, more))
            answer.ended |= bool(flags & END_STREAM)
        elif kind == RST_STREAM:
            answer = self.answers.setdefault(stream, Answer())
            # An answer that came before its request was whole ends with a reset, too.
            if not answer.ended:
                answer.reset, answer.ended = int.from_bytes(payload, "big"), True

    def is_cut(self):
        """Whether the other side has closed the connection."""
        if not self.over:
            self.read()
        return self.over

    def close(self):
        self.socket.close()
