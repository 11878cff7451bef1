#include "search/gpu/gpu_scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "search/emulated_gpu.hpp"
#include "search/gpu/cuda_driver.hpp"
#include "search/gpu/kernel_compiler.hpp"
#include "search/gpu/kernel_sources.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/error.hpp"
#include "structhash/search/code_index.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash::search::gpu {
namespace {

using test::expect_error;

constexpr Index kBitChoices[] = {1, 2, 7, 63, 64, 65, 100, 128, 192, 256, 300, 511, 512};

/// Clusters, copies, or neither.
CodeMatrix some_codes(Index rows, Index bits, Rng& rng) {
  return rng.below(3) == 0
             ? uniform_codes(rows, bits, rng)
             : clustered_codes(rows, uniform_codes(1 + rng.below(6), bits, rng), 0.03, rng);
}

struct Emulated {
  std::unique_ptr<GpuScan> engine;
  EmulatedGpu* gpu;
};

Emulated emulated(const CodeSpan& codes, std::span<const float> weights, Index capacity) {
  auto gpu = std::make_unique<EmulatedGpu>(
      codes,
      DeviceLimits{.rows = codes.rows, .capacity = capacity, .queries = 5, .k = capacity / 2});
  EmulatedGpu* view = gpu.get();
  return {make_gpu_scan(codes, weights, std::move(gpu)), view};
}

TEST(QuantisedWeights, BoundEveryDistanceFromBelow) {
  Rng rng(Seed{1});
  for (int round = 0; round < 400; ++round) {
    const Index bits = pick(kBitChoices, rng);
    SCOPED_TRACE(testing::Message() << "round " << round << ", " << bits << " bits");
    const std::vector<float> weights = draw_weights(bits, round % kWeightKinds, rng);
    const CodeMatrix codes = uniform_codes(20, bits, rng);
    const auto distance = weighted_distance(weights);
    const float near = round % 3 == 0 ? std::numeric_limits<float>::infinity()
                                      : distance(codes.row(18), codes.row(19));
    QueryBatch batch;
    batch.add(codes.row(0), quantise_weights(weights, near));
    for (Index row = 0; row < codes.rows(); ++row) {
      std::int32_t sum = batch.offsets[0];
      for (Index bit = 0; bit < bits; ++bit) {
        sum += codes.bit(row, bit) ? batch.coefficients[static_cast<std::size_t>(bit)] : 0;
      }
      const Key key = key_of(distance(codes.row(0), codes.row(row)), row);
      EXPECT_GE(sum, 0);
      EXPECT_LE(sum, limit_of(key, 0, batch.factors[0], batch.largest[0]));
      EXPECT_LE(sum, limit_of(kNoKey, 0, batch.factors[0], batch.largest[0]));
    }
  }
}

TEST(QuantisedWeights, KeepTheirResolutionBesideHeavyOnes) {
  std::vector<float> weights(64, 1.0F);
  weights[3] = 1e8F;
  const QuantisedWeights quantised =
      quantise_weights(weights, std::numeric_limits<float>::infinity());
  EXPECT_EQ(quantised.magnitudes[3], 127);
  EXPECT_GE(quantised.magnitudes[4], 1);
  EXPECT_GE(quantise_weights(weights, 10.0F).magnitudes[4], 12);
  EXPECT_EQ(quantise_plain(64).factor, 1.0);
}

TEST(LimitOf, TiesLoseOnlyAgainstEarlierRows) {
  const Key bound = key_of(7.0F, 100);
  EXPECT_EQ(limit_of(bound, 100, 1.0, 64), 7);  // row 100 itself may be among the rows
  EXPECT_EQ(limit_of(bound, 101, 1.0, 64), 6);
  EXPECT_EQ(limit_of(key_of(0.0F, 5), 6, 1.0, 64), -1);
  EXPECT_EQ(limit_of(key_of(0.0F, 5), 5, 1.0, 64), 0);
  EXPECT_EQ(limit_of(key_of(70.0F, 5), 5, 1.0, 64), 64);
  EXPECT_EQ(limit_of(kNoKey, 5, 1.0, 64), 64);
}

TEST(GpuScan, NearestEqualsTheNaiveScan) {
  Rng rng(Seed{2});
  constexpr Index kRows[] = {1, 5, 60, 700, 5'000};
  for (int round = 0; round < 60; ++round) {
    const Index bits = pick(kBitChoices, rng);
    const CodeMatrix codes = some_codes(pick(kRows, rng), bits, rng);
    const CodeMatrix queries = uniform_codes(7, bits, rng);
    const int kind = round % (kWeightKinds + 1) - 1;
    const std::vector<float> weights =
        kind < 0 ? std::vector<float>() : draw_weights(bits, kind, rng);
    const auto allowed =
        round % 4 == 1 ? draw_allowed(codes.rows(), 0.3, rng) : std::vector<std::uint64_t>();
    SCOPED_TRACE(testing::Message() << "round " << round << ", " << bits << " bits, "
                                    << codes.rows() << " rows, weights " << kind);
    const Emulated scan = emulated(codes, weights, 64);
    const CodeDistance distance = kind < 0 ? plain_distance() : weighted_distance(weights);
    for (const Index k : {1, 9, 32, 100}) {  // the last one: the CPU's
      ASSERT_EQ(scan.engine->nearest(queries, k, {.allowed = allowed}),
                naive_nearest(codes, queries, k, distance, allowed));
    }
    const Neighbours all = naive_ranking(codes, queries, distance, allowed);
    const float radius = all[0].empty() ? 1.0F : all[0][all[0].size() / 20].distance;
    ASSERT_EQ(scan.engine->within(queries, radius, {.allowed = allowed}),
              within_radius(all, radius));
  }
}

/// Every code many times: lists overflow, and all distances are ties.
TEST(GpuScan, TiesAreInOrderOfRows) {
  Rng rng(Seed{3});
  const CodeMatrix centres = uniform_codes(2, 64, rng);
  const CodeMatrix codes = clustered_codes(20'000, centres, 0.0, rng);
  const std::vector<float> weights = draw_weights(64, 0, rng);
  const Emulated plain = emulated(codes, {}, 256);
  EXPECT_EQ(plain.engine->nearest(centres, 100, {}),
            naive_nearest(codes, centres, 100, plain_distance()));
  const Emulated weighted = emulated(codes, weights, 256);
  EXPECT_EQ(weighted.engine->nearest(centres, 100, {}),
            naive_nearest(codes, centres, 100, weighted_distance(weights)));
  EXPECT_EQ(weighted.engine->within(centres, 0.0F, {}),
            naive_within(codes, centres, 0.0F, weighted_distance(weights)));
}

/// The neighbours of a query lie together, behind all others: the worst order for the bounds.
TEST(GpuScan, SortedCodesOverflowAndAreFinished) {
  Rng rng(Seed{4});
  const CodeMatrix centre = uniform_codes(1, 128, rng);
  const CodeMatrix far = uniform_codes(6'000, 128, rng);
  const CodeMatrix near = clustered_codes(6'000, centre, 0.1, rng);
  CodeMatrix codes(12'000, 128);
  auto out = std::ranges::copy(far.words(), codes.mutable_words().begin()).out;
  std::ranges::copy(near.words(), out);
  const std::vector<float> weights = draw_weights(128, 0, rng);
  const Emulated scan = emulated(codes, weights, 64);
  EXPECT_EQ(scan.engine->nearest(centre, 20, {}),
            naive_nearest(codes, centre, 20, weighted_distance(weights)));
  EXPECT_GT(scan.gpu->scans, 8);
}

TEST(GpuScan, ValueQueriesEqualTheAsymmetricScan) {
  Rng rng(Seed{5});
  for (const Index bits : {1, 64, 100, 256}) {
    SCOPED_TRACE(bits);
    const CodeMatrix codes = some_codes(3'000, bits, rng);
    const Matrix<float> values = Matrix<float>::NullaryExpr(
        7, bits, [&] { return static_cast<float>(rng.normal() * std::exp(2.0 * rng.normal())); });
    const std::vector<float> weights = draw_weights(bits, 0, rng);
    const Emulated scan = emulated(codes, {}, 128);
    for (const Index k : {3, 60, 200}) {
      ASSERT_EQ(scan.engine->nearest_values(values, weights, k, {}),
                nearest_asymmetric(codes, values, weights, k, {}));
      ASSERT_EQ(scan.engine->nearest_values(values, {}, k, {}),
                nearest_asymmetric(codes, values, {}, k, {}));
    }
  }
}

TEST(GpuScan, RefusesBadInput) {
  const CodeMatrix codes(10, 64);
  const Emulated scan = emulated(codes, {}, 64);
  EXPECT_THROW(scan.engine->nearest(CodeMatrix(1, 63), 1, {}), Error);
  EXPECT_THROW(scan.engine->nearest(codes, 0, {}), Error);
  EXPECT_THROW(scan.engine->within(codes, -1.0F, {}), Error);
  const Matrix<float> huge = Matrix<float>::Constant(1, 64, 3e38F);
  expect_error(Errc::usage, "more than a float",
               [&] { scan.engine->nearest_values(huge, {}, 1, {}); });
  EXPECT_FALSE(is_gpu("cpu"));
  EXPECT_TRUE(is_gpu("cuda"));
  EXPECT_TRUE(is_gpu("cuda:12"));
  for (const char* word : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda1", ""}) {
    expect_error(Errc::usage, "unknown device", [&] { is_gpu(word); });
  }
}

/// note_negative of kernels/common.cuh.
TEST(KernelArithmetic, NegativeSumsMakeFloatsThatAreNoNumbers) {
  Rng rng(Seed{6});
  for (int round = 0; round < 100'000; ++round) {
    const auto draw = [&] {
      return static_cast<std::int32_t>(rng.below(Index{1} << 18)) - (1 << 17);
    };
    const std::int32_t a = draw();
    const std::int32_t b = draw();
    const float sum = std::fma(std::bit_cast<float>(a), std::bit_cast<float>(b), 0.0F);
    ASSERT_EQ(std::isnan(sum), a < 0 || b < 0) << a << ' ' << b;
  }
}

/// `spread` and `difference` of the kernels: bytes of -1, 0 and 1.
TEST(KernelArithmetic, DifferencesOfBitsAreBytes) {
  const auto spread = [](std::uint32_t bits) { return (bits * 0x00204081U) & 0x01010101U; };
  for (std::uint32_t now = 0; now < 16; ++now) {
    for (std::uint32_t before = 0; before < 16; ++before) {
      const std::uint32_t bytes = ((spread(now) | 0x80808080U) - spread(before)) ^ 0x80808080U;
      for (unsigned i = 0; i < 4; ++i) {
        const auto byte = static_cast<std::int8_t>((bytes >> (8 * i)) & 0xFFU);
        EXPECT_EQ(byte, static_cast<int>((now >> i) & 1U) - static_cast<int>((before >> i) & 1U));
      }
    }
  }
}

/// scan_dot.cu: bits that stay where they are in their bytes, sums halved on the way.
TEST(KernelArithmetic, HalvedSumsAreSumsOfBits) {
  Rng rng(Seed{7});
  for (int round = 0; round < 1'000; ++round) {
    const std::uint64_t code = rng.next();
    std::int32_t expected = 0;
    std::int32_t sum = 0;
    std::int32_t coefficients[64];
    for (unsigned bit = 0; bit < 64; ++bit) {
      coefficients[bit] = static_cast<std::int32_t>(rng.below(255)) - 127;
      expected += ((code >> bit) & 1U) != 0 ? coefficients[bit] : 0;
    }
    for (unsigned j = 8; j-- > 0;) {
      ASSERT_EQ(sum % 2, 0);
      sum >>= 1;
      for (unsigned byte = 0; byte < 8; ++byte) {
        const auto value = static_cast<std::int32_t>((code >> (8 * byte)) & (1U << j));
        sum += value * coefficients[8 * byte + j];
      }
    }
    ASSERT_EQ(sum, expected);
  }
}

/// Sets a variable of the environment; restores it.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      before_ = old;
    }
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (before_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, before_.c_str(), 1);
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(CudaDriver, SaysWhatIsMissing) {
  const CodeMatrix codes(10, 64);
  const ScopedVariable driver("STRUCTHASH_CUDA_DRIVER", "libnosuchdriver.so");
  expect_error(Errc::usage, "NVIDIA's driver", [&] { make_gpu_scan(codes, {}, "cuda"); });
  const ScopedVariable other("STRUCTHASH_CUDA_DRIVER", "libm.so.6");  // a library, but no driver
  expect_error(Errc::usage, "no function cuInit", [&] { make_gpu_scan(codes, {}, "cuda"); });
  expect_error(Errc::usage, "needs the device cuda", [&] { make_gpu_scan(codes, {}, "cpu"); });
}

TEST(CudaDriver, AnIndexKeepsItsDevice) {
  const CodeMatrix codes(10, 64);
  CodeIndex index({.bits = 64});
  index.add(codes);
  const ScopedVariable driver("STRUCTHASH_CUDA_DRIVER", "libnosuchdriver.so");
  expect_error(Errc::usage, "NVIDIA's driver", [&] { index.use_device("cuda:1"); });
  expect_error(Errc::usage, "unknown device", [&] { index.use_device("tpu"); });
  EXPECT_EQ(index.device(), "cpu");
  EXPECT_EQ(index.nearest(codes, 3).engine, "scan");
}

TEST(KernelCompiler, SaysWhatIsMissing) {
  const ScopedVariable nvrtc("STRUCTHASH_NVRTC", "libnosuchcompiler.so");
  expect_error(Errc::usage, "NVRTC", [] { const KernelCompiler compiler; });
  const ScopedVariable other("STRUCTHASH_NVRTC", "libm.so.6");
  expect_error(Errc::usage, "no function nvrtcVersion", [] { const KernelCompiler compiler; });
}

std::unique_ptr<KernelCompiler> installed_compiler() {
  try {
    return std::make_unique<KernelCompiler>();
  } catch (const Error&) {
    return nullptr;
  }
}

KernelForm form_of(Kernel kernel, int architecture, Index words, bool weighted = true) {
  return {.name = std::string(name_of(kernel)),
          .source = source_of(kernel),
          .architecture =
              "sm_" + std::to_string(architecture) + (kernel == Kernel::scan_wgmma ? "a" : ""),
          .words = words,
          .weighted = weighted};
}

TEST(KernelCompiler, EveryKernelCompiles) {
  const auto compiler = installed_compiler();
  if (compiler == nullptr) {
    GTEST_SKIP() << "no NVRTC: pip install nvidia-cuda-nvrtc, set STRUCTHASH_NVRTC";
  }
  const std::vector<int> known = compiler->architectures();
  ASSERT_FALSE(known.empty());
  for (const Kernel kernel : kKernels) {
    for (const int architecture : {80, 90, known.back()}) {
      if (kernel == Kernel::scan_wgmma && architecture != 90) {
        continue;
      }
      for (const Index words : {1, 4, 8}) {
        EXPECT_FALSE(compiler->compile(form_of(kernel, architecture, words)).empty())
            << name_of(kernel) << ' ' << architecture << ' ' << words;
      }
    }
  }
  EXPECT_FALSE(compiler->compile(form_of(Kernel::rank, 80, 3, false)).empty());
  expect_error(Errc::usage, "install a newer NVRTC",
               [&] { compiler->compile(form_of(Kernel::rank, 999, 1)); });
}

TEST(KernelCompiler, KeepsKernelsInAFolder) {
  const auto compiler = installed_compiler();
  if (compiler == nullptr) {
    GTEST_SKIP() << "no NVRTC: pip install nvidia-cuda-nvrtc, set STRUCTHASH_NVRTC";
  }
  const test::TemporaryFolder folder;
  const std::string kept = folder.file("kernels");
  const KernelForm form = form_of(Kernel::rank, 80, 1);
  const std::vector<char> code = machine_code(*compiler, form, kept);
  EXPECT_EQ(machine_code(*compiler, form, ""), code);
  ASSERT_EQ(std::distance(std::filesystem::directory_iterator(kept), {}), 1);
  const std::string file = std::filesystem::directory_iterator(kept)->path().string();
  const std::string whole = test::read_bytes(file);
  EXPECT_EQ(machine_code(*compiler, form, kept), code);  // from the folder
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, whole.size() - 1}) {
    test::write_bytes(file, whole.substr(0, size));
    EXPECT_EQ(machine_code(*compiler, form, kept), code);
    EXPECT_EQ(test::read_bytes(file), whole);  // stored again
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  test::write_bytes(file, damaged);
  EXPECT_EQ(machine_code(*compiler, form, kept), code);
  machine_code(*compiler, form_of(Kernel::rank, 80, 2), kept);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(kept), {}), 2);
  EXPECT_EQ(machine_code(*compiler, form, "/proc/no/such/folder"), code);
}

}  // namespace
}  // namespace structhash::search::gpu
