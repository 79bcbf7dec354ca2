"""`check`: a whole `gradproof verify` over a function of this process, for pytest and the like."""
from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable

from .calls import program
from .kernels import Kernel, converse, greeting, kernel_of
from .wire import Header

_BRIDGE = Path(__file__).with_name("bridge.py")


class _Server:
    """Computes in this process for each bridge that connects."""

    def __init__(self, folder: str, kernels: dict[str, Kernel], hello: Header) -> None:
        self._kernels, self._hello = kernels, hello
        self._socket = socket.socket(socket.AF_UNIX)
        # A socket's address has at most 107 characters; the folder's name may be longer.
        handle = os.open(folder, os.O_PATH)
        self._socket.bind(f"/proc/self/fd/{handle}/s")
        os.close(handle)
        self._socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *_: Any) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                bridge, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(bridge,), daemon=True).start()

    def _talk(self, bridge: socket.socket) -> None:
        with bridge:
            try:
                _, files, _, _ = socket.recv_fds(bridge, 1, 2)
                if not files:
                    return
                with os.fdopen(files[0], "rb") as incoming, os.fdopen(files[1], "wb") as outgoing:
                    converse(incoming, outgoing, self._kernels, self._hello)
            except (OSError, EOFError):
                pass  # the other side was ended, a hang for instance


def check(
    function: Callable[..., Any],
    name: str | None = None,
    *,
    seconds: float = 5,
    cases: int | None = None,
    case: str | None = None,
    seed: int = 1,
    timeout: float = 20,
    profile: str | None = None,
    known: str | None = None,
    contiguous: bool = False,
    positions: bool = False,
) -> str:
    """Runs `gradproof verify` over a function, to the first finding: an AssertionError with the shrunk
    counterexample, or the summary.

    @param name     the operator, of a function that @kernel does not name one for, or names several
    @param cases    so many instead of `seconds`
    @param case     this one alone, as an earlier error's message has it
    @param timeout  seconds after which a call counts as a hang
    """
    made = kernel_of(function, name)
    hello = greeting([made.name], contiguous=contiguous, positions=positions, profile=None)
    with tempfile.TemporaryDirectory() as folder, _Server(folder, {made.name: made}, hello):
        bridge = shlex.join([sys.executable, "-I", "-S", str(_BRIDGE), folder])
        if case is not None:
            command = [program(), "repro", case]
        else:
            command = [program(), "verify", "--operator", made.name, "--seed", str(seed)]
            command += ["--no-database", "-x", "--show", "1"]
            command += ["--cases", str(cases)] if cases is not None else ["--seconds", str(seconds)]
        command += ["--timeout", str(timeout), "--exec", bridge]
        command += ["--profile", profile] if profile is not None else []
        command += ["--known", known] if known is not None else []
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = done.stdout.strip().rsplit("\n", 1)[-1]
    if done.returncode == 0 and case is not None:
        return "passed: " + ", ".join(re.findall("^passed: (.*)", done.stdout, re.MULTILINE))
    if done.returncode == 0:
        return summary
    if done.returncode == 1:
        raise AssertionError(_counterexample(done.stdout))
    if done.returncode == 5:
        raise AssertionError("\n".join([f"nothing was tested: {summary}", *_reasons(done.stdout)]))
    raise RuntimeError(done.stderr.strip())


def _reasons(output: str) -> list[str]:
    """Why nothing was checked: `verify` sums it up, `repro` says it of each property."""
    summed = re.findall(r"^cases without a check: .*(?:\n  .*)*", output, re.MULTILINE)
    return summed or list(dict.fromkeys(re.findall("^not checked: [a-z-]*: (.*)", output, re.MULTILINE)))


def _counterexample(output: str) -> str:
    """The first finding, or all of one case, with how to try it again from Python."""
    output = re.sub(r"^(?:passed|not checked): .*\n", "", output, flags=re.MULTILINE)
    text = re.split(r"\n\nfailed: |\nruntime: ", output, maxsplit=1)[0].strip()
    head, mark, rest = text.partition("\nrepro: ")
    text = head + mark + re.sub(r"\nrepro: .*", "", rest)  # it is the same case
    text = re.sub(r"only in the summary; .*", "besides: check again when this one is fixed", text)
    return re.sub(r"repro: gradproof repro '([^']*)'.*", r"again: gradproof.check(..., case='\1')", text)
