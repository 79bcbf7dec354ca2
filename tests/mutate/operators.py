"""Mutants: places in C++ source that can be written otherwise, each with what stands there instead.

Works on text, line by line: comments, strings, characters, preprocessor lines and assertions are left
alone, and an operator counts only with spaces around it, which tells `a < b` from `vector<int>`.
"""
import dataclasses
import re

# kind: (what is found, what may stand there instead)
SWAPS = {
    "relation": (r" (<|>|<=|>=|==|!=) ",
                 {"<": ["<=", ">="], ">": [">=", "<="], "<=": ["<", ">"], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}),
    "logic": (r" (&&|\|\|) ", {"&&": ["||"], "||": ["&&"]}),
    "arithmetic": (r" ([-+*/%]) ", {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"]}),
    "assignment": (r" ([-+]=) ", {"+=": ["-="], "-=": ["+="]}),
    "step": (r"(\+\+|--)(?=[a-z_])", {"++": ["--"], "--": ["++"]}),
    "bits": (r" (&|\||<<|>>) (?![&|])", {"&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"]}),
    "negation": (r"(?<![\w)\]])(!)(?=[a-z_(])", {"!": [""]}),
    "word": (r"\b(true|false|std::min|std::max)\b",
             {"true": ["false"], "false": ["true"], "std::min": ["std::max"], "std::max": ["std::min"]}),
}
NUMBER = re.compile(r"(?<![\w.<])(\d+)(?![\w.>])")
STATEMENT = re.compile(r"^\s*((?!return|delete|using|throw|break|case|else|if|for|while|static_assert|default|goto|const|auto)"
                       r"[a-z_][\w.:>\-\[\]]*(\([^;{}]*\)| [-+*/|&]?= [^;{}]*));\s*$")
LEFT_ALONE = re.compile(r"^\s*(#|using |template|static_assert|HWY_|namespace |//|enum |friend )")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1
    column: int  # from 0
    old: str
    new: str
    kind: str

    def apply(self, text):
        lines = text.split("\n")
        at = lines[self.line - 1]
        assert at[self.column:self.column + len(self.old)] == self.old
        lines[self.line - 1] = at[:self.column] + self.new + at[self.column + len(self.old):]
        return "\n".join(lines)

    def name(self):
        return f"{self.file}:{self.line}:{self.column + 1}: {self.kind}: '{self.old}' becomes '{self.new}'"


def blank(line):
    """The line with its comment, strings and characters replaced by as many spaces."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda m: " " * len(m[0]), line)
    return re.sub(r"//.*", lambda m: " " * len(m[0]), line)


FUNCTION = re.compile(r"^(?:  )?(?:[A-Za-z_][\w:<>&* ]*? )?(~?[A-Za-z_]\w*)\([^;]*$")


def function_of(lines, number):
    """The name of the function that a line of the source is in, by its indentation; None outside of functions."""
    indentation = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for line in reversed(lines[:number - 1]):
        depth = len(line) - len(line.lstrip())
        if not line.strip() or depth >= indentation:
            continue
        begins = FUNCTION.match(line)
        if begins and begins[1] not in ("if", "for", "while", "switch"):
            return begins[1]
        indentation = depth
    return None


def of_file(file, text):
    """All mutants of a file, in order."""
    found = []
    inside = False  # a comment of several lines
    before = ";"  # how the line before ends
    for number, raw in enumerate(text.split("\n"), 1):
        line = blank(raw)
        if inside or "/*" in line:
            inside = "*/" not in line
            continue
        if LEFT_ALONE.match(line) or not line.strip():
            continue
        for kind, (pattern, instead) in SWAPS.items():
            for m in re.finditer(pattern, line):
                found += [Mutant(file, number, m.start(1), m[1], new, kind) for new in instead[m[1]]]
        for m in NUMBER.finditer(line):
            found.append(Mutant(file, number, m.start(1), m[1], str(int(m[1]) + 1), "number"))
        statement = STATEMENT.match(line)
        if statement and before in ";{}:":
            found.append(Mutant(file, number, statement.start(1), raw[statement.start(1):statement.end(1)], "", "statement"))
        before = line.rstrip()[-1]
    return found
