"""Compares the files below deploy/ with one another and with their promises.

    python tests/operations/deployment.py RENDERED

RENDERED is the folder in which deploy/check has put the rendered manifests (base.yaml,
audits.yaml, dev.yaml, prod.yaml, simulations.yaml) and the inspected image (image.json).
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PINNED = re.compile(r"[a-z0-9./-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64}")
CHECKS = []


def check(held, what):
    if not held:
        sys.exit(f"deploy: {what}")


def holds(function):
    """Registers a check under its name, which is the sentence that is printed."""
    CHECKS.append(function)
    return function


def documents(name):
    return [one for one in yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text()) if one]


def kind(name, wanted):
    return [one for one in documents(name) if one["kind"] == wanted]


def compose():
    return yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())


def pods(name):
    """Yields (where, spec of the pod) of everything that runs pods."""
    for one in documents(name):
        spec = one.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            yield f"{one['kind']} {one['metadata']['name']}", spec["template"]["spec"]


def replicas(name):
    """The StatefulSet of the server; nothing else of an overlay runs it."""
    servers = [one for one in documents(name) if one["metadata"]["name"] == "paigow"
               and one["kind"] in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")]
    check([one["kind"] for one in servers] == ["StatefulSet"], f"{name}: not one StatefulSet")
    return servers[0]


def containers(pod):
    return pod["containers"] + pod.get("initContainers", [])


def container(pod, name):
    return next(one for one in containers(pod) if one["name"] == name)


def settings_of(name):
    """The settings of a server of the overlay, over the defaults."""
    known = tomllib.loads((DEPLOY / "config/default.toml").read_text())
    told = tomllib.loads(next(one["data"]["paigow.toml"] for one in kind(name, "ConfigMap")))
    return {section: known[section] | told.get(section, {}) for section in known}


def argument(one, flag):
    """The value that follows a flag of a container."""
    return one["args"][one["args"].index(flag) + 1]


def named(one, pod, optional=True):
    """Yields (kind, name) of each Secret and ConfigMap that a container reads, however it does; or only of
    those without which it does not start."""
    mounted = {mount["name"] for mount in one.get("volumeMounts", [])}
    sources = [volume for volume in pod.get("volumes", []) if volume["name"] in mounted]
    # A projected volume is several.
    sources += [part for volume in sources for part in volume.get("projected", {}).get("sources", [])]
    sources += one.get("envFrom", [])
    sources += [variable["valueFrom"] for variable in one.get("env", []) if "valueFrom" in variable]
    for source in sources:
        for key in ("secret", "secretRef", "secretKeyRef"):
            if key in source and (optional or not source[key].get("optional")):
                yield "Secret", source[key].get("secretName") or source[key]["name"]
        for key in ("configMap", "configMapRef", "configMapKeyRef"):
            if key in source and (optional or not source[key].get("optional")):
                yield "ConfigMap", source[key]["name"]


@holds
def every_image_is_pinned_by_the_digest_of_the_lock_file():
    lock = [line.split("=", 1)[1] for line in (DEPLOY / "images.lock").read_text().splitlines()
            if line and not line.startswith("#")]
    for image in lock:
        check(PINNED.fullmatch(image), f"images.lock: {image} has no digest")
    used = re.findall(r"^FROM (\S+) AS", (DEPLOY / "Dockerfile").read_text(), re.M)
    used += [service["image"] for service in compose()["services"].values()]
    used += [one["image"] for overlay in ("base", "audits", "dev", "prod", "simulations")
             for _, pod in pods(overlay)
             for one in containers(pod)]
    foreign = {image for image in used if not re.fullmatch(r"paigow:[0-9.]+", image)}
    check(foreign == set(lock), f"used and locked images differ: {foreign ^ set(lock)}")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    check({image for image in used} - foreign == {f"paigow:{version}"}, "an image of another version of paigow")


@holds
def the_image_is_nobody_s_and_says_how_it_is():
    image = json.loads((RENDERED / "image.json").read_text())
    config = image["Docker"]["config"]
    check(config["User"] == "65532:65532", f"user {config['User']}")
    check(config["Entrypoint"] == ["/paigow-server"], f"entrypoint {config['Entrypoint']}")
    settings = ["--config", "/etc/paigow/paigow.toml"]
    check(config["Cmd"] == settings, f"command {config['Cmd']}")
    check(config["Healthcheck"]["Test"] == ["CMD", "/paigow-server", *settings, "--healthcheck"], "healthcheck")
    check(not any(one.startswith("PAIGOW__") for one in config.get("Env") or []),
          f"settings above every file: {config['Env']}")
    labels = config["Labels"]
    check(labels["org.opencontainers.image.revision"] == "checked", "the revision is not in the labels")
    check(len(image["Docker"]["rootfs"]["diff_ids"]) <= 3, "layers that nobody knows")


@holds
def every_pod_is_locked_down():
    for overlay in ("base", "audits", "dev", "prod", "simulations"):
        for where, pod in pods(overlay):
            check(pod["automountServiceAccountToken"] is False, f"{overlay}, {where}: a token of the cluster")
            check(pod["enableServiceLinks"] is False, f"{overlay}, {where}: PAIGOW_* from service links")
            context = pod["securityContext"]
            check(context["runAsNonRoot"] and context["runAsUser"] == 65532
                  and context["seccompProfile"]["type"] == "RuntimeDefault", f"{overlay}, {where}: {context}")
            for one in containers(pod):
                own = one["securityContext"]
                check(own == {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                              "capabilities": {"drop": ["ALL"]}}, f"{overlay}, {where}: {own}")
                resources = one["resources"]
                check("memory" in resources["limits"] and "cpu" not in resources["limits"]
                      and set(resources["requests"]) == {"cpu", "memory"}, f"{overlay}, {where}: {resources}")


@holds
def a_replica_has_time_to_drain_and_probes_ask_where_health_is():
    for overlay in ("base", "dev", "prod"):
        spec = replicas(overlay)["spec"]
        pod = spec["template"]["spec"]
        server, telemetry = (settings_of(overlay)[section] for section in ("server", "telemetry"))
        needed = (server["drain_ms"] + server["grace_ms"] + telemetry["otlp_timeout_ms"]) / 1000
        check(pod["terminationGracePeriodSeconds"] >= needed + 5,
              f"{overlay}: {pod['terminationGracePeriodSeconds']} s to end, {needed} s needed")
        paigow = container(pod, "paigow")
        ports = {port["name"]: port["containerPort"] for port in paigow["ports"]}
        for port, setting in (("grpc", server["listen"]), ("health", server["health_listen"]),
                              ("metrics", telemetry["prometheus_listen"])):
            check(setting == f"0.0.0.0:{ports[port]}", f"{overlay}: {port} is not at {setting}")
        check(paigow["startupProbe"]["grpc"] == {"port": ports["health"]}
              and paigow["readinessProbe"]["grpc"] == {
                  "port": ports["health"], "service": "paigow.v1.PaiGowService"}
              and paigow["livenessProbe"]["tcpSocket"], f"{overlay}: probes")
        names = {volume["name"] for volume in pod["volumes"]}
        names |= {claim["metadata"]["name"] for claim in spec.get("volumeClaimTemplates", [])}
        mounted = {mount["name"] for one in containers(pod) for mount in one["volumeMounts"]}
        check(mounted == names, f"{overlay}: volumes {mounted ^ names}")


@holds
def a_rollout_leaves_time_to_learn_that_a_new_replica_may_not_deal():
    """It is ready nevertheless, so that the rounds that are open are settled."""
    groups = yaml.safe_load((DEPLOY / "alerts/paigow.rules.yaml").read_text())["groups"]
    alert = next(rule for group in groups for rule in group["rules"]
                 if rule.get("alert") == "PaigowVerificationFailed")
    check(alert["labels"]["severity"] == "page" and "for" not in alert, f"nobody is told at once: {alert}")
    for overlay in ("base", "prod"):
        spec = replicas(overlay)["spec"]
        # A scrape and an evaluation, each of which is a minute apart where nothing else is said.
        check(spec.get("minReadySeconds", 0) >= 120, f"{overlay}: the next one goes at once")
        # One after another (maxUnavailable is 1), all of them (no partition).
        check(spec["updateStrategy"] == {"type": "RollingUpdate"}, f"{overlay}: {spec['updateStrategy']}")
        # Else a rollback would wait for a new replica that is never ready.
        check(spec.get("podManagementPolicy") == "Parallel", f"{overlay}: one replica waits for another")


@holds
def selectors_select_and_budgets_leave_replicas():
    for overlay in ("base", "dev", "prod"):
        server = replicas(overlay)
        labels = server["spec"]["template"]["metadata"]["labels"]
        selecting = [one["spec"]["selector"] for one in kind(overlay, "Service")]
        selecting += [one["spec"]["selector"]["matchLabels"] for one in kind(overlay, "PodDisruptionBudget")]
        selecting += [one["spec"]["podSelector"]["matchLabels"] for one in kind(overlay, "NetworkPolicy")
                      if one["metadata"]["name"] == "paigow"]
        selecting.append(server["spec"]["selector"]["matchLabels"])
        check(len(selecting) == 6, f"{overlay}: {len(selecting)} selectors")
        for selector in selecting:
            check(selector.items() <= labels.items(), f"{overlay}: {selector} selects nothing")
        headless = next(one for one in kind(overlay, "Service") if one["metadata"]["name"] == "paigow-headless")
        check(headless["spec"]["clusterIP"] == "None", f"{overlay}: the headless service has an address")
        check(server["spec"]["serviceName"] == "paigow-headless", f"{overlay}: replicas without names")
        # The label that distinguishes the replicas of one version from those of the next.
        for spread in server["spec"]["template"]["spec"]["topologySpreadConstraints"]:
            check(spread["matchLabelKeys"] == ["controller-revision-hash"], f"{overlay}: {spread}")
    autoscaler = kind("prod", "HorizontalPodAutoscaler")[0]["spec"]
    check(autoscaler["minReplicas"] >= 3, "fewer than three replicas in production")
    check(autoscaler["scaleTargetRef"] == {key: replicas("prod")[key] for key in ("apiVersion", "kind")}
          | {"name": "paigow"}, f"the autoscaler scales {autoscaler['scaleTargetRef']}")
    check("replicas" not in replicas("prod")["spec"], "the autoscaler is overruled by every kubectl apply")
    check(not kind("dev", "HorizontalPodAutoscaler") and replicas("dev")["spec"]["replicas"] == 1,
          "several development keyrings")


@holds
def pod_monitors_find_the_replicas_and_the_figures_and_alerts_know_the_job_of_the_replicas():
    monitors = yaml.safe_load_all((DEPLOY / "k8s/components/pod-monitor/pod-monitor.yaml").read_text())
    monitors = {one["metadata"]["name"]: one["spec"] for one in monitors}
    figures = next(one for one in kind("prod", "Deployment") if one["metadata"]["name"] == "paigow-sink-figures")
    scraped = {"paigow": replicas("prod"), "paigow-sink-figures": figures}
    check(monitors.keys() == scraped.keys(), f"PodMonitors {sorted(monitors)}")
    for name, spec in monitors.items():
        template = scraped[name]["spec"]["template"]
        check(spec["selector"]["matchLabels"].items() <= template["metadata"]["labels"].items(),
              f"the PodMonitor {name} selects no pod")
        ports = {port["name"] for one in template["spec"]["containers"] for port in one.get("ports", [])}
        check({endpoint["port"] for endpoint in spec["podMetricsEndpoints"]} <= ports, f"the PodMonitor {name} scrapes no port")
    # The operator's own label, as no jobLabel is set.
    job = f"{replicas('prod')['metadata']['namespace']}/paigow"
    asked = [pattern for file in [DEPLOY / "alerts/paigow.rules.yaml", *(DEPLOY / "compose/grafana").glob("*.py")]
             for pattern in re.findall(r'up\{job=~"([^"]*)"', file.read_text())]
    check(len(asked) >= 3 and all(re.fullmatch(pattern, job) for pattern in asked), f"{job} is not one of {asked}")


@holds
def an_overlay_brings_the_namespace_that_it_is_applied_to():
    """Into a fresh cluster, with the strictest of the standards for pods; and no two share one."""
    names = []
    for overlay in ("audits", "dev", "prod", "simulations"):
        made = kind(overlay, "Namespace")
        used = {one["metadata"].get("namespace") for one in documents(overlay) if one["kind"] != "Namespace"}
        check({one["metadata"]["name"] for one in made} == used, f"{overlay}: is applied to {used}")
        for one in made:
            check(one["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted",
                  f"{overlay}: {one['metadata']}")
        names += used
        # The commands in its head are for the same one.
        text = (DEPLOY / "k8s/overlays" / overlay / "kustomization.yaml").read_text()
        check(set(re.findall(r"kubectl -n (\S+)", text)) <= used, f"{overlay}: commands for another namespace")
    check(len(names) == len(set(names)), f"namespaces {names}")


@holds
def a_production_replica_has_a_volume_of_its_own():
    spec = replicas("prod")["spec"]
    pod = spec["template"]["spec"]
    claims = {one["metadata"]["name"]: one["spec"] for one in spec.get("volumeClaimTemplates", [])}
    check(set(claims) == {"evidence"}, f"volumes of a replica: {sorted(claims)}")
    claim = claims["evidence"]
    check(claim["accessModes"] == ["ReadWriteOnce"], f"the volume of a replica is {claim['accessModes']}")
    check(spec["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"},
          "evidence goes with its replica")
    # Its root, which one process writes and one takes files from.
    directory = settings_of("prod")["evidence"]["directory"]
    mounts = {one["name"]: mount for one in containers(pod) for mount in one["volumeMounts"]
              if mount["name"] == "evidence"}
    check(mounts == {name: {"name": "evidence", "mountPath": directory} for name in ("paigow", "ship")},
          f"who has the evidence: {mounts}")
    # No other claim is any server's, and no server's is another pod's.
    claims = {one["metadata"]["name"]: one["spec"]["accessModes"] for one in kind("prod", "PersistentVolumeClaim")}
    check(claims == {"paigow-sink-figures": ["ReadWriteMany"]}, f"claims {claims}")
    claiming = {where: {volume["persistentVolumeClaim"]["claimName"] for volume in pod.get("volumes", [])
                        if "persistentVolumeClaim" in volume} for where, pod in pods("prod")}
    check({where: names for where, names in claiming.items() if names} == {
        "CronJob paigow-sink-verify": {"paigow-sink-figures"},
        "Deployment paigow-sink-figures": {"paigow-sink-figures"}}, f"who has which claim: {claiming}")
    for overlay in ("base", "dev"):
        check("volumeClaimTemplates" not in replicas(overlay)["spec"], f"{overlay}: a volume")


@holds
def evidence_is_shipped_to_where_it_is_verified():
    pod = replicas("prod")["spec"]["template"]["spec"]
    evidence = settings_of("prod")["evidence"]
    ship = container(pod, "ship")
    sidecars = [one["name"] for one in pod["initContainers"] if one.get("restartPolicy") == "Always"]
    check(sidecars == ["secrets", "ship"] and len(pod["initContainers"]) == 2, f"sidecars {sidecars}")
    check(ship["image"] == container(pod, "paigow")["image"] and ship["command"] == ["/paigow-lab"],
          f"ship runs {ship['image']} {ship['command']}")
    check(ship["args"][:3] == ["sink", "ship", evidence["directory"]],
          f"{ship['args'][:3]}, and evidence is in {evidence['directory']}")
    # A prefix for each replica, below the one that is verified.
    job = next(pod for where, pod in pods("prod") if where == "CronJob paigow-sink-verify")
    verify = container(job, "sink-verify")
    check(verify["command"] == ["/paigow-lab"] and verify["args"][:2] == ["sink", "verify"], f"{verify['args']}")
    source, to = verify["args"][2], argument(ship, "--to")
    check(re.fullmatch(r"s3://[a-z0-9-]+/[a-z]+", source) and to == f"{source}/$(POD_NAME)",
          f"shipped to {to}, verified in {source}")
    check({"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}} in ship["env"],
          f"POD_NAME is {ship['env']}")
    # Both trust the authorities that the operator names.
    for one, pod_ in ((ship, pod), (verify, job)):
        file = next(variable["value"] for variable in one["env"] if variable["name"] == "SSL_CERT_FILE")
        mount = next(mount for mount in one["volumeMounts"] if file == f"{mount['mountPath']}/ca.pem")
        volume = next(volume for volume in pod_["volumes"] if volume["name"] == mount["name"])
        check(volume["configMap"] == {"name": "paigow-object-store-ca"}, f"{one['name']} trusts {volume}")
    # Shipped well before the next file is sealed, and kept for a while in both places.
    check(evidence["target"] == "file" and evidence["shipped"] is True, "the server does not know that it is shipped")
    check(int(argument(ship, "--every")) < evidence["rotate_s"] <= 300
          and int(argument(ship, "--prune-after-hours")) >= 24, f"{ship['args']}, {evidence['rotate_s']} s a file")
    # It reads a file whole, packs it, and reads it back.
    limit = ship["resources"]["limits"]["memory"]
    check(limit.endswith("Gi") and int(limit[:-2]) << 30 > 2 * evidence["rotate_bytes"],
          f"ship has {limit} for files of {evidence['rotate_bytes']} bytes")
    for overlay in ("base", "dev"):
        check(not settings_of(overlay)["evidence"]["shipped"], f"{overlay}: nobody ships")
    text = (ROOT / "docs/operate/deploying.md").read_text()
    check(f"`{source}/" in text and f"`{source.split('/')[2]}`" in text, "deploying.md names another bucket")


@holds
def only_who_ships_and_who_verifies_have_the_object_store():
    secret = ("Secret", "paigow-object-store")
    for overlay in ("base", "audits", "dev", "prod", "simulations"):
        having = {(where, one["name"]) for where, pod in pods(overlay) for one in containers(pod)
                  if secret in named(one, pod)}
        wanted = {("StatefulSet paigow", "ship"), ("CronJob paigow-sink-verify", "sink-verify")}
        check(having == (wanted if overlay == "prod" else set()), f"{overlay}: credentials of the store: {having}")
    # Their pods reach it, and no other does.
    labels = {}
    for one in documents("prod"):
        spec = one.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            labels[f"{one['kind']} {one['metadata']['name']}"] = spec["template"]["metadata"]["labels"]
    reaching = set()
    for policy in kind("prod", "NetworkPolicy"):
        for way in policy["spec"].get("egress", []):
            if {"namespaceSelector": {"matchLabels": {"paigow-object-store": "true"}}} not in way["to"]:
                continue
            check(way["ports"] == [{"protocol": "TCP", "port": 443}], f"{policy['metadata']['name']}: {way}")
            check(list(policy["spec"]["podSelector"]) == ["matchExpressions"], f"{policy['metadata']['name']}")
            for selector in policy["spec"]["podSelector"]["matchExpressions"]:
                check(selector["operator"] == "In", f"{policy['metadata']['name']}: {selector}")
                reaching |= {where for where, own in labels.items() if own.get(selector["key"]) in selector["values"]}
    check(reaching == {"StatefulSet paigow", "CronJob paigow-sink-verify"}, f"who reaches the store: {reaching}")


@holds
def what_an_overlay_needs_beforehand_is_listed():
    """Secrets and ConfigMaps that production names and does not bring."""
    brought = {(one["kind"], one["metadata"]["name"]) for one in documents("prod")}
    needed = {one for _, pod in pods("prod") for own in containers(pod) for one in named(own, pod, False)} - brought
    check(len(needed) == 7, f"needed beforehand: {sorted(needed)}")
    for file, row in (("docs/operate/deploying.md", r"^\| (Secret|ConfigMap) `([a-z-]+)` \|"),
                      ("deploy/k8s/overlays/prod/kustomization.yaml", r"^#   (Secret|ConfigMap) ([a-z-]+) ")):
        listed = re.findall(row, (ROOT / file).read_text(), re.M)
        check(sorted(listed) == sorted(needed), f"{file} lists {listed}, and needed is {sorted(needed)}")


@holds
def manifests_are_in_configmaps_of_which_there_may_be_nine():
    pod = replicas("prod")["spec"]["template"]["spec"]
    mounts = {mount["name"]: mount for mount in container(pod, "paigow")["volumeMounts"]}
    folder = settings_of("prod")["keyring"]["manifests"]
    check(mounts["manifests"] == {"name": "manifests", "mountPath": folder, "readOnly": True}, f"manifests are not in {folder}")
    volume = next(one for one in pod["volumes"] if one["name"] == "manifests")
    names = ["paigow-manifests", *(f"paigow-manifests-{number}" for number in range(2, 10))]
    # Each has the same key, and a file of its own, in their order.
    wanted = [{"name": name, "items": [{"key": "manifests.jsonl", "path": f"{number}.jsonl"}]}
              | ({"optional": True} if number > 1 else {}) for number, name in enumerate(names, 1)]
    check([one["configMap"] for one in volume["projected"]["sources"]] == wanted, f"manifests: {volume}")
    text = (ROOT / "docs/operate/deploying.md").read_text()
    check(names[0] in text and names[-1] in text, "deploying.md does not name the ConfigMaps of manifests")


@holds
def the_nightly_verification_has_memory_for_the_evidence_that_is_promised():
    """By the figures of docs/operate/evidence.md, and a fifth more."""
    text = " ".join((ROOT / "docs/operate/evidence.md").read_text().split())
    memory = re.search(r"less than (\d+) bytes of memory for each round", text)
    evidence = re.search(r"A settled round of one seat takes at least ([\d.]+) kB of evidence", text)
    check(memory and evidence, "evidence.md does not say what a round takes")
    source = (ROOT / "crates/paigow-evidence/src/verify/mod.rs").read_text()
    check(f"by less than {memory[1]} bytes for each round" in source, "the verifier and evidence.md differ")
    promised = re.search(r"memory limit of the nightly job, (\d+) GiB, is for (\d+) GiB of evidence",
                         " ".join((ROOT / "docs/operate/deploying.md").read_text().split()))
    check(promised, "deploying.md does not say how much evidence the nightly job has memory for")
    told, stored = (int(figure) for figure in promised.groups())
    pod = next(pod for where, pod in pods("prod") if where == "CronJob paigow-sink-verify")
    limit = pod["containers"][0]["resources"]["limits"]["memory"]
    check(limit == f"{told}Gi", f"the nightly job has {limit}, not {told} GiB")
    manifest = (DEPLOY / "k8s/overlays/prod/sink-verify.yaml").read_text()
    check(f"# {stored} GiB of evidence." in manifest, "sink-verify.yaml and deploying.md differ")
    needed = stored / (float(evidence[1]) * 1000) * int(memory[1])
    check(told >= 1.2 * needed, f"{stored} GiB need {needed:.1f} GiB to be verified, and the limit is {told}")


@holds
def the_secrets_of_a_pod_are_its_own_and_follow_the_cluster_s():
    """Runs the script of the sidecar with Debian's busybox, on folders as the kubelet makes them."""
    sidecar = container(replicas("prod")["spec"]["template"]["spec"], "secrets")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        applets = folder / "bin"
        applets.mkdir()
        busybox = ROOT / "target/tools/bin/busybox"
        subprocess.run([busybox, "--install", "-s", applets], check=True)
        for applet in applets.iterdir():  # wrappers are found by their names
            applet.unlink()
            applet.write_text(f"#!/bin/sh\nexec {busybox} {applet.name} \"$@\"\n")
            applet.chmod(0o755)
        (folder / "run").mkdir()
        # Each rename is noted with what it makes visible, and a copy can be stopped halfway.
        published = folder / "published"
        published.touch()
        (applets / "mv").write_text(
            f"""#!/bin/sh\nfor file in "$2"/*; do echo "${{file##*/}} $(cat "$file")"; done >> {published}\n"""
            f"""echo . >> {published}\nexec {busybox} mv "$@"\n""")
        (applets / "cp").write_text(f"""#!{sys.executable}
import os, shutil, sys, time
*files, to = [one for one in sys.argv[1:] if not one.startswith("-")]
held = False
for file in files:
    shutil.copy(file, to)
    try:
        held = not held and not os.rename("{folder}/hold", "{folder}/held")
    except FileNotFoundError:
        continue
    while not os.path.exists("{folder}/go"):
        time.sleep(0.005)
""")

        def publish(name, stamp, files):
            """Replaces the content of a Secret, as the kubelet does."""
            volume = folder / "secrets" / name
            (volume / stamp).mkdir(parents=True)
            for file, text in files.items():
                (volume / stamp / file).write_text(text)
                (volume / stamp / file).chmod(0o440)
            (volume / "..data_tmp").symlink_to(stamp)
            os.replace(volume / "..data_tmp", volume / "..data")
            for link in volume.iterdir():
                if not link.name.startswith(".."):
                    link.unlink()
            for file in files:
                (volume / file).symlink_to(f"..data/{file}")

        def read(file):
            try:
                return file.read_text()
            except FileNotFoundError:
                return None

        def copied(name):
            to = folder / "run" / name
            if not to.is_dir():
                return {}
            return {file.name: read(file) for file in to.iterdir() if not file.name.startswith("..")}

        def wait(condition, what):
            ends = time.monotonic() + 60
            while not condition():
                check(time.monotonic() < ends, f"secrets: {what}; {errors.read_text()}")
                time.sleep(0.005)

        def rotated():
            """Whether the new Secret is there; until then the old one is, whole."""
            found = copied("keyring")
            check(found.get("token-a.key"), f"half a Secret was to be seen: {found}")
            return found == second

        first = {"token-a.key": "1\n", "receipt-a.key": "old\n"}
        second = {"token-a.key": "1\n2\n", "receipt-b.key": "new\n"}
        certificate = {"tls.crt": "c", "tls.key": "k", "clients.crt": "a"}
        whole = [first, second, certificate]
        publish("keyring", "..2026_11_21_10_00_00.1", first)
        publish("tls", "..2026_11_21_10_00_00.2", certificate)
        script = sidecar["args"][0].replace("/run/paigow", str(folder / "run")) \
            .replace("/secrets/", f"{folder}/secrets/").replace("sleep 5", "sleep 0.1")
        errors = folder / "errors"
        with open(errors, "w") as log:
            process = subprocess.Popen([busybox, "sh", *[a for a in sidecar["command"][1:]], script],
                                       env={"PATH": str(applets)}, stderr=log, start_new_session=True)
        try:
            wait(lambda: (folder / "run/ready").exists(), "never ready")
            check(copied("keyring") == first and copied("tls") == certificate, "not what the Secrets hold")
            for file in (folder / "run").rglob("*.key"):
                check(file.stat().st_mode & 0o777 == 0o600, f"{file.name} is not its owner's alone")
            publish("keyring", "..2026_11_21_11_00_00.3", second)
            wait(rotated, "a rotated Secret is not copied")
            wait(lambda: len([one for one in (folder / "run/keyring").iterdir()
                              if one.name.startswith("..2")]) == 1, "the old copy is still there")
            check(copied("tls") == certificate and process.poll() is None, "the other Secret suffered")
            # The kubelet replaces a Secret in the middle of its copy, twice: the previous content
            # is still there for a while, then it is not.
            for round, gone in enumerate((False, True)):
                (folder / "hold").touch()
                tls = folder / "secrets/tls"
                before = {name: f"{text}{round}" for name, text in certificate.items()}
                after = {name: f"{text}{text}{round}" for name, text in certificate.items()}
                publish("tls", f"..2026_11_21_12_00_00.{round}", before)
                wait(lambda: (folder / "held").exists(), "no copy was begun")
                publish("tls", f"..2026_11_21_13_00_00.{round}", after)
                if gone:
                    for file in (tls / f"..2026_11_21_12_00_00.{round}").iterdir():
                        file.unlink()
                (folder / "go").touch()
                wait(lambda: copied("tls") == after, "a Secret replaced in mid copy is not copied again")
                (folder / "held").unlink()
                (folder / "go").unlink()
                whole.append(after)
            check(process.poll() is None, "the sidecar has ended")
            wanted = {"".join(f"{name} {text.strip()}\n" for name, text in sorted(one.items())) for one in whole}
            seen = set(published.read_text().split(".\n")) - {""}
            check(seen == wanted, f"parts of several Secrets were to be seen together: {seen ^ wanted}")
            # As the first process of its container it would not end by itself.
            process.terminate()
            check(process.wait(60) == 0, f"SIGTERM ends the sidecar with {process.returncode}")
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


