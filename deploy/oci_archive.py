"""Writes the archive of an image, as `docker save` has it, as an OCI archive.

    oci_archive.py DOCKER_ARCHIVE OCI_ARCHIVE TAG

The configuration has the members of OCI, and Docker's health check, which other programs drop. It has no name of the
machine that built it. As in an archive of Docker 25, the file manifest.json is for versions of Docker that read no OCI
archive. The same files give the same bytes.
"""
import gzip
import hashlib
import io
import json
import sys
import tarfile

MEMBERS = ("architecture", "config", "created", "history", "os", "rootfs")
SETTINGS = ("Cmd", "Entrypoint", "Env", "ExposedPorts", "Healthcheck", "Labels", "StopSignal", "User", "Volumes",
            "WorkingDir")

def blob(kind, content):
    """Returns what names a blob, and keeps the blob for the archive."""
    digest = hashlib.sha256(content).hexdigest()
    blobs[digest] = content
    return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def add(name, content=None):
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = (tarfile.DIRTYPE, 0o755) if content is None else (tarfile.REGTYPE, 0o644)
    entry.size = len(content or b"")
    made.addfile(entry, io.BytesIO(content or b""))


blobs = {}
saved_file, made_file, tag = sys.argv[1:]
with tarfile.open(saved_file) as saved:
    image, = json.load(saved.extractfile("manifest.json"))
    made_from = json.load(saved.extractfile(image["Config"]))
    made_from["config"] = {name: made_from["config"][name] for name in SETTINGS if made_from["config"].get(name)}
    config = blob("config.v1+json", text({name: made_from[name] for name in MEMBERS if name in made_from}))
    layers = [blob("layer.v1.tar+gzip", gzip.compress(saved.extractfile(layer).read(), mtime=0))
              for layer in image["Layers"]]
manifest = blob("manifest.v1+json", text({
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": layers}))
# Docker's own programs write a name without a registry like this.
name = tag if "." in tag.rpartition("/")[0] else f"docker.io/library/{tag}"
manifest["annotations"] = {"io.containerd.image.name": name,
                           "org.opencontainers.image.ref.name": tag.rpartition(":")[2]}
with tarfile.open(made_file, "w", format=tarfile.USTAR_FORMAT) as made:
    add("oci-layout", text({"imageLayoutVersion": "1.0.0"}))
    add("index.json", text({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                            "manifests": [manifest]}))
    path = lambda blob: f"blobs/{blob['digest'].replace(':', '/')}"
    add("manifest.json", text([{"Config": path(config), "RepoTags": [tag], "Layers": list(map(path, layers))}]))
    add("blobs")
    add("blobs/sha256")
    for digest, content in sorted(blobs.items()):
        add(f"blobs/sha256/{digest}", content)
print(f"image {tag}: {manifest['digest']}")
