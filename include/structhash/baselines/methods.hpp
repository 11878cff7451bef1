#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "structhash/baselines/agh.hpp"
#include "structhash/baselines/bres.hpp"
#include "structhash/baselines/cca_itq.hpp"
#include "structhash/baselines/cgh.hpp"
#include "structhash/baselines/cosdish.hpp"
#include "structhash/baselines/fasthash.hpp"
#include "structhash/baselines/hcsdh.hpp"
#include "structhash/baselines/itq.hpp"
#include "structhash/baselines/klsh.hpp"
#include "structhash/baselines/ksh.hpp"
#include "structhash/baselines/lsh.hpp"
#include "structhash/baselines/mdsh.hpp"
#include "structhash/baselines/mihash.hpp"
#include "structhash/baselines/sdh.hpp"
#include "structhash/baselines/sph.hpp"
#include "structhash/baselines/spher.hpp"
#include "structhash/baselines/splh.hpp"
#include "structhash/baselines/sths.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"
#include "structhash/learner/structhash.hpp"

/// The table of methods (docs/adr/0006): one line per method, nothing registers itself.
namespace structhash {

enum class Distance { hamming, weighted };  // what the codes of a method are compared by

struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view reference;
  Supervision supervision;
  Distance distance;
  std::unique_ptr<Hasher> (*make)(const MethodOptions& options);
  std::string_view own_distance{};  // the authors' own, beside Hamming distance (own_distance.hpp)
};

inline constexpr std::array kMethods{
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

/// Throws Errc::usage with the known names if there is no such method.
const MethodEntry& find_method(std::string_view name);

}  // namespace structhash
