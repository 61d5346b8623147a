"""Compares the Helm chart with Kustomize, and custom resources with the types of their operators.

    python tests/operations/chart.py WORK

WORK is the folder in which deploy/check has put prod.yaml, the rendered overlay of production. The
Helm SDK packs, lints and renders the chart. The types and validators of custom resources are those
of @kubernetes-models, which are made from the source of the operators.
"""
import contextlib
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib

import helm_python as helm
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/tools"
CHART = ROOT / "deploy/helm/paigow"
MONITORS = ROOT / "deploy/k8s/components/pod-monitor/pod-monitor.yaml"
LINKS = {"files/paigow.toml": ROOT / "deploy/k8s/overlays/prod/paigow.toml",
         "files/paigow.rules.yaml": ROOT / "deploy/alerts/paigow.rules.yaml"}
# The package of @kubernetes-models that has an API group.
MODELS = {"monitoring.coreos.com": "prometheus-operator", "cert-manager.io": "cert-manager",
          "external-secrets.io": "external-secrets"}
# Mappings of labels and annotations, whose keys an operator chooses.
LABELS = {"annotations", "commonLabels", "labels", "matchLabels", "nodeSelector"}


def check(held, what):
    if not held:
        sys.exit(f"chart: {what}")


def documents(text):
    return [one for one in yaml.safe_load_all(text) if one]


@contextlib.contextmanager
def quiet():
    """Keeps the log of the Helm library off standard error, also where it does not ask Python."""
    error = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(error, 2)
        os.close(error)


def rendered(values, namespace="paigow"):
    """Returns the text of each file that is rendered, by its name."""
    with quiet():
        return chart.render(values or {}, name="any-release", namespace=namespace)


def render(values=None, namespace="paigow"):
    """Returns the objects that are installed, and the notes that are printed."""
    files = rendered(values, namespace)
    notes = files.pop("paigow/templates/NOTES.txt")
    return [one for text in files.values() for one in documents(text)], notes


def refusal(values):
    """Returns why Helm refuses values, or an empty text."""
    try:
        rendered(values)
    except helm.HelmError as error:
        return str(error)
    return ""


def is_open(path):
    """Whether the keys of the mapping at a path are an operator's own."""
    return bool(path) and (path[-1] in LABELS or path[-1] == "provider")


def walk(tree, path=()):
    """Yields the path and value of everything in a tree; nothing below a mapping with keys of one's own."""
    yield path, tree
    if not is_open(path) and isinstance(tree, (dict, list)):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from walk(value, (*path, key))


def leaves(values):
    """Yields the path of each single value; a list is one, and so are labels."""
    parents = [path for path, value in walk(values) if isinstance(value, list)]
    for path, value in walk(values):
        if (is_open(path) or not isinstance(value, dict)) and not any(path[:len(one)] == one != path for one in parents):
            yield path


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def altered(tree, path, value):
    """Returns a copy of a tree with another value at a path."""
    tree = copy.deepcopy(tree)
    at(tree, path[:-1])[path[-1]] = value
    return tree


# The archive, and the objects that it renders

def the_chart_packs_and_lint_finds_nothing():
    global chart
    with quiet():
        archive = helm.package(CHART, destination=WORK)
        chart = helm.Chart.load(archive)
        found = [message for values in ({}, *EXAMPLES.values(), EVERYTHING)
                 for message in helm.lint(CHART, values, strict=True)["messages"]]
    found = [one for one in found if one["severity"] != 1]  # no more than a hint
    check(not found, f"lint: {found}")
    with tarfile.open(archive) as tar:
        for name, source in LINKS.items():
            check(tar.extractfile(f"paigow/{name}").read() == source.read_bytes(), f"{name} is not {source}")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    check(chart.version == chart.metadata["appVersion"] == version, f"{chart.metadata}, and the programs are {version}")


