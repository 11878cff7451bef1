"""Tensors of other libraries: through DLPack, without a copy, or through __array__."""

import ctypes

import numpy as np
import pytest

import structhash
from structhash._arrays import float_rows, host_array


class Exported:
    """What a tensor of another library offers, and nothing else: the protocol of DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


class Refusing(Exported):
    """A tensor with gradients, in torch's words."""

    def __dlpack__(self, **options):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


class OnDevice(Exported):
    """A tensor in the memory of a graphics card."""

    CUDA = 2
    DEVICE_AT = 8  # behind the address of the data

    def __dlpack_device__(self):
        return (self.CUDA, 0)

    def __dlpack__(self, **options):
        capsule = self.array.__dlpack__()
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        ctypes.c_int32.from_address(address(capsule, b"dltensor") + self.DEVICE_AT).value = self.CUDA
        return capsule


def test_the_memory_of_a_tensor_is_used_as_it_is(digits):
    X, _ = digits
    assert np.shares_memory(float_rows(Exported(X)), X)
    assert float_rows(Exported(X.astype(np.float64))).dtype == np.float32


def test_estimators_and_index_take_tensors(itq, digits):
    X, y = digits
    codes = itq.transform(X)
    assert np.array_equal(itq.transform(Exported(X)), codes)
    learned = structhash.CCAITQ(bits=16).fit(X[:500], y[:500])
    assert structhash.CCAITQ(bits=16).fit(Exported(X[:500]), Exported(y[:500])).model_ == learned.model_
    index = structhash.Index(bits=32)
    index.add(Exported(codes), ids=Exported(np.arange(len(codes))))
    assert np.array_equal(index.search(Exported(codes[:5]), k=3)[1], index.search(codes[:5], k=3)[1])


def test_what_cannot_be_read_is_refused_with_a_way_out(itq, digits):
    X, _ = digits
    for tensor in (Refusing(X), OnDevice(X)):
        with pytest.raises(ValueError, match=r"X is a \w+ that NumPy cannot read .*cpu\(\)"):
            itq.transform(tensor)


def test_array_api_strict(itq, digits):
    """A real producer of DLPack that has nothing of NumPy's."""
    xp = pytest.importorskip("array_api_strict")
    X, y = digits
    tensor = xp.asarray(X)
    assert np.array_equal(itq.transform(tensor), itq.transform(X))
    learned = structhash.CCAITQ(bits=16).fit(tensor, xp.asarray(y))
    assert learned.model_ == structhash.CCAITQ(bits=16).fit(X, y).model_


def test_torch(itq, digits):
    torch = pytest.importorskip("torch", reason="torch is half a gigabyte: tested where it is installed")
    X, _ = digits
    tensor = torch.from_numpy(X)
    assert np.shares_memory(host_array(tensor), X)
    assert np.array_equal(itq.transform(tensor), itq.transform(X))
    for bad in (tensor.clone().requires_grad_(), tensor.to(torch.bfloat16)):
        with pytest.raises(ValueError, match=r"X is a Tensor that NumPy cannot read .*detach\(\)"):
            itq.transform(bad)
    if torch.cuda.is_available():
        with pytest.raises(ValueError, match="cannot read"):
            itq.transform(tensor.cuda())
