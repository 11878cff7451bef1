#include "evaluation/experiment_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text_file.hpp"
#include "evaluation/generated.hpp"
#include "evaluation/png_data_uri.hpp"
#include "features/gist.hpp"
#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {
namespace {

/// Rows that are grey pixels themselves, scaled so that the brightest of all is white.
ImageSet images_from_rows(const Dataset& items, Index height, Index width) {
  require(height * width == items.dimension(),
          fmt::format("data set {}: \"pixels\" says {} x {}, but rows have {} values", items.name,
                      height, width, items.dimension()));
  ImageSet images{.count = items.size(), .height = height, .width = width, .channels = 1};
  const float darkest = items.features.minCoeff();
  const float range = std::max(items.features.maxCoeff() - darkest, 1e-30F);
  images.pixels.reserve(static_cast<std::size_t>(items.features.size()));
  for (Index row = 0; row < items.size(); ++row) {
    for (Index column = 0; column < items.dimension(); ++column) {
      const float share = (items.features(row, column) - darkest) / range;
      images.pixels.push_back(static_cast<std::uint8_t>(255.0F * share));
    }
  }
  return images;
}

ImageSet load_pictures(const ExperimentDataset& dataset, int threads) {
  return load_images(dataset.images, {.size = 0, .threads = threads, .on_progress = {}});
}

ImageSet images_of(const ExperimentDataset& dataset, const Dataset& items, int threads) {
  if (!dataset.pixels.empty()) {
    return images_from_rows(items, dataset.pixels[0], dataset.pixels[1]);
  }
  if (dataset.images.empty()) {
    return {};
  }
  ImageSet images = load_pictures(dataset, threads);
  require(images.count == items.size(),
          fmt::format("data set {}: {} images for {} rows of features", dataset.name, images.count,
                      items.size()));
  return images;
}

/// Features computed from images; labels come from label files, or else from the images.
ExperimentData describe(const ExperimentDataset& dataset, int threads) {
  ExperimentData data;
  data.images = load_pictures(dataset, threads);
  data.items.name = dataset.name;
  data.items.features =
      gist(data.images, {.scales = 4, .orientations = 8, .blocks = 4, .threads = threads});
  if (dataset.labels.empty()) {
    data.items.labels.classes = data.images.labels;
  } else {
    data.items.labels = load_labels(dataset.labels);
  }
  check(data.items);
  return data;
}

ExperimentData loaded(const ExperimentDataset& dataset, int threads) {
  if (!dataset.descriptor.empty()) {
    return describe(dataset, threads);
  }
  ExperimentData data;
  if (dataset.generated) {
    data.items = {
        .name = dataset.name, .features = generate(*dataset.generated, threads), .labels = {}};
  } else {
    data.items =
        load_dataset(dataset.features, dataset.labels, dataset.name, {.format = dataset.format});
  }
  if (!dataset.query_features.empty()) {
    data.queries =
        load_features(dataset.query_features, {.format = dataset.format}, data.items.dimension());
  }
  data.images = images_of(dataset, data.items, threads);
  return data;
}

/// Refers to the images: the caller keeps the data longer than the task.
RowText picture_of(const ImageSet& images, std::vector<Index> rows) {
  if (images.count == 0) {
    return {};
  }
  return [&images, rows = std::move(rows)](Index row) {
    const std::uint8_t* first = images.image(rows[static_cast<std::size_t>(row)]);
    return png_data_uri({first, static_cast<std::size_t>(images.image_bytes())}, images.width,
                        images.height, images.channels);
  };
}

/// Refers to the texts, likewise.
RowText text_of(const std::vector<std::string>& texts, std::vector<Index> rows) {
  if (texts.empty()) {
    return {};
  }
  return [&texts, rows = std::move(rows)](Index row) {
    return texts[static_cast<std::size_t>(rows[static_cast<std::size_t>(row)])];
  };
}

TrainingSet training_set(const Dataset& train, const ExperimentMethod& method,
                         const Protocol& protocol, Seed seed, int threads) {
  TrainingSet training{.x = train.features, .labels = train.labels, .lists = {}};
  if (find_method(method.method).supervision == Supervision::lists) {
    const auto given = [](Index own, Index common) { return own > 0 ? own : common; };
    const ListOptions lists{.relevant = given(method.relevant, protocol.relevant),
                            .irrelevant = given(method.irrelevant, protocol.irrelevant),
                            .grades = parse_label_grades(method.label_grades)};
    BuiltLists built =
        protocol.nearest > 0.0
            ? lists_from_neighbours(train.features, protocol.nearest, lists, seed, threads)
            : lists_from_labels(train.labels, lists, seed, threads);
    training.lists = std::move(built.lists);
    training.reach = std::move(built.reach);
  }
  return training;
}

}  // namespace