def the_default_renders_what_the_overlay_of_production_renders():
    def by_name(objects):
        found = {}
        for one in objects:
            # Each tool has a hash of its own in this name.
            one = json.loads(re.sub(r"(paigow-settings)-[0-9a-z]{10}\b", r"\1", json.dumps(one)))
            metadata = one["metadata"]
            check(metadata.pop("namespace", "paigow") == "paigow", f"{metadata['name']} is in another namespace")
            ours = [key for key in metadata.pop("annotations", {}) if not key.startswith("helm.sh/")]
            check(not ours, f"{metadata['name']}: annotations {ours} are not compared")
            found[one["kind"], metadata["name"]] = metadata.pop("labels", {}), one
        return found

    def differ(one, other, path):
        if isinstance(one, dict) and isinstance(other, dict):
            for key in sorted(one.keys() | other.keys()):
                differ(one.get(key), other.get(key), f"{path}.{key}")
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            for index, pair in enumerate(zip(one, other)):
                differ(*pair, f"{path}[{index}]")
        else:
            check(one == other, f"{path} is {one} in the chart, and {other} in the overlay")

    mine = by_name(render()[0])
    # Helm makes the namespace only if it is asked to.
    theirs = by_name(one for one in documents((WORK / "prod.yaml").read_text()) if one["kind"] != "Namespace")
    check(mine.keys() == theirs.keys(), f"only one of chart and overlay has {sorted(mine.keys() ^ theirs.keys())}")
    for name, (labels, one) in theirs.items():
        differ(mine[name][1], one, " ".join(name))
        check(labels.items() <= mine[name][0].items(), f"{name} has the labels {mine[name][0]}, not {labels}")


