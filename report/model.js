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

/** The best methods by their usual distance, and our own wherever it stands. */
function best() {
  const usual = [...report.series.keys()].filter((index) => report.series[index].usual);
  return new Set(usual.filter((index, rank) => rank < BEST_SHOWN || isOurs(report.series[index])));
}
const chosen = {
  bits: report.bits.at(-1),
  measure: report.measures[0].name,
  sortBy: null, // a measure or 'train'; null: best first
  ascending: false,
  shown: best(),
};

const label = (entry) => report.series[entry.series].label;
const of = (list, dataset, bits = chosen.bits) =>
  list.filter((entry) => entry.dataset === dataset && entry.bits === bits);
const isShown = (entry) => chosen.shown.has(entry.series);
const fileName = (...words) =>
  words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9@]+/g, '-');
const part = (title, ...children) => element('section', {class: 'part'}, element('h2', {}, title), ...children);
const bitsText = (bits = chosen.bits) => `${bits} bits`;
