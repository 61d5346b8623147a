"""The messages of the Python client where no engine answers, or a file is not the one that is needed."""
import logging
import pathlib
import socket
import sys
import tempfile

from paigow import Engine, NoAnswer, Root

said = []
logging.getLogger("paigow").addHandler(type("Kept", (logging.Handler,), {
    "emit": lambda _, record: said.append(record.getMessage())})())


def raises(kind, words, work):
    try:
        work()
    except kind as error:
        if words in str(error):
            return
        sys.exit(f"{kind.__name__} does not say {words!r}: {error}")
    sys.exit(f"{kind.__name__} was not raised")


with socket.socket() as taken, tempfile.TemporaryDirectory() as folder:
    # Bound and not listening: no other process can answer here.
    taken.bind(("127.0.0.1", 0))
    address = f"127.0.0.1:{taken.getsockname()[1]}"
    with Engine(address, plaintext=True, patience=0.5) as engine:
        raises(NoAnswer, "GetEngine: UNAVAILABLE", engine.state)
    if len(said) != 1 or "the client repeats it for 0.5 s" not in said[0]:
        sys.exit(f"said of the repetitions: {said}")
    raises(ValueError, "need TLS", lambda: Engine(address, plaintext=True, token="a"))
    wrong = pathlib.Path(folder) / "public.json"
    for content in ('{"key_id":"a"}', "[]", "-----BEGIN"):
        wrong.write_text(content)
        raises(ValueError, f"{wrong} holds no root keys", lambda: Root.read(wrong))
print("no engine, and files that are not a root: said plainly")
