"""test_schema.py SCHEMA: headers as they come and go through a real pipe fit docs/pipe.schema.json, and wrong ones do not."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gradproof.wire
from gradproof.calls import program
from gradproof.operators import OPERATORS

SCHEMA = json.loads(Path(sys.argv.pop()).read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}

# Stands between the suite and a kernel, and writes down the headers of both.
SPY = """
import json, sys
import gradproof.kernels, gradproof.wire as wire
log = open({log!r}, "a")
def noted(header):
    if header is not None:
        print(json.dumps(header), file=log, flush=True)
    return header
read, write = wire.read_header, wire.write
wire.read_header = lambda stream: noted(read(stream))
wire.write = lambda stream, header, storages=(): write(stream, noted(header), storages)
sys.path.insert(0, {examples!r})
import numpy_kernels
"""


def fits(value, schema) -> bool:
    """As much of JSON Schema as the file uses; a word that is not known here is an error."""
    checks = {
        "$ref": lambda s: fits(value, SCHEMA["$defs"][s.rsplit("/", 1)[1]]),
        "oneOf": lambda s: sum(fits(value, one) for one in s) == 1,
        "type": lambda s: isinstance(value, TYPES[s]) and (s == "boolean") == isinstance(value, bool),
        "const": lambda s: value == s,
        "enum": lambda s: value in s,
        "minimum": lambda s: value >= s,
        "required": lambda s: all(key in value for key in s),
        "additionalProperties": lambda s: s or all(key in schema["properties"] for key in value),
        "properties": lambda s: all(fits(value[key], one) for key, one in s.items() if key in value),
        "items": lambda s: all(fits(one, s) for one in value),
    }
    return all(checks[word](s) for word, s in schema.items() if word not in ("$schema", "$defs", "title"))


class Schema(unittest.TestCase):
    def test_real_headers(self):
        examples = str(Path(__file__).parents[2] / "examples" / "subjects")
        with tempfile.TemporaryDirectory() as folder:
            log, spy = Path(folder, "log"), Path(folder, "spy.py")
            spy.write_text(SPY.format(log=str(log), examples=examples), encoding="utf-8")
            command = [program(), "verify", "--exec", f"{sys.executable} {spy}", "--cases", "30", "--no-database"]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            headers = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        self.assertEqual({h["kernel"] for h in headers if "kernel" in h}, set(OPERATORS))
        for header in headers:
            self.assertTrue(fits(header, SCHEMA), header)

    def test_other_answers(self):
        for header in ({"not_supported": "x"}, {"failed": "x"}, {"gradproof": 1, "kernels": [], "positions": True}):
            self.assertTrue(fits(header, SCHEMA), header)

    def test_wrong_headers(self):
        for header in ({}, {"bytes": -1}, {"bytes": 1, "failed": "x"}, {"gradproof": 2, "kernels": []},
                       {"gradproof": 1, "kernels": ["pad"]}, {"kernel": "replication_pad2d_backward", "parameters": {}},
                       {"failed": 3}, {"bytes": True}):
            self.assertFalse(fits(header, SCHEMA), header)


if __name__ == "__main__":
    unittest.main()
