#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/npy_write.hpp"
#include "features/gist.hpp"
#include "features/image.hpp"
#include "features/image_sources.hpp"
#include "file_roles.hpp"
#include "interrupt.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

struct GistCommand {
  std::vector<std::string> images;
  std::string out;
  std::string labels_out;
  Index size = 0;
  GistOptions gist;
};

template <typename T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

void print_summary(const GistCommand& command, const ImageSet& images, double seconds, bool json) {
  const Index columns = gist_dimension(command.gist);
  const bool with_labels = !command.labels_out.empty();
  if (json) {
    nlohmann::ordered_json summary{
        {"feature", "gist"},       {"out", command.out},    {"images", images.count},
        {"height", images.height}, {"width", images.width}, {"channels", images.channels},
        {"columns", columns},      {"seconds", seconds},    {"version", STRUCTHASH_VERSION}};
    if (with_labels) {
      summary["labels_out"] = command.labels_out;
      summary["classes"] = images.classes;
    }
    print_data(json_text(summary));
    return;
  }
  print_data(
      fmt::format("{} images of {} x {} pixels described by {} numbers each, written to {}\n",
                  images.count, images.width, images.height, columns, command.out));
  if (with_labels) {
    print_data(fmt::format("{} labels written to {}\n", images.count, command.labels_out));
  }
}

/// The files of a folder of images are inputs, too.
void require_separate_from_folders(const GistCommand& command) {
  std::vector<NamedFile> pictures;
  for (const std::string& path : command.images) {
    if (std::filesystem::is_directory(path)) {
      for (const features::PictureFile& file : features::list_folder(path).files) {
        pictures.push_back({"--images", file.path});
      }
    }
  }
  require_separate_files(pictures, std::vector<NamedFile>{{"--out", command.out},
                                                          {"--labels-out", command.labels_out}});
}

/// Opens both files first, so that a folder without write permission is reported at once; both
/// appear at the end.
void run(GistCommand command, const Session& session) {
  require_separate_from_folders(command);
  ProgressDisplay display(session.color);
  Stopwatch watch;
  NpyWriter features(command.out, "<f4", sizeof(float), gist_dimension(command.gist));
  std::optional<NpyWriter> labels;
  if (!command.labels_out.empty()) {
    labels.emplace(command.labels_out, "<i4", sizeof(std::int32_t), 1);
  }
  const ImageSet images = load_images(
      command.images,
      {.size = command.size, .threads = session.thread_count(), .on_progress = display.callback()});
  if (labels && images.labels.empty()) {
    fail(Errc::bad_data,
         command.images.front() +
             ": not all images have labels; leave out --labels-out, or give CIFAR-10 batches or "
             "a folder with one folder per class");
  }
  command.gist.threads = session.thread_count();
  command.gist.on_progress = display.callback();
  const Matrix<float> described = gist(images, command.gist);
  stop_if_interrupted();
  features.append(bytes_of(described.data(), static_cast<std::size_t>(described.size())));
  if (labels) {
    labels->append(bytes_of(images.labels.data(), images.labels.size()));
    labels->finish();
  }
  features.finish();
  const double seconds = watch.lap();
  display.clear();
  print_summary(command, images, seconds, session.json);
}

void add_gist(CLI::App& group, Session& session) {
  Command command(
      group, "gist",
      "Compute GIST descriptors: energy of an image by scale, orientation and position",
      "  structhash features gist --images data_batch_1.bin --out x.npy --labels-out y.npy\n"
      "  structhash features gist --images photos/ --size 256 --out x.npy\n"
      "  structhash features gist --images a.png b.jpg --size 64 --blocks 8 --out x.npy\n");
  auto options = std::make_shared<GistCommand>();
  command.inputs(
      {"--images", "FILES",
       "CIFAR-10 or STL-10 batches, idx files, PNG and JPEG files, folders of them (each "
       "subfolder is a class)"},
      options->images, Need::required);
  command.output({"--out", "FILE", "NumPy array to write, one row per image"}, options->out,
                 Need::required);
  command.output({"--labels-out", "FILE", "NumPy array to write, one class number per image"},
                 options->labels_out);
  command.number({"--size", "N",
                  "Resize the short side of each image to N and crop N x N at the centre "
                  "(default: no resizing)"},
                 options->size, 1);
  command.number({"--scales", "N", "Scales, each 1.85 times as coarse (default 4)"},
                 options->gist.scales, 1);
  command.number({"--orientations", "N", "Orientations per scale (default 8)"},
                 options->gist.orientations, 1);
  command.number({"--blocks", "N", "Means over N x N blocks of the image (default 4)"},
                 options->gist.blocks, 1);
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace

void add_features(CLI::App& app, Session& session) {
  const CommandGroup group(app, "features", "Make feature vectors from images",
                           "  structhash features gist --images photos/ --size 256 --out x.npy\n"
                           "  structhash features gist --help\n");
  add_gist(group.commands(), session);
}

}  // namespace structhash::cli
