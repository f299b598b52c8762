"""The build backend (PEP 517) of the package: a wheel is a zip file, and nothing needs to be downloaded to write one.

The built library goes in beside the package. It is taken from CAROM_LIBRARY, or from the build folder of the checkout.
Two wheels of the same files are the same bytes.
"""
import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "libcarom.so.0"
READER = "libexec/carom/carom-mesh-reader"


def version():
    with open(os.path.join(ROOT, "carom", "_c.py"), encoding="utf-8") as file:
        return re.search(r'^VERSION = "([^"]+)"', file.read(), re.M).group(1)


def library():
    """The library that goes into the wheel."""
    named = os.environ.get("CAROM_LIBRARY")
    found = named or os.path.join(ROOT, "..", "build", "lib", LIBRARY)
    if not os.path.exists(found):
        raise SystemExit(f"carom: there is no library '{found}'; run 'make build' first, or name it in CAROM_LIBRARY")
    return os.path.realpath(found)


def metadata():
    return (f"Metadata-Version: 2.1\nName: carom\nVersion: {version()}\n"
            "Summary: Contact and impact dynamics of multibody systems\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def tag():
    machine = os.uname().machine
    return f"py3-none-linux_{machine}"


def _sources():
    for name in sorted(os.listdir(os.path.join(ROOT, "carom"))):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            with open(os.path.join(ROOT, "carom", name), "rb") as file:
                yield "carom/" + name, file.read(), 0o644


def _programs():
    """The library, and the program that reads further mesh formats where it was built."""
    built = library()
    with open(built, "rb") as file:
        yield "carom/lib/" + LIBRARY, file.read(), 0o755
    reader = os.path.join(os.path.dirname(built), "..", READER)
    if os.path.exists(reader):
        with open(reader, "rb") as file:
            yield "carom/" + READER, file.read(), 0o755


def _write(archive, name, data, mode, record):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    archive.writestr(entry, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(data)}")


def _wheel(folder, files):
    name = f"carom-{version()}-{tag()}.whl"
    info = f"carom-{version()}.dist-info/"
    record = []
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path, data, mode in files:
            _write(archive, path, data, mode, record)
        _write(archive, info + "METADATA", metadata().encode(), 0o644, record)
        wheel = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag()}\n"
        _write(archive, info + "WHEEL", wheel.encode(), 0o644, record)
        record.append(info + "RECORD,,")
        _write(archive, info + "RECORD", ("\n".join(record) + "\n").encode(), 0o644, [])
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, list(_sources()) + list(_programs()))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points here: the package finds the library in the build folder."""
    return _wheel(wheel_directory, [("carom.pth", ROOT.encode() + b"\n", 0o644)])


def build_sdist(sdist_directory, config_settings=None):
    """The package without its library, which is built from the rest of the checkout."""
    base = f"carom-{version()}"
    name = base + ".tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        files = list(_sources()) + [("PKG-INFO", metadata().encode(), 0o644)]
        for plain in ("pyproject.toml", "backend.py"):
            with open(os.path.join(ROOT, plain), "rb") as file:
                files.append((plain, file.read(), 0o644))
        for path, data, mode in files:
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mode = len(data), mode
            archive.addfile(entry, io.BytesIO(data))
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel
