"""A PostgreSQL server of a test's own."""
import os
import pwd
import signal
import subprocess

import psycopg

from common import check, wait_until


def execute(*command, may_end_with=(0,), **how):
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=900, **how)
    check(ran.returncode in may_end_with, f"{command[0]} ended with {ran.returncode}: "
          f"{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return ran


class Postgres:
    """A PostgreSQL server on a Unix socket in a folder. It runs as nobody where this process is root."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        # It does not run as root. As the user nobody it may still read the programs, wherever this checkout is.
        as_nobody = []
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            as_nobody = ["setpriv", "--reuid", nobody.pw_uid, "--regid", nobody.pw_gid, "--clear-groups",
                         "--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
        execute(*as_nobody, "initdb", "-D", folder / "data", "-U", "paigow", "-A", "trust", "--no-sync",
                        cwd=folder)
        with open(folder.parent / "postgres.log", "wb") as log:
            self.process = subprocess.Popen(
                [*map(str, as_nobody), "postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses="],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        wait_until(self.answers, "PostgreSQL answers")

    def answers(self):
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def connect(self):
        return psycopg.connect(f"host={self.folder} user=paigow dbname=postgres", autocommit=True)

    def make(self, database):
        """Makes a database."""
        with self.connect() as admin:
            admin.execute(f"CREATE DATABASE {database}")

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
