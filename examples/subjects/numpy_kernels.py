"""NumPy as a subject: the five gradients as one writes them with it. Debian's python3-numpy.

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
    def axis(m, n, scale):  # positions in grad_out, positions in out, and the weight of each such pair
        x = np.arange(m) * ((n - 1) / max(m - 1, 1)) if align_corners else (
            (np.arange(m) + 0.5) * (1 / scale if scale > 0 else n / m) - 0.5)
        x = np.clip(x, 0, n - 1)[:, None]
        at = np.floor(x).astype(int) + [0, 1]
        pairs = np.nonzero(weight := 1 - abs(x - at))
        return pairs[0], at[pairs], weight[pairs]

    i, h, y = axis(grad_out.shape[2], sums.shape[2], scale_h)
    j, w, x = axis(grad_out.shape[3], sums.shape[3], scale_w)
    np.add.at(sums, np.s_[:, :, h[:, None], w], y[:, None] * x * grad_out[:, :, i[:, None], j])


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