@holds
def compose_is_for_this_machine_only_and_complete():
    services = compose()["services"]
    check({"paigow-1", "paigow-2", "envoy", "otel-collector", "jaeger", "prometheus", "grafana"} <= set(services),
          f"services {sorted(services)}")
    volumes = set(compose()["volumes"])
    for name, service in services.items():
        for port in service.get("ports", []):
            check(port.startswith("127.0.0.1:"), f"{name}: port {port} is open to the network")
        check(service["read_only"] and service["cap_drop"] == ["ALL"]
              and service["security_opt"] == ["no-new-privileges:true"], f"{name} is not locked down")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                check((DEPLOY / "compose" / source).exists(), f"{name}: no {source}")
            else:
                check(source in volumes, f"{name}: no volume {source}")
        for other in service.get("depends_on", []):
            check(other in services, f"{name} depends on {other}")
    known = tomllib.loads((DEPLOY / "config/default.toml").read_text())
    for name in ("paigow-1", "paigow-2"):
        for key in services[name]["environment"]:
            prefix, section, setting = key.split("__")
            check(prefix == "PAIGOW" and setting.lower() in known[section.lower()], f"{name}: no setting {key}")


@holds
def who_shares_a_volume_with_paigow_in_compose_is_its_user():
    """The image's folders are their owner's alone, and so are the volumes that are made of them."""
    owner = json.loads((RENDERED / "image.json").read_text())["Docker"]["config"]["User"]
    services = compose()["services"]

    def volumes(service):
        return {volume.split(":")[0] for volume in service.get("volumes", []) if volume[0] not in "./"}

    ours = {name for name, service in services.items() if service["image"].startswith("paigow:")}
    owned = set().union(*(volumes(services[name]) for name in ours))
    check({"keyring", "evidence-1", "evidence-2", "figures"} <= owned, f"volumes of paigow: {owned}")
    others = {name: service for name, service in services.items()
              if name not in ours and volumes(service) & owned}
    check(set(others) == {"sink-figures"}, f"who reads what paigow writes: {sorted(others)}")
    for name, service in others.items():
        check(service.get("user") == owner, f"{name}: as {service.get('user')}, not {owner}")
    for name in ours:
        check("user" not in services[name], f"{name}: not the user of its image")


