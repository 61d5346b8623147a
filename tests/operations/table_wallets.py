"""The wallets of the table in the browser: their content agrees with transcripts and evidence.

    table_wallets.py --table paigow-table --lab paigow-lab [--rounds N] [--seed TEXT]

paigow-server lies beside paigow-table. Players without a browser play random rounds at all six tables, with
wallets and ledger in a real PostgreSQL. They set foul hands, double, keep their seeds back and go away. Engine
and game server are killed again and again. In the end, to the minor unit:

1. The stakes of a round are all closed, each with the net that the transcript has for its seat.
2. A wallet holds the first balance of a player and the nets of the player's seats.
3. The evidence of the engine has each close, with the same bytes, and no other one.
4. `paigow-lab audit` finds nothing wrong in the rounds of any table.
"""
import argparse
import base64
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import threading

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common import check, free_port, main, wait_until
from postgres import Postgres, execute

FIRST_BALANCE = 100_000
TABLES = ("express", "face-up", "mini-community", "mania", "mikes", "online")
LOG_PROOF = "application/vnd.pge.log-proof.v1+json"
CLOSES = ("application/vnd.pge.settle.v1+json", "application/vnd.pge.void.v1+json")
# A player of this test waits so long for an answer, and then looks again.
ANSWER = 20


class GameServer:
    """The program, killed and started again with the same folder, engine port and database."""

    def __init__(self, options, home, database):
        self.port, self.log = free_port(), home / "table.log"
        self.command = [
            options.table, "--listen", f"127.0.0.1:{self.port}", "--data", home / "data", "--engine-port",
            free_port(), "--postgres", database, "--bet-seconds", 1, "--seed-seconds", 1, "--set-seconds", 3,
            "--gone-seconds", 1]
        self.starts = 0

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([*map(str, self.command)], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT)
        self.starts += 1
        wait_until(lambda: self.log.read_text().count("The tables are open") == self.starts or self.is_over(),
                   "the tables are open")
        check(not self.is_over(), f"the game server has ended: {self.log.read_text()[-2000:]}")

    def is_over(self):
        return self.process.poll() is not None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def kill_engine(self):
        """Kills the engine. An earlier game server may have left it running."""
        os.kill(int(re.findall(r"^Engine: process (\d+)", self.log.read_text(), re.M)[-1]), signal.SIGKILL)

    def stop(self):
        if not self.is_over():
            self.process.terminate()
            self.process.wait()
        # A game server that was killed leaves its programs behind.
        for name in ("Engine", "Witness", "Log writer"):
            started = re.findall(rf"^{name}: process (\d+)", self.log.read_text(), re.M)
            try:
                os.kill(int(started[-1]), signal.SIGKILL)
            except (IndexError, ProcessLookupError):
                pass


class Away(Exception):
    """The game server does not answer."""


