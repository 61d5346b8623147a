"""Builds the wheel: stubs from the contract, and the verifier with the published rules, beside the client."""
import pathlib
import shutil

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
CONTRACT = "paigow/v1/paigow_service.proto"


class Build(build_py):
    """Adds the files that are made from other folders of the repository."""

    def run(self):
        super().run()
        made = pathlib.Path(self.build_lib)
        make_stubs(made)
        copy_verifier(made / "paigow/_verify")


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
    verifier, crates = REPOSITORY / "verifiers/python", REPOSITORY / "crates"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(verifier / "paigow_verify", to / "paigow_verify", dirs_exist_ok=True, ignore=ignored)
    (to / "__init__.py").touch()
    rules = to / "rules"
    for source in (crates / "paigow-rules/src", crates / "paigow-round/src/audit"):
        for file in [*source.rglob("*.toml"), *source.glob("*.json")]:
            target = rules / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


setup(packages=find_packages("src"), cmdclass={"build_py": Build})