@holds
def the_collector_uses_what_it_defines():
    config = yaml.safe_load((DEPLOY / "compose/collector.yaml").read_text())
    for pipeline, parts in config["service"]["pipelines"].items():
        for part in ("receivers", "processors", "exporters"):
            for name in parts.get(part, []):
                check(name in config[part], f"collector: {pipeline} uses {name}")


@holds
def prometheus_and_envoy_know_the_replicas_of_compose():
    jobs = yaml.safe_load((DEPLOY / "compose/prometheus.yaml").read_text())["scrape_configs"]
    targets = next(job for job in jobs if job["job_name"] == "paigow")["static_configs"][0]["targets"]
    check(targets == ["paigow-1:9464", "paigow-2:9464"], f"Prometheus scrapes {targets}")

    def endpoints(file):
        config = yaml.safe_load(file.read_text())
        group = config["static_resources"]["clusters"][0]["load_assignment"]["endpoints"][0]
        return config, group

    mine, group = endpoints(DEPLOY / "compose/envoy.yaml")
    tested, tested_group = endpoints(ROOT / "tests/operations/proxies/envoy.yaml")
    tested_group["lb_endpoints"] = [one for one in tested_group["lb_endpoints"]
                                    if one["endpoint"]["address"]["socket_address"]["address"] != "paigow-3"]
    check(len(group["lb_endpoints"]) == 2, "Envoy knows other replicas")
    check(mine == tested, "compose's Envoy is not the one that is tested")


