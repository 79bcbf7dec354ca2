"""A hunk of a patch, and its place in a source that may have changed since: found by tokens, not by lines."""
import re

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|[A-Za-z_]\w*|\d[\w.']*|[^\s\w]""", re.S)
FEWEST = 6  # tokens, the changed ones among them, that make a place


class Misfit(Exception):
    """Why a fault does not fit the sources."""


class Tokens:
    """A text's tokens without comments, and where each begins and ends."""

    def __init__(self, text: str):
        found = [m for m in TOKEN.finditer(text) if not m[0].startswith(("//", "/*"))]
        self.text, self.all = text, [m[0] for m in found]
        self.begin, self.end = [m.start() for m in found], [m.end() for m in found]


def agreeing(a: list, b: list) -> int:
    """How many elements are the same from the beginning on."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def decided(agreements: list, size: int) -> bool:
    """Whether the first of some places, the best first, is surely meant: all agrees there, or twice as much as elsewhere."""
    best, second = (agreements + [0, 0])[:2]
    return best > second and (best == size or best >= 2 * second)


class Hunk:
    """The tokens that are changed, those before and after them, and the new text."""

    def __init__(self, lines: list):
        old = Tokens("\n".join(line[1:] for line in lines if line[0] != "+")).all
        self.new = Tokens("\n".join(line[1:] for line in lines if line[0] != "-"))
        first = agreeing(old, self.new.all)
        last = agreeing(old[first:][::-1], self.new.all[first:][::-1])
        self.size = len(old)
        self.before, self.changed, self.after = old[:first], old[first:self.size - last], old[self.size - last:]

    def places(self, tokens: list):
        """For each place: how many tokens agree, how many of them before it, and where it is."""
        count, before = len(self.changed), self.before[::-1]
        for at in range(len(tokens) - count + 1):
            if tokens[at:at + count] == self.changed:
                ahead = agreeing(before, tokens[max(0, at - len(before)):at][::-1])
                after = agreeing(self.after, tokens[at + count:at + count + len(self.after)])
                # What is only inserted has no place but between its neighbours.
                if (count or ahead and after) and ahead + count + after >= FEWEST:
                    yield ahead + count + after, ahead, at

    def fit(self, source: Tokens) -> tuple:
        """Where the best place begins and ends in the text, what is written there, and how many tokens agree."""
        places = sorted(self.places(source.all), reverse=True)
        if not places:
            raise Misfit("does not have what the patch changes")
        if not decided([agree for agree, _, _ in places], self.size):
            raise Misfit("has what the patch changes at several places, and the lines around do not tell which")
        agree, ahead, at = places[0]
        after = agree > ahead + len(self.changed)
        end, new_end = at + len(self.changed), len(self.new.all) - len(self.after)
        # White space next to a neighbour that agrees is the patch's, else the source's.
        begins = (source.end[at - 1], self.new.end[len(self.before) - 1]) if ahead else \
            (source.begin[at], self.new.begin[len(self.before)])
        ends = (source.begin[end], self.new.begin[new_end]) if after else \
            (source.end[end - 1], self.new.end[new_end - 1])
        return begins[0], ends[0], self.new.text[begins[1]:ends[1]], agree
