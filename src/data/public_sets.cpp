#include "data/public_sets.hpp"

#include <array>

/// Checksums come from files that were available; other sizes follow from the number of rows and
/// the format, which the public pages state.
namespace structhash {
namespace {

constexpr std::string_view kNoneStated = "research use, none stated";

constexpr std::array kMnist{
    PublicFile{"train-images-idx3-ubyte", 47'040'016,
               "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    PublicFile{"train-labels-idx1-ubyte", 60'008,
               "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    PublicFile{"t10k-images-idx3-ubyte", 7'840'016,
               "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    PublicFile{"t10k-labels-idx1-ubyte", 10'008,
               "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
};
constexpr std::array kUsps{
    PublicFile{"usps.h5", 2'913'522,
               "734f88c541104a956d88be2c95d03b4a463ffd74ccc2ba9c80841fb98e3fcb36"},
    PublicFile{"x.npy", 9'521'280,
               "1b12eb948f39d8e4a57431da0cba81589f8b9f025f80ededcc1ff6293384fdc9"},
    PublicFile{"y.npy", 37'320, "0169d675589d7a55da27c5621ed54ae8a733d6bfb13434a9e957daf4b48e5b69"},
};
constexpr std::array kCifar10{
    PublicFile{"data_batch_1.bin", 30'730'000,
               "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
    PublicFile{"data_batch_2.bin", 30'730'000,
               "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
    PublicFile{"data_batch_3.bin", 30'730'000, ""},
    PublicFile{"data_batch_4.bin", 30'730'000, ""},
    PublicFile{"data_batch_5.bin", 30'730'000, ""},
    PublicFile{"test_batch.bin", 30'730'000,
               "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"},
    PublicFile{"batches.meta.txt", -1, ""},
};
constexpr std::array kStl10{
    PublicFile{"train_X.bin", 138'240'000, ""},       PublicFile{"train_y.bin", 5'000, ""},
    PublicFile{"test_X.bin", 221'184'000, ""},        PublicFile{"test_y.bin", 8'000, ""},
    PublicFile{"unlabeled_X.bin", 2'764'800'000, ""}, PublicFile{"class_names.txt", -1, ""},
    PublicFile{"fold_indices.txt", -1, ""},
};
constexpr std::array kIsolet{
    PublicFile{"isolet1+2+3+4.data", -1, ""},
    PublicFile{"isolet5.data", -1, ""},
};
constexpr std::array kSift1M{
    PublicFile{"sift_base.fvecs", 516'000'000, ""},
    PublicFile{"sift_query.fvecs", 5'160'000, ""},
    PublicFile{"sift_learn.fvecs", 51'600'000, ""},
    PublicFile{"sift_groundtruth.ivecs", 4'040'000, ""},
};
constexpr std::array kGist1M{
    PublicFile{"gist_base.fvecs", 3'844'000'000, ""},
    PublicFile{"gist_query.fvecs", 3'844'000, ""},
    PublicFile{"gist_learn.fvecs", 1'922'000'000, ""},
    PublicFile{"gist_groundtruth.ivecs", 404'000, ""},
};
constexpr std::array kSiftSmall{
    PublicFile{"siftsmall_base.fvecs", 5'160'000,
               "1e90414a3254361aba48a0d58e461f7661fb135dabb3da985290e94de8f60fe0"},
    PublicFile{"siftsmall_query.fvecs", 51'600,
               "095af38bda2741be721447ba97e9286fa918ece946be92a9ae133276eddc1a10"},
    PublicFile{"siftsmall_learn.fvecs", 12'900'000, ""},
    PublicFile{"siftsmall_groundtruth.ivecs", 40'400,
               "b0717bf276111a166f14dcc2653fd04465b2afd6d34c72be641b622cf99f95ae"},
};
constexpr std::array kScene{
    PublicFile{"x.npy", 2'830'760,
               "9785c477f0452c35163bfdc6b4936ca48425cc734ba0802d8f3eae3b6d1131dc"},
    PublicFile{"y.npy", 14'570, "dcf6618339594b4f8b8bad7ae9236b46402a016091dfa44cc51fbf5fce03ab0c"},
};
constexpr std::array kCranfield{
    PublicFile{"docs_use512.npy", 2'867'328,
               "65a3185d7c18b77cc8acfff19d82f88bdce973030407c4ea3d5a6da1ea6a745f"},
    PublicFile{"queries_use512.npy", 460'928,
               "2fff297ec1d64dd1db94e9076aa4b7d98d8965f0426abe7f123e21d251c71736"},
    PublicFile{"qrels.trec", 23'214,
               "4ed670535b62ffad6b2da3a668c1924b51d6f5b5b3e31cb905cb82a3ee890193"},
};

constexpr std::array kSets{
    PublicSet{"MNIST", "mnist", "70,000 digits of 28 x 28, 10 classes",
              "http://yann.lecun.com/exdb/mnist/", "CC BY-SA 3.0", kMnist},
    PublicSet{"USPS", "usps", "9,298 digits of 16 x 16, 10 classes",
              "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass.html",
              kNoneStated, kUsps},
    PublicSet{"CIFAR-10", "cifar-10-batches-bin", "60,000 images of 32 x 32, 10 classes",
              "https://www.cs.toronto.edu/~kriz/cifar.html", kNoneStated, kCifar10},
    PublicSet{"STL-10", "stl10_binary", "13,000 images of 96 x 96, 10 classes, 100,000 without",
              "https://cs.stanford.edu/~acoates/stl10/", kNoneStated, kStl10},
    PublicSet{"ISOLET", "isolet", "7,797 spoken letters, 617 features, 26 classes",
              "https://archive.ics.uci.edu/dataset/54/isolet", "CC BY 4.0", kIsolet},
    PublicSet{"Tiny-580K",
              "tiny580k",
              "580,000 of the Tiny Images, as GIST features",
              "https://groups.csail.mit.edu/vision/TinyImages/",
              "none stated; the images were withdrawn by their authors in 2020",
              {}},
    PublicSet{"Flickr-1M",
              "flickr1m",
              "1,000,000 images (MIRFLICKR-1M), as GIST features",
              "https://press.liacs.nl/mirflickr/",
              "Creative Commons, one licence per image",
              {}},
    PublicSet{"SIFT-1M", "sift", "1,000,000 SIFT descriptors of 128 numbers, with neighbours",
              "http://corpus-texmex.irisa.fr/", kNoneStated, kSift1M},
    PublicSet{"GIST-1M", "gist", "1,000,000 GIST descriptors of 960 numbers, with neighbours",
              "http://corpus-texmex.irisa.fr/", kNoneStated, kGist1M},
    PublicSet{"siftsmall", "siftsmall", "10,000 SIFT descriptors of 128 numbers, with neighbours",
              "http://corpus-texmex.irisa.fr/", kNoneStated, kSiftSmall},
    PublicSet{"scene", "scene", "2,407 images as 294 features, 6 classes that overlap",
              "http://mulan.sourceforge.net/datasets-mlc.html", kNoneStated, kScene},
    PublicSet{"Cranfield", "cranfield", "1,400 abstracts and 225 queries with graded judgments",
              "http://ir.dcs.gla.ac.uk/resources/test_collections/cran/", kNoneStated, kCranfield},
};

}  // namespace

std::span<const PublicSet> public_sets() {
  return kSets;
}

std::string_view file_state_name(FileState state) {
  switch (state) {
    case FileState::ok:
      return "ok";
    case FileState::unverified:
      return "not verified";
    case FileState::wrong:
      return "wrong";
    case FileState::missing:
      return "missing";
    case FileState::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace structhash
