"""gradproof in Python: kernels for `gradproof verify --exec`, exact values and bounds, checks for pytest.

    @gradproof.kernel("replication_pad2d_backward")
    def gradient(grad_output, sums, left, top):
        n, c, i, j = numpy.indices(grad_output.shape)
        i, j = numpy.clip(i - top, 0, sums.shape[2] - 1), numpy.clip(j - left, 0, sums.shape[3] - 1)
        numpy.add.at(sums, (n, c, i, j), grad_output)

    gradproof.serve()                # python3 FILE is then a COMMAND for gradproof verify --exec
    gradproof.check(gradient)        # the same from here: an AssertionError with the counterexample

docs/python.md has the rest. Strategies for Hypothesis are in gradproof.strategies.
"""
from .calls import Call, Reference, reference
from .checking import check
from .kernels import NotSupported, kernel, serve

__all__ = ["Call", "NotSupported", "Reference", "check", "kernel", "reference", "serve"]
