"""Object storage that speaks S3, as a process: SeaweedFS, with a bucket whose objects stay.

Requests are signed here (AWS Signature Version 4), so that what the bucket enforces is asked for
by somebody else than the program under test.
"""
import datetime
import hashlib
import hmac
import json
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from common import check, free_port, wait_until

REGION, USER, SECRET = "us-east-1", "paigow", "paigow-secret"
RETENTION = """<ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<ObjectLockEnabled>Enabled</ObjectLockEnabled>
<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Days>1</Days></DefaultRetention></Rule>
</ObjectLockConfiguration>"""


class ObjectStore:
    """A store with one bucket, which keeps each version of an object for a day."""

    def __init__(self, folder, bucket):
        self.folder, self.bucket = folder, bucket
        folder.mkdir(parents=True)
        (folder / "data").mkdir()
        (folder / "logs").mkdir()
        key = {"accessKey": USER, "secretKey": SECRET}
        actions = ["Admin", "Read", "Write", "List", "Tagging"]
        identities = [{"name": USER, "credentials": [key], "actions": actions}]
        (folder / "s3.json").write_text(json.dumps({"identities": identities}))
        self.ports = {name: free_port() for name in (
            "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
            "filer.port.grpc", "s3.port", "s3.port.grpc")}
        self.endpoint = f"http://127.0.0.1:{self.ports['s3.port']}"
        self.process = None

    def environment(self):
        """Returns the environment of a client of the store."""
        return {"AWS_ACCESS_KEY_ID": USER, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION,
                "AWS_ENDPOINT": self.endpoint, "AWS_ALLOW_HTTP": "true"}

    def start(self):
        ports = [f"-{name}={port}" for name, port in self.ports.items()]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["weed", f"-logdir={self.folder / 'logs'}", "server", f"-dir={self.folder / 'data'}",
                 "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", f"-s3.config={self.folder / 's3.json'}",
                 "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.volumeSizeLimitMB=64", "-volume.max=20",
                 "-master.telemetry=false", *ports],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        wait_until(self.is_ready, "the object store answers")
        return self

    def is_ready(self):
        check(self.process.poll() is None, f"the object store ended: {(self.folder / 'log').read_text()[-2000:]}")
        try:
            return self.request("GET", "/")[0] == 200
        except OSError:
            return False

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def make_bucket(self):
        """Makes the bucket with retention of its objects, and checks that it has it."""
        status, said = self.request("PUT", f"/{self.bucket}", headers={"x-amz-bucket-object-lock-enabled": "true"})
        check(status == 200, f"no bucket: {status} {said}")
        # A new bucket is not known at once.
        wait_until(lambda: self.request("PUT", f"/{self.bucket}", {"object-lock": ""}, RETENTION)[0] == 200,
                   "the bucket takes a retention")
        _, said = self.request("GET", f"/{self.bucket}", {"object-lock": ""})
        check("<Mode>COMPLIANCE</Mode>" in said and "<Days>1</Days>" in said, f"no retention: {said}")

    def versions(self):
        """Returns the versions of all objects: (name, id)."""
        _, said = self.request("GET", f"/{self.bucket}", {"versions": ""})
        found = re.findall(r"<Version><Key>([^<]*)</Key><VersionId>([^<]*)</VersionId>", said)
        return [(urllib.parse.unquote(name), version) for name, version in found]

    def delete(self, name, version):
        """Tries to delete a version of an object, and returns the status."""
        return self.request("DELETE", f"/{self.bucket}/{name}", {"versionId": version})[0]

    def bytes_of(self, path):
        """Returns the bytes of an object."""
        status, found = self.ask("GET", path)
        check(status == 200, f"{path}: {status}")
        return found

    def request(self, method, path, query=None, body="", headers=None):
        """Sends a signed request, and returns its status and the text of its answer."""
        status, said = self.ask(method, path, query, body, headers)
        return status, said.decode()

    def ask(self, method, path, query=None, body="", headers=None):
        """Sends a signed request, and returns its status and the bytes of its answer."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body.encode()).hexdigest()
        host = f"127.0.0.1:{self.ports['s3.port']}"
        signed = {**(headers or {}), "host": host, "x-amz-content-sha256": digest, "x-amz-date": now}
        names = ";".join(sorted(signed))
        asked = urllib.parse.urlencode(sorted((query or {}).items()), quote_via=urllib.parse.quote)
        listed = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
        canonical = "\n".join([method, urllib.parse.quote(path), asked, listed, names, digest])
        scope = f"{now[:8]}/{REGION}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = b"AWS4" + SECRET.encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        signed["authorization"] = (f"AWS4-HMAC-SHA256 Credential={USER}/{scope},"
                                   f"SignedHeaders={names},Signature={signature}")
        url = f"{self.endpoint}{path}" + (f"?{asked}" if asked else "")
        request = urllib.request.Request(url, body.encode() or None, signed, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
