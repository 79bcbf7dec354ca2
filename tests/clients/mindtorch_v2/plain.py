"""The gradients by their definition, on lists in row-major order, and what goes in: integers that FLOAT16 holds."""
import struct


def image(size):
    """No two of 2039 neighbours are equal."""
    return [i * 389 % 2039 for i in range(size)]


def gradients(size):
    return [i * 5 % 17 - 8 for i in range(size)]


def pack(values, half):
    return struct.pack(f"{len(values)}{'e' if half else 'f'}", *values)


def unpack(data, half):
    return list(struct.unpack(f"{len(data) // (2 if half else 4)}{'e' if half else 'f'}", data))


def pool_gradient(values, gradient, extents, pooled, kernel, stride, padding):
    """Each gradient goes to its window's maximum."""
    plane, positions = extents[0] * extents[1] * extents[2], pooled[0] * pooled[1] * pooled[2]
    result = [0.0] * len(values)

    def window(axis, position):
        first = position * stride[axis] - padding[axis]
        return range(max(first, 0), min(first + kernel[axis], extents[axis]))

    for o, value in enumerate(gradient):
        start = o // positions * plane
        best = max((start + (d * extents[1] + h) * extents[2] + w
                    for d in window(0, o % positions // (pooled[1] * pooled[2]))
                    for h in window(1, o // pooled[2] % pooled[1])
                    for w in window(2, o % pooled[2])), key=values.__getitem__)
        result[best] += value
    return result


def upsample_gradient(gradient, height, width, align_corners):
    """Of planes upsampled to 2 n, or 2 n - 1 where corners are aligned: each gradient goes to its four neighbours."""
    out_height, out_width = (2 * height - 1, 2 * width - 1) if align_corners else (2 * height, 2 * width)
    planes = len(gradient) // (out_height * out_width)
    result = [0.0] * (planes * height * width)
    for o, value in enumerate(gradient):
        y, x = o // out_width % out_height, o % out_width
        y, x = (y / 2, x / 2) if align_corners else (max((y + 0.5) / 2 - 0.5, 0), max((x + 0.5) / 2 - 0.5, 0))
        plane = o // (out_height * out_width) * height * width
        for h in (int(y), int(y) + 1):
            for w in (int(x), int(x) + 1):
                place = plane + min(h, height - 1) * width + min(w, width - 1)
                result[place] += (1 - abs(y - h)) * (1 - abs(x - w)) * value
    return result
