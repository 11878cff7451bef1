// The page: what is chosen, the tabs, and one function per part that returns its elements.

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
  sortBy: null,      // a measure or 'train'; null: best first
  ascending: false,
  shown: best(),
};

const label = (entry) => report.series[entry.series].label;
const of = (list, dataset, bits = chosen.bits) => list.filter((entry) => entry.dataset === dataset && entry.bits === bits);
const isShown = (entry) => chosen.shown.has(entry.series);
const fileName = (...words) => words.join('-').toLowerCase().replace(/[^a-z0-9@]+/g, '-');
const part = (title, ...children) => element('section', {class: 'part'}, element('h2', {}, title), ...children);
const bitsText = (bits = chosen.bits) => `${bits} bits`;

// ---- Head

function drawHead() {
  document.getElementById('title').textContent = report.title;
  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  const seeds = new Set(report.results.flatMap((result) => result.seeds)).size;
  document.getElementById('lead').textContent = [
    counted(report.datasets.length, 'data set', 'data sets'), counted(new Set(report.series.map((series) => series.method)).size, 'method', 'methods'),
    `codes of ${report.bits.join(', ')} bits`, counted(seeds, 'seed', 'seeds')].join(' · ');
  // Many data sets: the first measure of each. One data set: all its measures.
  const measures = report.datasets.length > 1 ? report.measures.slice(0, 1) : report.measures;
  document.getElementById('winners').replaceChildren(
    ...report.datasets.flatMap((dataset) => measures.map((measure) => winnerCard(dataset, measure.name))).filter(Boolean));
}

function winnerCard(dataset, measure) {
  const bits = Math.max(...report.results.filter((result) => result.dataset === dataset).map((result) => result.bits));
  const winner = of(report.results, dataset, bits).find((result) => result.measures[measure]?.best);
  if (!winner) return null;
  const {mean, spread} = winner.measures[measure];
  return element('div', {class: 'card'}, element('small', {}, `Best on ${dataset}, ${bits} bits`), element('b', {}, label(winner)),
    element('span', {class: 'number'}, digits(mean)), ' ', element('small', {}, `${spread == null ? '' : `± ${digits(spread)} `}${measure}`));
}

// ---- Tables

const timeText = (seconds) => (seconds >= 100 ? seconds.toFixed(0) : seconds.toPrecision(2));

function measureCell(value) {
  if (!value) return element('td', {}, '–');
  const near = value.behind_best?.undecided;
  const lines = [];
  if (value.spread != null) lines.push(element('small', {}, `± ${digits(value.spread)}`));
  if (value.published) {
    const {value: number, source, table} = value.published;
    lines.push(element('small', {title: `${source}${table ? `, table ${table}` : ''}`}, `published ${digits(number)}`));
  }
  const words = value.best ? ' (best)' : near ? ' (not told apart from the best)' : '';
  return element('td', {class: `measure${value.best ? ' best' : ''}${near ? ' near' : ''}`, style: `--share:${Math.max(0, Math.min(1, value.mean))}`},
    digits(value.mean), words ? element('span', {class: 'hidden-text'}, words) : null, ...lines);
}

function sortedResults(results) {
  if (!chosen.sortBy) return results;
  const key = (result) => (chosen.sortBy === 'train' ? result.train_seconds : result.measures[chosen.sortBy]?.mean ?? -1);
  return [...results].sort((a, b) => (chosen.ascending ? key(a) - key(b) : key(b) - key(a)));
}

function sortHead(column, text, title) {
  const active = chosen.sortBy === column;
  const sort = (event) => {
    chosen.ascending = active ? !chosen.ascending : false;
    chosen.sortBy = column;
    const {tab} = event.currentTarget.closest('[role=tabpanel]').dataset;
    const place = [...document.querySelectorAll(`#panel-${tab} th button`)].indexOf(event.currentTarget);
    redraw([tab]).then(() => document.querySelectorAll(`#panel-${tab} th button`)[place]?.focus());
  };
  return element('th', {scope: 'col', 'aria-sort': active ? (chosen.ascending ? 'ascending' : 'descending') : null},
    element('button', {type: 'button', title, onclick: sort}, text));
}

