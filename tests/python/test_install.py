"""The package as users install it: offline, in a fresh virtual environment that sees the system's NumPy."""
import hashlib
import os
import shutil
import subprocess
import sys

from conftest import ROOT, scene


def run(*command, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CAROM_LIBRARY")}
    answer = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                            env={**clean, **environment})
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def test_pip_installs_it_offline(tmp_path):
    source = tmp_path / "python"  # pip writes into the folder it builds from
    shutil.copytree(os.path.join(ROOT, "python"), source, ignore=shutil.ignore_patterns("__pycache__"))
    environment = tmp_path / "env"
    run(sys.executable, "-m", "venv", "--system-site-packages", environment)
    run(environment / "bin" / "pip", "install", "--no-index", "--quiet", "--disable-pip-version-check", source,
        CAROM_LIBRARY=os.environ["CAROM_LIBRARY"])
    code = (f"import carom; m = carom.load({scene('pendulum.json')!r}); print(carom.library, m.run(until=0.1).state.time, "
            "carom.Spec.revolute.__name__)")
    said = run(environment / "bin" / "python", "-c", code).split()
    assert said[0].startswith(str(environment)) and said[1:] == ["0.1", "revolute"]


def test_two_wheels_are_the_same_bytes(tmp_path):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import backend; print(backend.build_wheel(sys.argv[2]))"
    hashes = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        wheel = run(sys.executable, "-c", code, os.path.join(ROOT, "python"), tmp_path / name, PYTHONDONTWRITEBYTECODE="1",
                    CAROM_LIBRARY=os.environ["CAROM_LIBRARY"]).strip()
        hashes.append(hashlib.sha256((tmp_path / name / wheel).read_bytes()).hexdigest())
    assert hashes[0] == hashes[1]


def test_a_checkout_needs_no_installation():
    library = os.path.join(ROOT, "build", "lib", "libcarom.so.0")
    if os.path.exists(library):
        said = run(sys.executable, "-c", "import carom; print(carom.library)", PYTHONPATH=os.path.join(ROOT, "python"),
                   PYTHONDONTWRITEBYTECODE="1")
        assert os.path.samefile(said.strip(), library)