@holds
def every_alert_has_a_test_in_which_it_fires_and_one_in_which_it_does_not():
    groups = yaml.safe_load((DEPLOY / "alerts/paigow.rules.yaml").read_text())["groups"]
    fires, silent = set(), set()
    for file in (DEPLOY / "alerts/tests").glob("*.yaml"):
        for test in yaml.safe_load(file.read_text())["tests"]:
            for one in test.get("alert_rule_test", []):
                (fires if one["exp_alerts"] else silent).add(one["alertname"])
    for group in groups:
        for rule in group["rules"]:
            if "alert" not in rule:
                continue
            check(rule["alert"] in fires, f"no test in which {rule['alert']} fires")
            check(rule["alert"] in silent, f"no test in which {rule['alert']} is silent")
            check(rule["labels"]["severity"] in ("page", "ticket")
                  and set(rule["annotations"]) == {"summary", "description", "runbook_url"}, rule["alert"])


@holds
def what_alerts_wait_for_lies_well_below_the_limits_of_the_server():
    groups = yaml.safe_load((DEPLOY / "alerts/paigow.rules.yaml").read_text())["groups"]
    expressions = {rule["alert"]: rule["expr"] for group in groups for rule in group["rules"] if "alert" in rule}
    for overlay in ("base", "dev", "prod"):
        server = settings_of(overlay)["server"]
        for alert, figure, limit, part in (
                # One line is enough to keep a call waiting.
                ("PaigowEvidenceWaits", "paigow_evidence_queue", "max_concurrent_calls", 0.25),
                ("PaigowConnectionsNearLimit", "paigow_connections", "max_connections", 0.8)):
            threshold = re.fullmatch(rf"{figure} > (\d+)", expressions[alert])
            check(threshold and int(threshold[1]) <= part * server[limit],
                  f"{overlay}: {alert} waits for {expressions[alert]}, and {limit} is {server[limit]}")


