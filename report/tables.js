// The tab of tables: results by data set, and how far every method is behind the best.

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
  return element(
    'td',
    {
      class: `measure${value.best ? ' best' : ''}${near ? ' near' : ''}`,
      style: `--share:${Math.max(0, Math.min(1, value.mean))}`,
    },
    digits(value.mean),
    words ? element('span', {class: 'hidden-text'}, words) : null,
    ...lines
  );
}

function sortedResults(results) {
  if (!chosen.sortBy) return results;
  const key = (result) =>
    chosen.sortBy === 'train' ? result.train_seconds : (result.measures[chosen.sortBy]?.mean ?? -1);
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
  return element(
    'th',
    {scope: 'col', 'aria-sort': active ? (chosen.ascending ? 'ascending' : 'descending') : null},
    element('button', {type: 'button', title, onclick: sort}, text)
  );
}

function resultTable(dataset) {
  const results = of(report.results, dataset);
  const names = report.measures
    .map((measure) => measure.name)
    .filter((name) => results.some((result) => result.measures[name]));
  const head = element(
    'tr',
    {},
    element('th', {scope: 'col'}, 'Method'),
    element('th', {scope: 'col', title: 'Bytes that an item of the database takes'}, 'bytes'),
    ...names.map((name) => sortHead(name, name, report.measures.find((measure) => measure.name === name).summary)),
    sortHead('train', 'training, s', 'Seconds of training, mean over seeds')
  );
  const rows = sortedResults(results).map((result) =>
    element(
      'tr',
      {class: isOurs(report.series[result.series]) ? 'ours' : null},
      element('th', {scope: 'row'}, label(result)),
      element('td', {}, bytesOf(result).toLocaleString('en')),
      ...names.map((name) => measureCell(result.measures[name])),
      element('td', {}, timeText(result.train_seconds))
    )
  );
  return element(
    'div',
    {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Results on ${dataset}`},
    element(
      'table',
      {class: 'results'},
      element('caption', {class: 'hidden-text'}, `Results on ${dataset}, ${bitsText()}`),
      element('thead', {}, head),
      element('tbody', {}, ...rows)
    )
  );
}

function resultCsv(dataset) {
  const names = report.measures.map((measure) => measure.name);
  return {
    columns: [
      'dataset',
      'method',
      'distance',
      'bits',
      'seeds',
      ...names.flatMap((name) => [name, `${name} spread`, `${name} published`]),
      'train_seconds',
    ],
    rows: report.results
      .filter((result) => result.dataset === dataset)
      .map((result) => [
        dataset,
        label(result),
        report.series[result.series].distance,
        result.bits,
        result.seeds.length,
        ...names.flatMap((name) => [
          result.measures[name]?.mean,
          result.measures[name]?.spread,
          result.measures[name]?.published?.value,
        ]),
        result.train_seconds,
      ]),
  };
}

function differenceFigure(dataset) {
  const winner = of(report.results, dataset).find((result) => result.measures[chosen.measure]?.best);
  const rows = of(report.results, dataset)
    .filter(isShown)
    .flatMap((result) => {
      const behind = result.measures[chosen.measure]?.behind_best;
      return behind ? [{series: label(result), ...behind}] : [];
    })
    .sort((a, b) => a.mean - b.mean);
  return chartFigure({
    title: 'How far behind the best?',
    file: fileName(dataset, bitsText(), chosen.measure, 'behind-best'),
    note: winner
      ? `${label(winner)} less each other method, query by query: mean by ${chosen.measure}, and ` +
        (rows.some((row) => row.seeds > 1)
          ? 'its 95 % interval by Student\'s t over seeds, seeds − 1 degrees of freedom (none with one seed).'
          : 'no interval: that needs more than one seed.')
      : '',
    spec: intervalChart({
      rows,
      looks,
      title: `behind the best, ${chosen.measure}`,
      description: `Difference to the best method on ${dataset}`,
    }),
    table: {
      columns: ['method', 'mean', 'low', 'high', 'queries', 'seeds'],
      rows: rows.map((row) => [row.series, row.mean, row.low, row.high, row.queries, row.seeds]),
    },
    none: 'No differences: that needs values per query of two methods, from the details of the rows.',
  });
}

function tables() {
  const key = element(
    'p',
    {class: 'key'},
    '★ best of its column · ≈ not told apart from the best: the 95 % interval of the paired difference (Student\'s t over seeds, two or more) holds 0 · ' +
      '± standard deviation over seeds · published: number of the paper that appears when you point at it. 1 is perfect; bars begin at 0.'
  );
  return [
    ...report.datasets.map((dataset) =>
      of(report.results, dataset).length === 0
        ? part(dataset, element('p', {class: 'none'}, `No results with ${bitsText()}.`))
        : part(
            dataset,
            resultTable(dataset),
            element('div', {class: 'tools'}, csvButton(resultCsv(dataset), fileName(dataset, 'results'))),
            differenceFigure(dataset)
          )
    ),
    key,
  ];
}
