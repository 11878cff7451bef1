#include "structhash/baselines/methods.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "baselines/agh.hpp"
#include "baselines/bres.hpp"
#include "baselines/cca_itq.hpp"
#include "baselines/cgh.hpp"
#include "baselines/cosdish.hpp"
#include "baselines/fasthash.hpp"
#include "baselines/hcsdh.hpp"
#include "baselines/itq.hpp"
#include "baselines/klsh.hpp"
#include "baselines/ksh.hpp"
#include "baselines/lsh.hpp"
#include "baselines/mdsh.hpp"
#include "baselines/mihash.hpp"
#include "baselines/sdh.hpp"
#include "baselines/sph.hpp"
#include "baselines/spher.hpp"
#include "baselines/splh.hpp"
#include "baselines/sths.hpp"
#include "core/suggest.hpp"
#include "learner/structhash.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::array kMethods{
    MethodEntry{"structhash", "codes and bit weights learned for a ranking measure",
                "Lin, Shen, Wu, ECCV 2014", Supervision::lists, Distance::weighted,
                make_structhash},
    MethodEntry{"lsh", "random hyperplanes through the mean; learns nothing, the floor",
                "Charikar, STOC 2002", Supervision::none, Distance::hamming, make_lsh},
    MethodEntry{"sph", "waves along principal components", "Weiss, Torralba, Fergus, NIPS 2008",
                Supervision::none, Distance::hamming, make_sph},
    MethodEntry{"mdsh", "smooth functions of principal components, those of most affinity first",
                "Weiss, Fergus, Torralba, ECCV 2012", Supervision::none, Distance::hamming,
                make_mdsh, "product"},
    MethodEntry{"agh", "smooth functions on a graph of anchors, each cut twice",
                "Liu, Wang, Kumar, Chang, ICML 2011", Supervision::none, Distance::hamming,
                make_agh},
    MethodEntry{"agh1", "the same, each cut once", "Liu, Wang, Kumar, Chang, ICML 2011",
                Supervision::none, Distance::hamming, make_agh1},
    MethodEntry{"spher", "balls that share a quarter of the data with each other",
                "Heo, Lee, He, Chang, Yoon, CVPR 2012", Supervision::none, Distance::hamming,
                make_spher, "spherical"},
    MethodEntry{"itq", "principal components, rotated towards the corners of a cube",
                "Gong, Lazebnik, CVPR 2011", Supervision::none, Distance::hamming, make_itq},
    MethodEntry{"klsh", "random hyperplanes in a kernel space", "Kulis, Grauman, ICCV 2009",
                Supervision::none, Distance::hamming, make_klsh},
    // Supervised ones.
    MethodEntry{"cca-itq", "canonical correlations with the labels, rotated towards the corners",
                "Gong, Lazebnik, Gordo, Perronnin, TPAMI 2013", Supervision::labels,
                Distance::hamming, make_cca_itq},
    MethodEntry{"bres", "Hamming distances fitted to those of the labels, weight by weight",
                "Kulis, Darrell, NIPS 2009", Supervision::labels, Distance::hamming, make_bres},
    MethodEntry{"sths", "spectral codes of a label graph, then one classifier per bit",
                "Zhang, Wang, Cai, Lu, SIGIR 2010", Supervision::labels, Distance::hamming,
                make_sths},
    MethodEntry{"splh", "projections one after the other, each mending the mistakes of the last",
                "Wang, Kumar, Chang, TPAMI 2012", Supervision::labels, Distance::hamming,
                make_splh},
    MethodEntry{"cgh", "codes and bit weights learned from triplets by column generation",
                "Li, Lin, Shen, van den Hengel, Dick, ICML 2013", Supervision::lists,
                Distance::weighted, make_cgh},
    MethodEntry{"ksh", "bit by bit, codes whose products are the similarity of the labels",
                "Liu, Wang, Ji, Jiang, Chang, CVPR 2012", Supervision::labels, Distance::hamming,
                make_ksh},
    MethodEntry{"fasthash", "bits inferred by graph cuts, then learned by boosted trees",
                "Lin, Shen, Shi, van den Hengel, Suter, CVPR 2014", Supervision::labels,
                Distance::hamming, make_fasthash},
    MethodEntry{"cosdish", "discrete codes from sampled columns of the label similarity",
                "Kang, Li, Zhou, AAAI 2016", Supervision::labels, Distance::hamming, make_cosdish},
    MethodEntry{"mihash", "one layer whose distances tell most about relevance",
                "Cakir, He, Bargal, Sclaroff, ICCV 2017", Supervision::labels, Distance::hamming,
                make_mihash},
    MethodEntry{"sdh", "codes from which the labels can be read off linearly",
                "Shen, Shen, Liu, Shen, CVPR 2015", Supervision::labels, Distance::hamming,
                make_sdh},
    MethodEntry{"hcsdh", "regression to a Hadamard code per class",
                "Koutaki, Shirai, Ambai, IEEE TIP 2018", Supervision::labels, Distance::hamming,
                make_hcsdh},
};

}  // namespace

std::span<const MethodEntry> methods() {
  return kMethods;
}

const MethodEntry& find_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethods, name, &MethodEntry::name);
  if (found == kMethods.end()) {
    std::vector<std::string_view> known;
    known.reserve(kMethods.size());
    for (const MethodEntry& entry : kMethods) {
      known.push_back(entry.name);
    }
    fail(Errc::usage, unknown_name("method", name, known));
  }
  return *found;
}

}  // namespace structhash
