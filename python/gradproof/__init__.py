"""gradproof in Python: kernels for `gradproof verify --exec`, exact values and bounds, checks in pytest.

    @gradproof.kernel("replication_pad2d_backward")
    def gradient(grad_output, sums, left, top):
        n, c, i, j = numpy.indices(grad_output.shape)
        i, j = numpy.clip(i - top, 0, sums.shape[2] - 1), numpy.clip(j - left, 0, sums.shape[3] - 1)
        numpy.add.at(sums, (n, c, i, j), grad_output)

    gradproof.serve()
"""
from .kernels import NotSupported, kernel, serve

__all__ = ["NotSupported", "kernel", "serve"]
