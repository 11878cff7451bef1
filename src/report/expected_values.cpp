#include "structhash/report/expected_values.hpp"

#include "core/json_fields.hpp"
#include "core/text_file.hpp"
#include "evaluation/row_options.hpp"

namespace structhash {
bool ExpectedRow::matches(const ResultRow& row, bool usual) const {
  return dataset == shown_dataset(row) && method == row.method && bits == row.bits &&
         (distance.empty() ? usual : distance == row.distance) && has_options(row, options);
}

std::vector<ExpectedRow> load_expected(const std::string& path) {
  const JsonFields file = JsonFields::parse(read_text(path), path, Errc::bad_data);
  const std::string source = file.text("source");
  std::vector<ExpectedRow> rows;
  for (const JsonFields& fields : file.list("rows")) {
    ExpectedRow row{.source = source,
                    .table = fields.any_text_or("table", ""),
                    .dataset = fields.text("dataset"),
                    .method = fields.text("method"),
                    .distance = fields.get_or<std::string>("distance", ""),
                    .bits = fields.get<Index>("bits"),
                    .measures = fields.get<std::map<std::string, double>>("measures")};
    row.options = fields.rest_as_text();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace structhash
