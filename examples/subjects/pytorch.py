"""Makes PyTorch a subject: its CPU gradients, called from Python. Needs Debian's python3-torch.

gradproof verify --exec 'python3 pytorch.py' --known aten.known.json

The kernels are ATen's, so profile and known findings are those of aten.cpp.
"""
import gradproof
import torch

aten = torch.ops.aten


def unbatched(batched, *tensors):
    """The tensors without their batch dimension if the caller has none."""
    return tensors if batched else [t.squeeze(0) for t in tensors]


@gradproof.kernel("max_pool3d_with_argmax_backward", arrays="torch")
def max_pool3d(grad_output, indices, grad_input, kernel_size, stride, padding, dilation, ceil_mode, batched):
    g, i, result = unbatched(batched, grad_output, indices.long(), grad_input)
    result.copy_(aten.max_pool3d_with_indices_backward(
        g, torch.empty_like(result), kernel_size, stride, padding, dilation, ceil_mode, i))


@gradproof.kernel("max_pool2d_with_mask_backward", arrays="torch")
def max_pool2d(grad_output, indices, grad_input, kernel_size, stride, padding, dilation, ceil_mode, batched):
    g, i, result = unbatched(batched, grad_output, indices.long(), grad_input)
    result.copy_(aten.max_pool2d_with_indices_backward(
        g, torch.empty_like(result), kernel_size, stride, padding, dilation, ceil_mode, i))


@gradproof.kernel("upsample_bilinear2d_backward", arrays="torch")
def upsample(grad_out, out, align_corners, scale_h, scale_w):
    out.copy_(aten.upsample_bilinear2d_backward(
        grad_out, grad_out.shape[2:], out.shape, align_corners, scale_h or None, scale_w or None))


@gradproof.kernel("replication_pad2d_backward", arrays="torch")
def replication_pad2d(grad_output, grad_input, left, right, top, bottom, batched):
    g, result = unbatched(batched, grad_output, grad_input)
    result.copy_(aten.replication_pad2d_backward(g, torch.empty_like(result), [left, right, top, bottom]))


@gradproof.kernel("adaptive_max_pool3d_backward", arrays="torch")
def adaptive_max_pool3d(grad_output, indices, grad_input, batched):
    g, i, result = unbatched(batched, grad_output, indices.long(), grad_input)
    result.copy_(aten.adaptive_max_pool3d_backward(g, torch.empty_like(result), i))


gradproof.serve(positions=True, profile="aten.json")
