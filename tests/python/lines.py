"""lines.py EXAMPLE: the body of each kernel (what follows its `def` line) has at most 6 lines, none wider than 120
characters; all five are there."""
import ast
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
failed = max(map(len, text.splitlines())) > 120
kernels = [f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef) and f.decorator_list]
for function in kernels:
    lines = function.end_lineno - function.lineno
    print(f"{function.decorator_list[0].args[0].value}: {lines} lines")
    failed = failed or lines > 6
sys.exit(f"{len(kernels)} kernels; 5 of at most 6 lines were expected" if failed or len(kernels) != 5 else 0)
