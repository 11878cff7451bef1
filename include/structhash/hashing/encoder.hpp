#pragma once

#include <concepts>
#include <string_view>
#include <variant>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"
#include "structhash/hashing/encoders.hpp"

/// Encoders turn feature vectors into codes.  A closed set (docs/adr/0007): a new one is its own
/// header and source file with the members below, and one more alternative of `Encoder`.
/// A bit is 1 exactly when its value is > 0.
namespace structhash {

template <typename T>
concept EncoderPart =
    std::equality_comparable<T> &&
    requires(const T& encoder, const MatrixView& x, ContainerWriter& out, const Container& in) {
      { T::kName } -> std::convertible_to<std::string_view>;  // in model files
      { encoder.bits() } -> std::same_as<Index>;
      { encoder.dimension() } -> std::same_as<Index>;
      encoder.check();  // throws unless sizes agree and numbers are finite
      /// rows x bits, on one thread.  The *sign* of a value must depend on its
      /// row alone, not on the other rows, the BLAS kernel or the processor.
      { encoder.values(x) } -> std::same_as<Matrix<float>>;
      encoder.save(out);  // adds sections; `load` reads them back
      { T::load(in) } -> std::same_as<T>;
      { encoder.first_bits(Index{1}) } -> std::same_as<T>;  // each as before
    };

template <EncoderPart... Parts>
using EncoderVariant = std::variant<Parts...>;

using Encoder = EncoderVariant<LinearEncoder, KernelEncoder, StumpEncoder, TreeEncoder,
                               CurveEncoder, BallEncoder, AnchorGraphEncoder>;

Index encoder_bits(const Encoder& encoder);
Index encoder_dimension(const Encoder& encoder);
std::string_view encoder_name(const Encoder& encoder);

/// The encoder of the first `count` bits; throws Errc::usage unless there are that many.
Encoder first_bits(const Encoder& encoder, Index count);

/// The real values whose signs are the bits: rows x bits.
Matrix<float> decision_values(const Encoder& encoder, const MatrixView& x, Threads threads);

/// Memory beyond the codes: a block of values per thread.
CodeMatrix encode(const Encoder& encoder, const MatrixView& x, Threads threads);

}  // namespace structhash
