// What the report is about and what the reader has chosen; every part of the page looks here.

const report = JSON.parse(document.getElementById('document').textContent);
const BEST_SHOWN = 8;

// Our own method has the first colour; the others follow in order of merit.
const isOurs = (series) => series.method === 'structhash';
const looks = {};
{
  const first = report.series.findIndex((series) => isOurs(series) && series.usual);
  let place = first < 0 ? 0 : 1;
  for (const usual of [true, false]) {
    report.series.forEach((series, index) => {
      if (series.usual === usual) looks[series.label] = look(index === first ? 0 : place++, isOurs(series) && usual);
    });
  }
}

/** The best methods by their usual distance, our own wherever it stands, and what has a fixed size. */
function best() {
  const usual = [...report.series.keys()].filter((index) => report.series[index].usual);
  const always = (series) => isOurs(series) || series.fixed_size;
  return new Set(usual.filter((index, rank) => rank < BEST_SHOWN || always(report.series[index])));
}

/** The first measure that every data set has, or else the first one. */
function commonMeasure() {
  const has = (dataset, measure) =>
    report.results.some((result) => result.dataset === dataset && result.measures[measure.name]);
  const common = report.measures.find((measure) => report.datasets.every((dataset) => has(dataset, measure)));
  return (common ?? report.measures[0]).name;
}
const chosen = {
  bits: report.bits.at(-1),
  measure: commonMeasure(),
  sortBy: null, // a measure or 'train'; null: best first
  ascending: false,
  shown: best(),
};

const label = (entry) => report.series[entry.series].label;
// What has a fixed size, such as float vectors, belongs to every code length.
const of = (list, dataset, bits = chosen.bits) =>
  list.filter(
    (entry) => entry.dataset === dataset && (entry.bits === bits || report.series[entry.series].fixed_size)
  );
const isShown = (entry) => chosen.shown.has(entry.series);
const fileName = (...words) =>
  words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9@]+/g, '-');
const part = (title, ...children) => element('section', {class: 'part'}, element('h2', {}, title), ...children);
const bitsText = (bits = chosen.bits) => `${bits} bits`;