def what_is_rendered_validates_strictly():
    version = kubernetes_validate.latest_version()
    seen = {}
    for values in ({}, *EXAMPLES.values(), EVERYTHING, {"nameOverride": "other", "commonLabels": {"team": "tables"}}):
        seen |= {json.dumps(one): one for one in render(values)[0] if not is_custom(one)}
    for one in seen.values():
        try:
            kubernetes_validate.validate(one, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            check(False, f"{one['kind']} {one['metadata']['name']}: {error.message}")


def another_name_renames_every_object_and_every_reference_to_one():
    values = EVERYTHING | {"nameOverride": "other"}
    values = altered(values, ("externalSecrets", "storeRef", "name"), "vault")
    objects, _ = render(altered(values, ("externalSecrets", "provider"), {"fake": {"data": []}}), namespace="elsewhere")
    # The chart, the container, the gRPC service, and a name that the example gives to the server.
    known = ("app.kubernetes.io/part-of", "helm.sh/chart", "service", "paigow.casino.example")
    for one in objects:
        # Alerts have the names of their subjects.
        for path, value in walk(one if one["kind"] != "PrometheusRule" else one["metadata"]):
            told = value.items() if isinstance(value, dict) and is_open(path) else [(path[-1] if path else None, value)]
            kept = [name for key, name in told if isinstance(name, str) and re.match(r"paigow([.-]|$)", name)
                    and key not in known and name not in known and path[-3::2] != ("containers", "name")]
            check(not kept, f"{one['kind']} {one['metadata']['name']}: {path} is {kept} by another name")
    check(len({(one["kind"], one["metadata"]["name"]) for one in objects}) == len(objects) > 20, "two objects of one name")


def settings_of_an_operator_arrive_whole():
    text = LINKS["files/paigow.toml"].read_text()
    own = text.replace("root_keys = []", f'root_keys = ["{64 * "0"}"]') + "# \u00e4 {{ .Values }}\n\n"
    for values, wanted in (({}, text), ({"settings": own}, own)):
        objects, notes = render(values)
        check([one["data"]["paigow.toml"] for one in objects if one["kind"] == "ConfigMap"] == [wanted], "other settings")
        check(("no root keys" in notes) == ("root_keys = []" in wanted), f"notes on root keys: {notes}")


# Values

def a_value_that_is_mistyped_is_refused():
    values = chart.merge_values(EVERYTHING)
    closed = [path for path, value in walk(values) if isinstance(value, dict) and not is_open(path) and path != ("global",)]
    check(len(closed) > 20 and not refusal(values), f"{len(closed)} mappings of values; {refusal(values)}")
    for path in closed:
        refused = refusal(altered(values, (*path, "mistyped"), "x"))
        check("'mistyped' not allowed" in refused, f"a mistyped value is taken in {path}: {refused}")
    for path, wrong in ((("autoscaling", "minReplicas"), "3"), (("image", "digest"), "sha256:12"),
                        (("podMonitor", "enabled"), "yes"), (("sinkVerify", "figures", "image"), "node-exporter:latest"),
                        (("networkPolicy", "clients"), []), (("evidence", "target"), "paigow-evidence"),
                        (("certManager", "serverIssuer", "name"), ""), (("externalSecrets", "storeRef", "name"), ""),
                        (("externalSecrets", "storeRef", "kind"), "ClusterSecretStore")):
        check(refusal(altered(values, path, wrong)), f"{'.'.join(path)} may be {wrong!r}")


def the_schema_describes_every_value_and_no_other():
    schema = json.loads((CHART / "values.schema.json").read_text())
    described = set()

    def read(one, path):
        if "$ref" in one:
            one = schema["$defs"][one["$ref"].removeprefix("#/$defs/")] | one
        inside = path[-1:] == ("[]",)
        check(not path or inside or re.search(r"[.\"]$", one.get("description", "")), f"{path} is not described")
        if one.get("type") == "object" and not is_open(path) and path != ("global",):
            check(one.get("additionalProperties") is False, f"{path} takes anything")
        if "items" in one:
            read(one["items"], (*path, "[]"))
        for key, value in one.get("properties", {}).items():
            read(value, (*path, key))
        if "properties" not in one and "[]" not in path:
            described.add(path)

    read(schema, ())
    known = set(leaves(yaml.safe_load((CHART / "values.yaml").read_text())))
    check(described - {("global",)} == known, f"values.yaml and its schema differ: {described ^ known}")


def every_value_changes_what_is_rendered():
    values = chart.merge_values(EVERYTHING)
    others = [True, False, 7, "7Gi", "7h", "7 7 * * *", "s3://other/lines", "other", "sha256:" + 64 * "0",
              "other:7@sha256:" + 64 * "0", "Issuer", "ClusterSecretStore", ["other"], [{"name": "other"}],
              [{"key": "other", "operator": "Exists"}], [{"ipBlock": {"cidr": "192.0.2.0/24"}}], {"other": "7"}]
    # Values that have no effect beside another value.
    apart = {("externalSecrets", "storeRef", "kind"): (("externalSecrets", "provider"), None),
             ("externalSecrets", "keys", "tls"): (("certManager", "enabled"), False)}
    for path in leaves(yaml.safe_load((CHART / "values.yaml").read_text())):
        base = altered(values, *apart[path]) if path in apart else values
        changed = next((one for other in others if type(at(base, path)) is type(other) and at(base, path) != other
                        and not refusal(one := altered(base, path, other))), None)
        check(changed, f"no other value is known for {'.'.join(path)}")
        check(rendered(changed) != rendered(base), f"{'.'.join(path)} changes nothing")


# Custom resources

def is_custom(one):
    return one["apiVersion"].split("/")[0] in MODELS


def alerts_and_monitors_are_those_of_kustomize():
    objects, _ = render(EVERYTHING)
    rules = [one["spec"] for one in objects if one["kind"] == "PrometheusRule"]
    check(rules == documents(LINKS["files/paigow.rules.yaml"].read_text()), "the PrometheusRule is not deploy/alerts")
    monitors = {one["metadata"]["name"]: one["spec"] for one in objects if one["kind"] == "PodMonitor"}
    component = {one["metadata"]["name"]: one["spec"] for one in documents(MONITORS.read_text())}
    check(monitors == component, f"PodMonitors are {monitors} in the chart, and {component} in the component")
    # By itself the operator would name another job, which no alert knows.
    jobs = [rule for one in render(EVERYTHING, namespace="elsewhere")[0] if one["kind"] == "PodMonitor"
            for rule in one["spec"]["podMetricsEndpoints"][0].get("relabelings", [])]
    check(jobs == [{"action": "replace", "targetLabel": "job", "replacement": "paigow/paigow"}], f"elsewhere: {jobs}")


def faults(objects):
    """Compiles custom resources against their types and runs their validators; returns what is wrong with
    each, by its position."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    (folder / "node_modules").symlink_to(TOOLS / "node/contract/node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    lines = [f'import {{ {kind}, type I{kind} }} from "@kubernetes-models/{MODELS[api.split("/")[0]]}/{api}/{kind}";'
             for api, kind in sorted({(one["apiVersion"], one["kind"]) for one in objects})]
    before = len(lines) + 1
    lines += [f"const o{index}: I{one['kind']} = {json.dumps(one)}; try {{ new {one['kind']}(o{index}).validate() }} "
              f"catch (error) {{ console.log({index}, String(error)) }}" for index, one in enumerate(objects)]
    lines.append("declare const console: { log(...all: unknown[]): void };\n")
    (folder / "resources.ts").write_text("\n".join(lines))

    def run(tool, *arguments):
        return subprocess.run([TOOLS / "bin" / tool, *arguments, "resources.ts"], cwd=folder, capture_output=True, text=True)

    found = {}
    compiled = run("tsc", "--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", "--types", "")
    for line in compiled.stdout.splitlines():
        place = re.match(r"resources\.ts\((\d+),\d+\): error (.*)", line)
        check(place or line.startswith(" "), f"tsc: {line}")
        if place:
            found.setdefault(int(place[1]) - before, place[2])
    check(bool(compiled.returncode) == bool(found) and min(found, default=0) >= 0, f"tsc: {compiled.stdout[:600]}")
    validated = run("node")
    check(validated.returncode == 0, f"node: {validated.stderr}")
    for line in validated.stdout.splitlines():
        index, fault = line.split(" ", 1)
        found.setdefault(int(index), fault)
    return found


def custom_resources_are_what_their_operators_take_and_a_planted_fault_is_not():
    objects = [one for one in render(EVERYTHING)[0] if is_custom(one)]
    objects += [one for one in render(EXAMPLES["external-secrets"])[0] if is_custom(one)]
    objects += [one for one in render(EVERYTHING, namespace="elsewhere")[0] if one["kind"] == "PodMonitor"]
    objects += documents(MONITORS.read_text())
    # An unknown field in each mapping; an invalid value of a field; a missing field.
    planted = [altered(one, (*path, "planted"), "x") for one in objects for path, value in walk(one)
               if isinstance(value, dict) and path[-1:] not in [(name,) for name in LABELS]]
    wrong = {"PodMonitor": (("spec", "podMetricsEndpoints", 0, "interval"), "15 seconds"),
             "Certificate": (("spec", "privateKey", "algorithm"), "EC"),
             "ExternalSecret": (("spec", "target", "creationPolicy"), "Own"),
             "Issuer": (("spec",), {"ca": {}}),
             "PrometheusRule": (("spec", "groups", 0, "rules"), {}),
             "SecretStore": (("spec", "provider", "vault", "version"), 2)}
    planted += [altered(one, *wrong[one["kind"]]) for one in objects]
    found = faults([*objects, *planted])
    for index, one in enumerate([*objects, *planted]):
        if index < len(objects):
            check(index not in found, f"{one['kind']} {one['metadata']['name']}: {found.get(index)}")
        else:
            check(index in found, f"a planted fault is taken: {json.dumps(one)[:900]}")
    check({one["kind"] for one in objects} == wrong.keys() and len(planted) > 100, f"{len(planted)} planted faults")


WORK = pathlib.Path(sys.argv[1])
EXAMPLES = {file.stem.removeprefix("values-"): yaml.safe_load(file.read_text()) for file in CHART.glob("values-*.yaml")}
check(sorted(EXAMPLES) == ["cert-manager", "external-secrets", "prometheus-operator"], f"examples {sorted(EXAMPLES)}")
# All of them at once: no two have a value in common.
EVERYTHING = {key: value for values in EXAMPLES.values() for key, value in values.items()}
check(len(EVERYTHING) == sum(map(len, EXAMPLES.values())), "two examples have a value in common")
chart = None
for one in (the_chart_packs_and_lint_finds_nothing,
            the_default_renders_what_the_overlay_of_production_renders,
            what_is_rendered_validates_strictly,
            another_name_renames_every_object_and_every_reference_to_one,
            settings_of_an_operator_arrive_whole,
            a_value_that_is_mistyped_is_refused,
            the_schema_describes_every_value_and_no_other,
            every_value_changes_what_is_rendered,
            alerts_and_monitors_are_those_of_kustomize,
            custom_resources_are_what_their_operators_take_and_a_planted_fault_is_not):
    one()
    print("ok  helm:", one.__name__.replace("_", " "))
