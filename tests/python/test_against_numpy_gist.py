"""`structhash features gist` against the textbook algorithm in NumPy, double precision.

Needs the environment variable STRUCTHASH_COMMAND: the path of the structhash command.  The image
is really padded here, to twice its size by mirroring, and filtered by Fourier transforms; only the
definition of the filters (docs/features.md) is shared with the command.
"""

import os
import subprocess

import numpy as np
import pytest

FINEST, STEP = 0.3, 1.85


def mirrored(image):
    """Half the size in front, the rest behind: with period 2n the mirror image goes on for ever."""
    pads = [(n // 2, n - n // 2) for n in image.shape]
    return np.pad(image, pads, mode="symmetric"), tuple(
        slice(before, before + n) for (before, _), n in zip(pads, image.shape)
    )


def frequencies(shape):
    return np.meshgrid(*(np.fft.fftfreq(n) for n in shape), indexing="ij")


def low_pass(image, cutoff):
    padded, inner = mirrored(image)
    fy, fx = frequencies(padded.shape)
    gain = np.exp(-np.log(2) * (fx**2 + fy**2) / cutoff**2)
    return np.fft.ifft2(np.fft.fft2(padded) * gain).real[inner]


def prefiltered(grey):
    grey = grey - grey.min()
    grey = 255 * grey / max(grey.max(), 1e-300)
    cutoff = 4 / max(grey.shape)
    detail = np.log(1 + grey)
    detail = detail - low_pass(detail, cutoff)
    return detail / (0.2 + np.sqrt(np.abs(low_pass(detail**2, cutoff))))


def polar_gaussian(fy, fx, scale, orientation, orientations):
    f = np.hypot(fx, fy)
    angle = np.arctan2(fy, fx) + np.pi * orientation / orientations
    angle = (angle + np.pi) % (2 * np.pi) - np.pi
    radial = f / (FINEST / STEP**scale) - 1
    gain = np.exp(-3.5 * radial**2 - 2 * np.pi * orientations**2 / 64 * angle**2)
    return np.where(f == 0, 0, gain)


def gist(image, scales, orientations, blocks):
    grey = image.astype(float).reshape(*image.shape[:2], -1).mean(axis=2)
    padded, inner = mirrored(prefiltered(grey))
    spectrum = np.fft.fft2(padded)
    fy, fx = frequencies(padded.shape)
    rows, columns = ([i * n // blocks for i in range(blocks + 1)] for n in grey.shape)
    values = []
    for scale in range(scales):
        for orientation in range(orientations):
            gain = polar_gaussian(fy, fx, scale, orientation, orientations)
            magnitude = np.abs(np.fft.ifft2(spectrum * gain))[inner]
            for top, bottom in zip(rows, rows[1:]):
                for left, right in zip(columns, columns[1:]):
                    values.append(magnitude[top:bottom, left:right].mean())
    return np.array(values)


def write_idx(path, images):
    head = bytes([0, 0, 8, images.ndim]) + np.array(images.shape, ">i4").tobytes()
    path.write_bytes(head + images.tobytes())


def write_cifar(path, images):
    planes = images.transpose(0, 3, 1, 2).reshape(len(images), -1)
    rows = np.concatenate([np.zeros((len(images), 1), np.uint8), planes], axis=1)
    path.write_bytes(rows.tobytes())


def smooth_images(rng, shape):
    """Random walks over the image: much at coarse scales, little at fine ones, as in photographs."""
    steps = rng.normal(size=shape).cumsum(axis=1).cumsum(axis=2)
    steps -= steps.min(axis=(1, 2), keepdims=True)
    return np.round(255 * steps / steps.max(axis=(1, 2), keepdims=True)).astype(np.uint8)


def described(folder, name, write, images, scales, orientations, blocks):
    write(folder / name, images)
    options = ["--scales", scales, "--orientations", orientations, "--blocks", blocks]
    command = [os.environ["STRUCTHASH_COMMAND"], "features", "gist", "--images", folder / name]
    command += ["--out", folder / "x.npy", *options]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return np.load(folder / "x.npy")


@pytest.mark.parametrize("kind", ["noise", "smooth"])
@pytest.mark.parametrize(
    "size, options",
    [
        ((32, 32, 3), (4, 8, 4)),
        ((28, 28), (4, 8, 4)),
        ((32, 32), (3, 5, 3)),
        ((40, 24), (4, 6, 4)),
        ((17, 23), (5, 1, 2)),
        ((96, 96), (4, 8, 4)),
    ],
)
def test_equal_to_the_textbook(tmp_path, kind, size, options):
    rng = np.random.default_rng(1)
    shape = (5, *size)
    images = rng.integers(0, 256, shape, np.uint8) if kind == "noise" else smooth_images(rng, shape)
    colour = len(size) == 3
    name, write = ("data_batch_1.bin", write_cifar) if colour else ("images.idx", write_idx)
    ours = described(tmp_path, name, write, images, *options)
    assert ours.dtype == np.float32
    for row, image in zip(ours, images, strict=True):
        textbook = gist(image, *options)
        np.testing.assert_allclose(row, textbook, rtol=1e-4, atol=1e-5 * textbook.max())
