"""bugs.py GRADPROOF EXAMPLE OPERATOR: three realistic bugs of a kernel written with NumPy, planted as edits of the
example; each is found within 8 s, in a case whose tensors have at most 64 elements (masks aside)."""
from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS, MOST_ELEMENTS = 8, 64


def ignores_strides(tensor: str) -> str:
    """As where an array is passed by its address."""
    return (
        f"    {tensor} = np.lib.stride_tricks.as_strided({tensor}, "
        f"strides=np.empty({tensor}.shape, {tensor}.dtype).strides)\n"
    )


def narrow_sums(text: str) -> str:
    """Each sum is rounded to the tensor's type after every addition."""
    gradient = "grad_out" if "grad_out," in text.split("\n")[1] else "grad_output"
    text = text.replace("    np.add.at(sums,", f"    narrow = np.zeros(sums.shape, {gradient}.dtype)\n    np.add.at(narrow,")
    return text.rstrip() + "\n    return narrow\n"


def at_the_top(line: str) -> list[tuple[str, str]]:
    return [(r"(def .*:\n)", r"\1" + line)]


Edits = list[tuple[str, str]]
BUGS: dict[str, dict[str, Edits]] = {
    "max_pool3d_with_argmax_backward": {
        "strides ignored": at_the_top(ignores_strides("grad_output")),
        "ceil-mode clip": [
            (r"indices, sums\)", "indices, sums, kernel_size, stride, padding)"),
            (
                r"(    np.add)",
                "    cut = np.c_[:grad_output.shape[3]] * stride[1] + kernel_size[1] > sums.shape[3] + 2 * padding[1]\n"
                "    grad_output = np.where(cut, 0, grad_output)\n\\1",
            ),
        ],
    },
    "adaptive_max_pool3d_backward": {
        "strides ignored": at_the_top(ignores_strides("indices")),
        "last element lost": at_the_top(
            "    grad_output = np.where(indices < np.prod(sums.shape[2:]) - 1, grad_output, 0)\n"
        ),
    },
    "max_pool2d_with_mask_backward": {
        "strides ignored": at_the_top(ignores_strides("grad_output")),
        "ceil-mode clip": [
            (
                r"np.nonzero\(maxima\)",
                "np.nonzero(maxima[:, :, : (sums.shape[2] + 2 * padding[0] - maxima.shape[4]) // stride[0] + 1])",
            )
        ],
    },
    "upsample_bilinear2d_backward": {
        "strides ignored": at_the_top(ignores_strides("grad_out")),
        "weight beyond 1": [(r"np.clip\(x, 0, n - 1\)", "np.minimum(x, n - 1)")],
    },
    "replication_pad2d_backward": {
        "strides ignored": at_the_top(ignores_strides("grad_output")),
        "last border row lost": [
            (r"left, top\)", "left, top, bottom)"),
            (r"(def .*:\n)", r"\1    grad_output = grad_output[:, :, :-1] if bottom > 1 else grad_output" + "\n"),
        ],
    },
}


def elements(case: str) -> int:
    """Of the largest tensor of a case, but a mask, whose size the contract fixes."""
    largest = 0
    for dtype, shape in re.findall(r"=([A-Z0-9]+)\[([0-9,]*)\]", case):
        if dtype != "INT8":
            count = 1
            for extent in filter(None, shape.split(",")):
                count *= int(extent)
            largest = max(largest, count)
    return largest


def planted(text: str, operator: str, edits: Edits) -> str:
    """The example with one kernel edited; each edit must apply once."""
    begin = text.index(f'@gradproof.kernel("{operator}")')
    end = text.index("\n\n\n", begin)
    function = text[begin:end] + "\n"
    for pattern, replacement in edits:
        function, count = re.subn(pattern, replacement, function)
        assert count == 1, f"{operator}: '{pattern}' applies {count} times"
    return text[:begin] + function + text[end:]


def main() -> int:
    gradproof, example, operator = sys.argv[1:]
    text = Path(example).read_text(encoding="utf-8")
    sources = {bug: planted(text, operator, edits) for bug, edits in BUGS[operator].items()}
    begin = text.index(f'@gradproof.kernel("{operator}")')
    end = text.index("\n\n\n", begin)
    sources["narrow sums"] = text[:begin] + narrow_sums(text[begin:end]) + text[end:]
    failures = 0
    for bug, source in sources.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "kernel.py")
            path.write_text(source, encoding="utf-8")
            command = [gradproof, "verify", "--exec", f"{sys.executable} {path}", "--operator", operator]
            command += ["--seconds", str(SECONDS), "-x", "--no-database"]
            before = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        cases = re.findall(r"^repro: gradproof repro '([^']*)'", done.stdout, re.MULTILINE)
        smallest = min(map(elements, cases), default=None)
        found = done.returncode == 1 and smallest is not None and smallest <= MOST_ELEMENTS
        print(f"{operator}, {bug}: {smallest} elements, {time.monotonic() - before:.1f} s")
        if not found:
            failures += 1
            print(f"FAILED (exit status {done.returncode})\n{done.stdout[-2000:]}{done.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