std::vector<std::string> load_texts(const ExperimentDataset& dataset, Index rows) {
  std::vector<std::string> texts;
  for (const std::string& file : dataset.texts) {
    try {
      const auto list = nlohmann::json::parse(read_text(file)).get<std::vector<std::string>>();
      texts.insert(texts.end(), list.begin(), list.end());
    } catch (const nlohmann::json::exception& error) {
      fail(Errc::bad_data,
           fmt::format("{}: is not a JSON list of strings, one per row: {}", file, error.what()));
    }
  }
  require(dataset.texts.empty() || std::ssize(texts) == rows,
          fmt::format("data set {} has {} texts for {} rows", dataset.name, texts.size(), rows));
  return texts;
}

std::shared_ptr<const ExperimentData> load_data(const ExperimentDataset& dataset, int threads) {
  auto data = std::make_shared<ExperimentData>(loaded(dataset, threads));
  data->texts = load_texts(dataset, data->items.size());
  return data;
}

std::shared_ptr<const ExperimentData> ExperimentDataStore::get(const ExperimentDataset& dataset) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const ExperimentData>& known = loaded_[&dataset];
  if (auto data = known.lock()) {
    return data;
  }
  auto data = load_data(dataset, threads_);
  known = data;
  return data;
}

RetrievalTask make_task(const ExperimentData& data, const Experiment& experiment,
                        const ExperimentCell& cell, int threads) {
  const Protocol& protocol = experiment.protocol;
  const Seed seed{cell.seed};
  const bool own_queries = data.queries.rows() > 0;
  const Split parts = split(data.items.size(), own_queries ? 0 : protocol.queries,
                            train_rows(experiment, cell), seed, protocol.database != "all");
  RetrievalTask task;
  task.name = cell.dataset->name;
  task.training = training_set(data.items.select(parts.train), *cell.method, protocol,
                               seed.fork("lists"), threads);
  task.database = data.items.select(parts.database);
  task.database_picture = picture_of(data.images, parts.database);
  task.database_text = text_of(data.texts, parts.database);
  if (own_queries) {
    const Index count = std::min(protocol.queries, data.queries.rows());
    task.queries = {.name = task.name, .features = data.queries.topRows(count), .labels = {}};
  } else {
    task.queries = data.items.select(parts.queries);
    task.query_picture = picture_of(data.images, parts.queries);
    task.query_text = text_of(data.texts, parts.queries);
    if (cell.seed == experiment.seeds.front()) {  // one seed's pictures are enough to look at
      task.shown =
          queries_to_show(task.queries.labels, task.queries.size(), task.query_text ? 100 : 6);
    }
  }
  task.truth = protocol.nearest > 0.0
                   ? GroundTruth::from_neighbours(task.queries.features, task.database.features,
                                                  protocol.nearest, threads)
                   : GroundTruth::from_labels(task.queries.labels, task.database.labels);
  return task;
}

std::vector<DetailedRow> run_cell(const ExperimentData& data, const Experiment& experiment,
                                  const ExperimentCell& cell, Threads threads,
                                  const ProgressCallback& on_progress) {
  MethodRun run{.method = &find_method(cell.method->method),
                .options = cell.method->options,
                .params = cell.method->params,
                .database = experiment.protocol.database,
                .config_hash = config_hash(experiment, cell)};
  run.options.bits = cell.bits;
  const RetrievalTask task = make_task(data, experiment, cell, threads.count());
  return run_method(task, run, experiment.measures,
                    {.seed = Seed{cell.seed}, .threads = threads, .on_progress = on_progress});
}

}  // namespace structhash