function resultTable(dataset) {
  const results = of(report.results, dataset);
  const names = report.measures.map((measure) => measure.name).filter((name) => results.some((result) => result.measures[name]));
  const head = element('tr', {}, element('th', {scope: 'col'}, 'Method'),
    ...names.map((name) => sortHead(name, name, report.measures.find((measure) => measure.name === name).summary)),
    sortHead('train', 'training, s', 'Seconds of training, mean over seeds'));
  const rows = sortedResults(results).map((result) => element('tr', {class: isOurs(report.series[result.series]) ? 'ours' : null},
    element('th', {scope: 'row'}, label(result)), ...names.map((name) => measureCell(result.measures[name])),
    element('td', {}, timeText(result.train_seconds))));
  return element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Results on ${dataset}`},
    element('table', {class: 'results'}, element('caption', {class: 'hidden-text'}, `Results on ${dataset}, ${bitsText()}`),
      element('thead', {}, head), element('tbody', {}, ...rows)));
}

function resultCsv(dataset) {
  const names = report.measures.map((measure) => measure.name);
  return {columns: ['dataset', 'method', 'distance', 'bits', 'seeds', ...names.flatMap((name) => [name, `${name} spread`, `${name} published`]), 'train_seconds'],
    rows: report.results.filter((result) => result.dataset === dataset).map((result) => [dataset, label(result), report.series[result.series].distance, result.bits, result.seeds.length,
      ...names.flatMap((name) => [result.measures[name]?.mean, result.measures[name]?.spread, result.measures[name]?.published?.value]), result.train_seconds])};
}

function differenceFigure(dataset) {
  const winner = of(report.results, dataset).find((result) => result.measures[chosen.measure]?.best);
  const rows = of(report.results, dataset).filter(isShown).flatMap((result) => {
    const behind = result.measures[chosen.measure]?.behind_best;
    return behind ? [{series: label(result), ...behind}] : [];
  }).sort((a, b) => a.mean - b.mean);
  return chartFigure({
    title: 'How far behind the best?', file: fileName(dataset, bitsText(), chosen.measure, 'behind-best'),
    note: winner ? `${label(winner)} less each other method, query by query: mean and 95 % interval by ${chosen.measure}.` : '',
    spec: intervalChart({rows, looks, title: `behind the best, ${chosen.measure}`, description: `Difference to the best method on ${dataset}`}),
    table: {columns: ['method', 'mean', 'low', 'high', 'queries', 'seeds'], rows: rows.map((row) => [row.series, row.mean, row.low, row.high, row.queries, row.seeds])},
    none: 'No differences: that needs values per query of two methods, from the details of the rows.',
  });
}

function tables() {
  const key = element('p', {class: 'key'}, '★ best of its column · ≈ not told apart from the best: the 95 % interval of the paired difference holds 0 · ' +
    '± standard deviation over seeds · published: number of the paper that appears when you point at it. 1 is perfect; bars begin at 0.');
  return [...report.datasets.map((dataset) => (of(report.results, dataset).length === 0
    ? part(dataset, element('p', {class: 'none'}, `No results with ${bitsText()}.`))
    : part(dataset, resultTable(dataset), element('div', {class: 'tools'}, csvButton(resultCsv(dataset), fileName(dataset, 'results'))), differenceFigure(dataset)))), key];
}

// ---- Bits

function bits() {
  return [element('div', {class: 'part grid'}, ...report.datasets.map((dataset) => {
    const results = report.results.filter((result) => result.dataset === dataset && isShown(result) && result.measures[chosen.measure]);
    const rows = results.map((result) => {
      const {mean, spread} = result.measures[chosen.measure];
      return {series: label(result), x: result.bits, y: mean, low: spread == null ? null : mean - spread, high: spread == null ? null : mean + spread};
    });
    const lengths = [...new Set(rows.map((row) => row.x))].sort((a, b) => a - b);
    const y = {title: chosen.measure};
    const description = `${chosen.measure} against bits on ${dataset}`;
    return chartFigure({
      title: dataset, file: fileName(dataset, chosen.measure, 'by-bits'),
      note: lengths.length > 1 ? 'Mean over seeds; upright lines are one standard deviation.' : `There are results for one code length only: ${lengths.join()} bits.`,
      spec: lengths.length > 1 ? lineChart({rows, looks, y, description, x: {title: 'bits', scale: {type: 'log', base: 2, nice: false}, axis: {values: lengths, format: 'd'}}})
        : barChart({rows: [...rows].sort((a, b) => b.y - a.y), looks, y, description}),
      table: sideBySide(rows, 'bits'), none: `No values of ${chosen.measure} for the methods shown.`,
    });
  }))];
}

// ---- Curves

function curveRows(dataset, kind) {
  return of(report.curves, dataset).filter(isShown).flatMap((curve) => curve[kind].x.map((x, i) => ({series: label(curve), x, y: curve[kind].y[i]})));
}

function curves() {
  return report.datasets.map((dataset) => {
    const byRecall = curveRows(dataset, 'recall');
    const byRank = curveRows(dataset, 'rank');
    const none = `No curves for ${bitsText()} and the methods shown: the rows have no details with them.`;
    return part(`${dataset}, ${bitsText()}`, element('div', {class: 'grid'},
      chartFigure({title: 'Precision and recall', note: 'The further up and to the right, the better.', file: fileName(dataset, bitsText(), 'precision-recall'), none,
        spec: lineChart({rows: byRecall, looks, points: false, description: `Precision against recall on ${dataset}`, x: {title: 'recall', scale: {domain: [0, 1]}}, y: {title: 'precision', scale: {zero: true}}}),
        table: sideBySide(byRecall, 'recall')}),
      chartFigure({title: 'Precision among the first N', note: 'How many of the first N answers are right.', file: fileName(dataset, bitsText(), 'precision-at-n'), none,
        spec: lineChart({rows: byRank, looks, points: false, description: `Precision among the first N on ${dataset}`, x: {title: 'N', scale: {type: 'log', nice: false}, axis: {format: '~s', values: [1, 10, 100, 1000, 10000, 100000]}}, y: {title: 'precision'}}),
        table: sideBySide(byRank, 'N')})));
  });
}

// ---- Training

function training() {
  return report.datasets.map((dataset) => {
    const entries = of(report.training, dataset).filter(isShown);
    const steps = (key, value) => entries.flatMap((entry) => entry[key].map((y, i) => ({series: label(entry), x: i + 1, y: value(y, entry[key])})));
    const objective = steps('objective', (y, all) => (all[0] ? y / all[0] : y));
    const weights = steps('bit_weights', (y) => y);
    const seeds = [...new Set(entries.map((entry) => entry.seed))].join(', ');
    return part(`${dataset}, ${bitsText()}`, element('div', {class: 'grid'},
      chartFigure({title: 'Objective', note: `What training makes small, as a share of its first value (seed ${seeds}).`, file: fileName(dataset, bitsText(), 'objective'),
        spec: lineChart({rows: objective, looks, points: false, description: `Training objective on ${dataset}`, x: {title: 'step'}, y: {title: 'objective / first value'}}),
        table: sideBySide(steps('objective', (y) => y), 'step'), none: 'None of the methods shown records an objective.'}),
      chartFigure({title: 'Weight of each bit', note: `What a differing bit adds to the distance, in the order the bits were learned (seed ${seeds}).`, file: fileName(dataset, bitsText(), 'weights'),
        spec: lineChart({rows: weights, looks, points: false, description: `Bit weights on ${dataset}`, x: {title: 'bit'}, y: {title: 'weight', scale: {zero: true}}}),
        table: sideBySide(weights, 'bit'), none: 'None of the methods shown has bit weights; plain Hamming distance counts every bit as 1.'})));
  });
}

// ---- Retrieval

/** A picture, or its words where there is none. */
function picture(image, words, text) {
  const source = report.images[image];
  return source ? element('img', {src: source, alt: words, title: words}) : element('span', {class: 'tile', role: 'img', 'aria-label': words, title: words}, text || '?');
}

function answerRow(entry, query) {
  const right = query.items.filter((item) => item.relevant).length;
  const items = query.items.map((item, i) => {
    const words = `Answer ${i + 1}${item.label ? `: ${item.label}` : ''}, ${item.relevant ? 'right' : 'wrong'}`;
    return element('li', {class: item.relevant ? null : 'wrong'}, picture(item.image, words, item.label));
  });
  return [element('span', {}, label(entry), element('br'), element('small', {class: 'soft'}, `${right} of ${query.items.length} right`)), element('ol', {}, ...items)];
}

function retrieval() {
  return report.datasets.map((dataset) => {
    const byQuery = new Map();  // methods that answered the same query stand together
    for (const entry of of(report.strips, dataset).filter(isShown)) {
      for (const query of entry.queries) {
        const key = `${query.image} ${query.label}`;
        if (!byQuery.has(key)) byQuery.set(key, {image: query.image, name: query.label, answers: []});
        byQuery.get(key).answers.push(...answerRow(entry, query));
      }
    }
    if (byQuery.size === 0) return part(dataset, element('p', {class: 'none'}, `No pictures for ${bitsText()} and the methods shown: the rows have no details with them.`));
    return part(`${dataset}, ${bitsText()}`, element('p', {class: 'soft'}, 'A query and the items nearest to it by each method, nearest first. Wrong ones have a red frame and a ✗.'),
      ...[...byQuery.values()].map(({image, name, answers}) => element('div', {class: 'query'},
        element('figure', {}, picture(image, `Query${name ? `: ${name}` : ''}`, name), `query${name ? `: ${name}` : ''}`),
        element('div', {class: 'answers'}, ...answers))));
  });
}

// ---- Configuration

function configuration() {
  const words = (columns, rows) => element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': columns[0]},
    element('table', {class: 'words'}, element('thead', {}, element('tr', {}, ...columns.map((text) => element('th', {scope: 'col'}, text)))),
      element('tbody', {}, ...rows.map(([head, ...cells]) => element('tr', {}, element('th', {scope: 'row'}, head), ...cells.map((text) => element('td', {}, text ?? '')))))));
  const parameters = (params) => Object.entries(params).map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ') || 'defaults';
  return [
    part('How these results were made', element('dl', {class: 'facts'}, ...report.facts.flatMap(({name, text}) => [element('dt', {}, name), element('dd', {}, text)]))),
    part('Methods', words(['Method', 'What it does', 'Reference', 'Parameters', 'Distance'], report.series.map((series) => [series.label, series.summary, series.reference, parameters(series.params), series.distance]))),
    part('Measures', words(['Measure', 'What it says'], report.measures.map((measure) => [measure.name, measure.summary]))),
  ];
}

// ---- Tabs, choices and drawing

const TABS = [
  {id: 'tables', title: 'Tables', make: tables, uses: ['bits', 'measure', 'methods']},
  {id: 'bits', title: 'Bits', make: bits, uses: ['measure', 'methods']},
  {id: 'curves', title: 'Curves', make: curves, uses: ['bits', 'methods']},
  {id: 'training', title: 'Training', make: training, uses: ['bits', 'methods']},
  {id: 'retrieval', title: 'Retrieval', make: retrieval, uses: ['bits', 'methods']},
  {id: 'configuration', title: 'Configuration', make: configuration, uses: []},
];
const panelOf = (id) => document.getElementById(`panel-${id}`);
let current = TABS.find((tab) => `#${tab.id}` === location.hash) ?? TABS[0];

/** Makes the given parts anew, the one that is seen first; the others when the browser is idle. */
let round = 0;
async function redraw(ids = TABS.map((tab) => tab.id)) {
  const mine = ++round;
  document.documentElement.dataset.drawn = 'no';
  ids.forEach((id) => { panelOf(id).stale = true; });
  const stale = TABS.filter((tab) => panelOf(tab.id).stale);
  stale.sort((a, b) => (b === current) - (a === current));
  for (const tab of stale) {
    if (tab !== current) await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
    if (mine !== round) return;
    const panel = panelOf(tab.id);
    panel.stale = false;
    forgetCharts(panel);
    panel.replaceChildren(...tab.make());
    await drawCharts(panel);
    if (mine !== round) { panel.stale = true; return; }
  }
  document.documentElement.dataset.drawn = 'yes';
}

function showTab(tab, focus = false) {
  current = tab;
  for (const other of TABS) {
    const selected = other === tab;
    const button = document.getElementById(`tab-${other.id}`);
    button.setAttribute('aria-selected', selected);
    button.tabIndex = selected ? 0 : -1;
    if (selected && focus) button.focus();
    panelOf(other.id).classList.toggle('shown', selected);
  }
  for (const control of document.querySelectorAll('[data-control]')) control.hidden = !tab.uses.includes(control.dataset.control);
  history.replaceState(null, '', `#${tab.id}`);
}

function makeTabs() {
  const onKey = (event) => {
    const at = TABS.indexOf(current);
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    showTab(TABS[(to + TABS.length) % TABS.length], true);
  };
  const list = document.getElementById('tabs');
  list.addEventListener('keydown', onKey);
  list.append(...TABS.map((tab) => element('button', {type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`, onclick: () => showTab(tab)}, tab.title)));
  document.getElementById('panels').append(...TABS.map((tab) => element('div', {role: 'tabpanel', id: `panel-${tab.id}`, 'aria-labelledby': `tab-${tab.id}`, tabindex: 0, 'data-tab': tab.id})));
}

function choice(name, title, values, take) {
  const pick = element('select', {id: `choose-${name}`, onchange: (event) => { take(event.target.value); redraw(); }},
    ...values.map((value) => element('option', {value, selected: String(value) === String(chosen[name])}, value)));
  return element('div', {'data-control': name}, element('label', {for: `choose-${name}`}, title, pick));
}

function methodChips() {
  const boxes = report.series.map((series, index) => element('input', {type: 'checkbox', checked: chosen.shown.has(index), onchange: (event) => {
    if (event.target.checked) chosen.shown.add(index); else chosen.shown.delete(index);
    redraw();
  }}));
  const show = (set) => () => {
    chosen.shown = set();
    boxes.forEach((box, index) => { box.checked = chosen.shown.has(index); });
    redraw();
  };
  const few = report.series.length <= BEST_SHOWN;
  return element('fieldset', {class: 'methods', 'data-control': 'methods'},
    element('legend', {}, 'Methods in the charts, best first'),
    element('div', {class: 'chips'}, ...report.series.map((series, index) => element('label', {class: 'chip'}, boxes[index], swatch(looks[series.label]), series.label)),
      element('button', {type: 'button', class: 'plain', onclick: show(() => new Set(report.series.keys()))}, 'All'),
      few ? null : element('button', {type: 'button', class: 'plain', onclick: show(best)}, `Best ${BEST_SHOWN}`)));
}

function makeControls() {
  const controls = document.getElementById('controls');
  controls.addEventListener('submit', (event) => event.preventDefault());
  controls.append(choice('bits', 'Bits', report.bits, (value) => { chosen.bits = Number(value); }),
    choice('measure', 'Measure', report.measures.map((measure) => measure.name), (value) => { chosen.measure = value; }), methodChips());
}

drawHead();
makeTabs();
makeControls();
showTab(current);
redraw();
