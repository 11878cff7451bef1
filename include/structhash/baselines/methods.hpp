#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "structhash/baselines/agh.hpp"
#include "structhash/baselines/itq.hpp"
#include "structhash/baselines/klsh.hpp"
#include "structhash/baselines/lsh.hpp"
#include "structhash/baselines/mdsh.hpp"
#include "structhash/baselines/sph.hpp"
#include "structhash/baselines/spher.hpp"
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
                make_mdsh},
    MethodEntry{"agh", "smooth functions on a graph of anchors, each cut twice",
                "Liu, Wang, Kumar, Chang, ICML 2011", Supervision::none, Distance::hamming,
                make_agh},
    MethodEntry{"agh1", "the same, each cut once", "Liu, Wang, Kumar, Chang, ICML 2011",
                Supervision::none, Distance::hamming, make_agh1},
    MethodEntry{"spher", "balls that share a quarter of the data with each other",
                "Heo, Lee, He, Chang, Yoon, CVPR 2012", Supervision::none, Distance::hamming,
                make_spher},
    MethodEntry{"itq", "principal components, rotated towards the corners of a cube",
                "Gong, Lazebnik, CVPR 2011", Supervision::none, Distance::hamming, make_itq},
    MethodEntry{"klsh", "random hyperplanes in a kernel space", "Kulis, Grauman, ICCV 2009",
                Supervision::none, Distance::hamming, make_klsh},
};

/// Throws Errc::usage with the known names if there is no such method.
const MethodEntry& find_method(std::string_view name);

}  // namespace structhash
