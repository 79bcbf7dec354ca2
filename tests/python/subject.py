"""subject.py GRADPROOF SECONDS EXAMPLE OPTIONS…: each of the five kernels of an example passes; OPTIONS go to verify."""
import subprocess
import sys
import tempfile

from gradproof.operators import OPERATORS

gradproof, seconds, example, *options = sys.argv[1:]
failures = 0
for operator in OPERATORS:
    command = [gradproof, "verify", "--exec", f"{sys.executable} {example}", "--operator", operator]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command + ["--seconds", seconds, "--no-database", *options], capture_output=True, text=True,
                              check=False, cwd=folder)
    print(f"{operator}: {done.stdout.strip().splitlines()[-1:]}")
    if done.returncode != 0 or "validation: by the kit" not in done.stdout:
        failures += 1
        print(f"FAILED (exit status {done.returncode})\n{done.stdout}{done.stderr}")
sys.exit(1 if failures else 0)