@holds
def a_rule_looks_only_at_figures_that_its_own_group_has_just_made():
    groups = yaml.safe_load((DEPLOY / "alerts/paigow.rules.yaml").read_text())["groups"]
    for group in groups:
        made = set()
        for rule in group["rules"]:
            for name in re.findall(r"paigow:[\w:]+", rule["expr"]):
                check(name in made, f"{rule.get('alert') or rule['record']} looks at {name} too early")
            made.add(rule.get("record"))


@holds
def dashboards_are_three_and_their_panels_can_be_told_apart():
    uids = set()
    for file in sorted((DEPLOY / "compose/grafana/dashboards").glob("*.json")):
        dashboard = json.loads(file.read_text())
        uids.add(dashboard["uid"])
        titles = [panel["title"] for panel in dashboard["panels"] if panel["type"] != "row"]
        check(len(titles) == len(set(titles)), f"{file.name}: two panels of one title")
        for panel in dashboard["panels"]:
            place = panel["gridPos"]
            check(place["x"] + place["w"] <= 24, f"{file.name}: {panel['title']} is too wide")
            check(panel["type"] == "row" or panel["description"], f"{file.name}: {panel['title']} is not explained")
    check(uids == {"paigow-service", "paigow-money", "paigow-fairness"}, f"dashboards {uids}")


RENDERED = pathlib.Path(sys.argv[1])
for one in CHECKS:
    one()
    print("ok ", re.sub("_s(_|$)", "'s ", one.__name__).replace("_", " ").strip())
