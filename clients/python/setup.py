"""Builds the wheel: stubs from the contract, and the verifier with the published rules, beside the client.

A source distribution has what the wheel is made of in its folder `repository`.
"""
import pathlib
import shutil

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
COPY = HERE / "repository"
REPOSITORY = COPY if COPY.exists() else HERE.parents[1]
CONTRACT = "paigow/v1/paigow_service.proto"
RULES = ["crates/paigow-rules/src", "crates/paigow-round/src/audit"]


class Build(build_py):
    """Adds the files that are made from other folders of the repository."""

    def run(self):
        super().run()
        made = pathlib.Path(self.build_lib)
        make_stubs(made)
        copy_verifier(made / "paigow/_verify")


class Source(sdist):
    """Adds the files of other folders of the repository that a build reads."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for file in sources():
            target = pathlib.Path(base_dir) / COPY.name / file.relative_to(REPOSITORY)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def sources():
    """Yields the files of other folders that the wheel is made of."""
    yield from sorted((REPOSITORY / "proto/paigow/v1").glob("*.proto"))
    yield from sorted((REPOSITORY / "verifiers/python/paigow_verify").glob("*.py"))
    for folder in RULES:
        yield from rules_of(REPOSITORY / folder)


def rules_of(folder):
    yield from sorted([*folder.rglob("*.toml"), *folder.glob("*.json")])


def make_stubs(to):
    from grpc_tools import protoc

    source = REPOSITORY / "proto"
    failed = protoc.main(["protoc", f"-I{source}", f"--python_out={to}", f"--pyi_out={to}",
                          f"--grpc_python_out={to}", str(source / CONTRACT)])
    if failed:
        raise SystemExit("protoc has failed")
    (to / "paigow/v1/__init__.py").touch()


def copy_verifier(to):
    """The verifier finds the rules in a folder beside its own."""
    verifier = REPOSITORY / "verifiers/python"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(verifier / "paigow_verify", to / "paigow_verify", dirs_exist_ok=True, ignore=ignored)
    (to / "__init__.py").touch()
    rules = to / "rules"
    for source in (REPOSITORY / folder for folder in RULES):
        for file in rules_of(source):
            target = rules / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


setup(packages=find_packages("src"), cmdclass={"build_py": Build, "sdist": Source})
