"""Makes NumPy a subject: the five gradients, written with NumPy. Needs Debian's python3-numpy.

gradproof verify --exec 'python3 numpy_kernels.py'
"""
import gradproof
import numpy as np


@gradproof.kernel("max_pool3d_with_argmax_backward")
def max_pool3d(grad_output, indices, sums):
    n, c = np.indices(grad_output.shape)[:2]
    np.add.at(sums, (n, c, *np.unravel_index(indices, sums.shape[2:])), grad_output)


@gradproof.kernel("max_pool2d_with_mask_backward")
def max_pool2d(grad_output, maxima, sums, stride, padding):
    n, c, i, j, y, x = np.nonzero(maxima)
    h, w = i * stride[0] - padding[0] + y, j * stride[1] - padding[1] + x
    np.add.at(sums, (n, c, h, w), grad_output[n, c, i, j])


@gradproof.kernel("upsample_bilinear2d_backward")
def upsample(grad_out, sums, align_corners, scale_h, scale_w):
    def axis(i, n, s):  # both neighbours in out of each position of grad_out, and their weights
        x = i * ((n - 1) / max(len(i) - 1, 1)) if align_corners else (i + 0.5) * (1 / s if s > 0 else n / len(i)) - 0.5
        return np.minimum((x := np.clip(x, 0, n - 1)).astype(int) + [0, 1], n - 1), abs([1, 0] - x % 1)
    (h, y), (w, x) = (axis(np.c_[:m], n, s) for m, n, s in zip(grad_out.shape[2:], sums.shape[2:], [scale_h, scale_w]))
    i, a, j, b = np.nonzero(weight := y[..., None, None] * x)
    np.add.at(sums, np.s_[:, :, h[i, a], w[j, b]], weight[weight != 0] * grad_out[:, :, i, j])


@gradproof.kernel("replication_pad2d_backward")
def replication_pad2d(grad_output, sums, left, top):
    n, c, i, j = np.indices(grad_output.shape)
    h, w = np.clip(i - top, 0, sums.shape[2] - 1), np.clip(j - left, 0, sums.shape[3] - 1)
    np.add.at(sums, (n, c, h, w), grad_output)


@gradproof.kernel("adaptive_max_pool3d_backward")
def adaptive_max_pool3d(grad_output, indices, sums):
    n, c = np.indices(grad_output.shape)[:2]
    np.add.at(sums, (n, c, *np.unravel_index(indices, sums.shape[2:])), grad_output)


gradproof.serve()