class Player(threading.Thread):
    """A player without a browser: follows the views of a table, and acts on each view."""

    def __init__(self, port, table, seat, seed):
        super().__init__(daemon=True)
        self.port, self.table, self.seat, self.random = port, table, seat, random.Random(seed)
        self.is_leaving, self.failure = False, None
        self.forget()
        self.start()

    def forget(self):
        self.round, self.key, self.seed, self.is_decided = None, None, None, False

    # Calls

    def call(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER)
        try:
            headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError):
            raise Away from None
        finally:
            connection.close()

    def move(self, name, **body):
        status, answer = self.call("POST", f"/api/tables/{self.table}/{name}", body, self.token)
        check(status < 500 or status == 503, f"{name}: {status} {answer}")
        return answer if status == 200 else None

    # Play

    def run(self):
        try:
            self.enroll()
            self.rules = self.call("GET", f"/api/tables/{self.table}")[1]
            while not self.is_leaving:
                try:
                    self.watch()
                except Away:
                    continue
        except Exception as failure:  # handed on by `end`
            self.failure = failure

    def enroll(self):
        """Becomes another player, with a wallet of a new player."""
        status, answer = self.call("POST", "/api/players", {"name": f"{self.table} {self.seat}"[:20]})
        check(status == 200, f"a name is refused: {answer}")
        self.token = answer["token"]

    def end(self):
        self.is_leaving = True
        self.join(3 * ANSWER)
        check(not self.is_alive(), "a player does not end")
        if self.failure:
            raise self.failure

    def watch(self):
        """Follows the views over one connection, until it ends or the player goes away for a moment."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", f"/api/tables/{self.table}/events?token={self.token}")
            events = connection.getresponse()
            while not self.is_leaving:
                line = events.readline()
                if not line:
                    raise Away
                if line.startswith(b"data: ") and not self.act(json.loads(line[6:])):
                    return
        except (OSError, http.client.HTTPException):
            raise Away from None
        finally:
            connection.close()

    def act(self, view):
        """Acts on the view. Returns whether the player stays."""
        if view["round"] != self.round:
            self.forget()
            self.round = view["round"]
        seat = view["you"]["seat"]
        if seat is None:
            self.move("sit", seat=self.seat)
            return True
        own = next(one for one in view["seats"] if one["seat"] == seat)
        if view["phase"] == "betting" and not own["bet"] and view["you"]["balance_minor"] < 2_000:
            # A wallet that is nearly empty stays as it is, and is compared in the end too.
            if self.move("stand") is not None:
                self.enroll()
            return False
        if view["phase"] == "betting" and not own["bet"] and view["you"]["prefix"]:
            self.bet(bytes.fromhex(view["you"]["prefix"]), view["you"]["balance_minor"])
        elif view["phase"] == "opening" and view["ticket"] and own["bet"] and self.seed:
            check(self.move("seed", round=self.round, seed=bytes(32).hex()) is None, "a wrong seed is taken")
            if self.random.random() > 0.03:
                self.move("seed", round=self.round, seed=self.seed.hex())
            self.seed = None
        elif view["phase"] == "setting" and view["cards"] and not own["decided"] and self.key and not self.is_decided:
            if self.random.random() < 0.04:
                # Away until the table has gone on without this player.
                self.is_decided = True
                return False
            self.decide(view["cards"])
        return True

    def bet(self, prefix, balance):
        base, *others = self.rules["bets"]
        wagers = [{"bet": "base", "amount_minor": self.random.randrange(base["minimum_minor"], 10_000, 100)}]
        for bet in others:
            if self.random.random() < 0.4:
                amount = self.random.randrange(bet["minimum_minor"], 2_000, 100)
                wagers.append({"bet": bet["id"], "amount_minor": amount}
                              | ({"choice": self.random.choice(("red", "black"))} if bet["asks_choice"] else {}))
        if sum(wager["amount_minor"] for wager in wagers) + 500 > balance:
            wagers = [{"bet": "base", "amount_minor": base["minimum_minor"]}]
        key, seed = Ed25519PrivateKey.generate(), self.random.randbytes(32)
        commit, public_key = hashlib.sha256(prefix + seed).hexdigest(), key.public_key().public_bytes_raw().hex()
        # A view may be older than the end of the bets.
        if self.move("bet", round=self.round, wagers=wagers, commit=commit, public_key=public_key) is not None:
            self.key, self.seed = key, seed

    def decide(self, cards):
        doubles = self.rules["double_down"] is not None and self.random.random() < 0.4
        how = {"house_way": True} if self.random.random() < 0.5 else \
            {"low": self.random.sample(cards, self.rules["low_cards"])}
        answer = self.move("decide", round=self.round, double_down=doubles, **how)
        if answer:
            signature = self.key.sign(base64.b64decode(answer["to_sign"]))
            self.is_decided = self.move("sign", round=self.round, signature=signature.hex()) is not None


def records_of(transcript):
    """The records of a transcript as (type, payload in bytes)."""
    for line in transcript.splitlines():
        envelope = json.loads(line)
        yield envelope["payloadType"], base64.b64decode(envelope["payload"])


def closes_in_evidence(folder):
    """The closes of the evidence, by the id of the round."""
    closes = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text().splitlines():
            for record in json.loads(line).get("records", []):
                if record["payloadType"] in CLOSES:
                    payload = base64.b64decode(record["payload"])
                    closes.setdefault(json.loads(payload)["round_id"], set()).add(payload)
    return closes


def nets_of(kind, payload):
    """The net of each seat in a close."""
    return {int(seat): int(result["net"]) for seat, result in json.loads(payload)["results"]["seats"].items()} \
        if "results" in json.loads(payload) else {}


def agree(options, home, server, database):
    """Compares wallets, transcripts and evidence. Returns how many rounds there are, and how many are void."""
    with psycopg.connect(database) as connection:
        players = dict(connection.execute("SELECT player, balance_minor FROM table_players").fetchall())
        stakes = connection.execute(
            "SELECT table_name, epoch, round_no, seat, player, net_minor FROM table_stakes").fetchall()
        rounds = connection.execute("SELECT table_name, epoch, round_no FROM paigow_rounds "
                                    "WHERE closed IS NOT NULL ORDER BY table_name, epoch, round_no").fetchall()
    nets_by_round, expected = {}, dict.fromkeys(players, FIRST_BALANCE)
    for table, epoch, number, seat, player, net in stakes:
        check(net is not None, f"round {number} at {table} holds a stake of seat {seat}")
        nets_by_round.setdefault((table, epoch, number), {})[seat] = net
        expected[player] += net
    check(players == expected, f"a wallet holds another amount than its nets: {players} {expected}")
    check(set(nets_by_round) <= set(rounds), "stakes of a round that is not closed")
    evidence, found, void, chains = closes_in_evidence(home / "data/evidence"), set(), 0, {}
    for table, epoch, number in rounds:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER)
        connection.request("GET", f"/verify/rounds/{table}-{epoch}-{number}.jsonl")
        answer = connection.getresponse()
        check(answer.status == 200, f"{table} {number}: {answer.status}")
        lines = answer.read().splitlines(keepends=True)
        connection.close()
        before = chains.setdefault(table, [])
        before += [line for line in lines if line not in before]
        records = [one for one in records_of(b"".join(lines)) if one[0] != LOG_PROOF]
        kind, payload = records[-1]
        check(kind in CLOSES, f"{table} {number} ends with {kind}")
        round_id = json.loads(payload)["round_id"]
        check(evidence.get(round_id) == {payload}, f"{table} {number}: the evidence has another close, or none")
        found.add(round_id)
        nets = nets_of(kind, payload)
        void += not nets
        held = nets_by_round.get((table, epoch, number), {})
        check(held == (nets or dict.fromkeys(held, 0)), f"{table} {number}: wallets {held}, transcript {nets}")
    check(set(evidence) == found, "the evidence has a round that no transcript has")
    check(void < len(rounds) / 2, f"{void} of {len(rounds)} rounds are void")
    for table, lines in chains.items():
        file = home / f"{table}.jsonl"
        file.write_bytes(b"".join(lines))
        said = execute(options.lab, "audit", file, "--root", home / "data/keys/root.json", may_end_with=(3,)).stdout
        check("verdict: pending: everything computable agrees" in said, said)
    return len(rounds), void


def closed(database):
    with psycopg.connect(database) as connection:
        return connection.execute("SELECT count(*) FROM (SELECT DISTINCT table_name, epoch, round_no FROM table_stakes "
                                  "WHERE net_minor IS NOT NULL) AS closed").fetchone()[0]


def held(database):
    with psycopg.connect(database) as connection:
        return connection.execute("SELECT count(*) FROM table_stakes WHERE net_minor IS NULL").fetchone()[0]


def run(options, home):
    chance = random.Random(options.seed)
    postgres = Postgres(home / "postgres")
    postgres.make("casino")
    database = f"host={postgres.folder} user=paigow dbname=casino"
    server = GameServer(options, home, f"postgres://paigow@localhost/casino?host={postgres.folder}")
    players, kills = [], {"engine": 0, "game server": 0}
    try:
        server.start()
        players = [Player(server.port, table, seat, f"{options.seed} {table} {seat}")
                   for table in TABLES for seat in (2, 5)]
        while (done := closed(database)) < options.rounds:
            goal = min(options.rounds, done + chance.randrange(4, 16))
            wait_until(lambda: closed(database) >= goal, f"{goal} rounds are closed")
            if kills["engine"] <= kills["game server"]:
                server.kill_engine()
                kills["engine"] += 1
            else:
                server.kill()
                server.start()
                kills["game server"] += 1
        for player in players:
            player.is_leaving = True
        for player in players:
            player.end()
        wait_until(lambda: held(database) == 0, "every stake is closed")
        rounds, void = agree(options, home, server, database)
    finally:
        server.stop()
        postgres.stop()
    print(f"{rounds} rounds, {void} of them void; the engine killed {kills['engine']} times, the game server "
          f"{kills['game server']}: wallets, transcripts and evidence agree")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", required=True, type=pathlib.Path)
    parser.add_argument("--lab", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        main(lambda: run(arguments, pathlib.Path(folder)))
