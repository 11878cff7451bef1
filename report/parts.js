// The other tabs: one function each, which returns its elements.

// ---- Bits

function bits() {
  return [
    element(
      'div',
      {class: 'part grid'},
      ...report.datasets.map((dataset) => {
        const results = report.results.filter(
          (result) => result.dataset === dataset && isShown(result) && result.measures[chosen.measure]
        );
        const rows = results.map((result) => {
          const {mean, spread} = result.measures[chosen.measure];
          return {
            series: label(result),
            x: result.bits,
            y: mean,
            low: spread == null ? null : mean - spread,
            high: spread == null ? null : mean + spread,
          };
        });
        const lengths = [...new Set(rows.map((row) => row.x))].sort((a, b) => a - b);
        const y = {title: chosen.measure};
        const description = `${chosen.measure} against bits on ${dataset}`;
        return chartFigure({
          title: dataset,
          file: fileName(dataset, chosen.measure, 'by-bits'),
          note:
            lengths.length > 1
              ? 'Mean over seeds; upright lines are one standard deviation.'
              : `There are results for one code length only: ${lengths.join()} bits.`,
          spec:
            lengths.length > 1
              ? lineChart({
                  rows,
                  looks,
                  y,
                  description,
                  x: {title: 'bits', scale: {type: 'log', base: 2, nice: false}, axis: {values: lengths, format: 'd'}},
                })
              : barChart({rows: [...rows].sort((a, b) => b.y - a.y), looks, y, description}),
          table: sideBySide(rows, 'bits'),
          none: `No values of ${chosen.measure} for the methods shown.`,
        });
      })
    ),
  ];
}

// ---- Curves

function curveRows(dataset, kind) {
  return of(report.curves, dataset)
    .filter(isShown)
    .flatMap((curve) => curve[kind].x.map((x, i) => ({series: label(curve), x, y: curve[kind].y[i]})));
}

function curves() {
  return report.datasets.map((dataset) => {
    const byRecall = curveRows(dataset, 'recall');
    const byRank = curveRows(dataset, 'rank');
    const none = `No curves for ${bitsText()} and the methods shown: the rows have no details with them.`;
    return part(
      `${dataset}, ${bitsText()}`,
      element(
        'div',
        {class: 'grid'},
        chartFigure({
          title: 'Precision and recall',
          note: 'The further up and to the right, the better.',
          file: fileName(dataset, bitsText(), 'precision-recall'),
          none,
          spec: lineChart({
            rows: byRecall,
            looks,
            points: false,
            description: `Precision against recall on ${dataset}`,
            x: {title: 'recall', scale: {domain: [0, 1]}},
            y: {title: 'precision', scale: {zero: true}},
          }),
          table: sideBySide(byRecall, 'recall'),
        }),
        chartFigure({
          title: 'Precision among the first N',
          note: 'How many of the first N answers are right.',
          file: fileName(dataset, bitsText(), 'precision-at-n'),
          none,
          spec: lineChart({
            rows: byRank,
            looks,
            points: false,
            description: `Precision among the first N on ${dataset}`,
            x: {
              title: 'N',
              scale: {type: 'log', nice: false},
              axis: {format: '~s', values: [1, 10, 100, 1000, 10000, 100000]},
            },
            y: {title: 'precision'},
          }),
          table: sideBySide(byRank, 'N'),
        })
      )
    );
  });
}

// ---- Training

function training() {
  return report.datasets.map((dataset) => {
    const entries = of(report.training, dataset).filter(isShown);
    const steps = (key, value) =>
      entries.flatMap((entry) => entry[key].map((y, i) => ({series: label(entry), x: i + 1, y: value(y, entry[key])})));
    const objective = steps('objective', (y, all) => (all[0] ? y / all[0] : y));
    const weights = steps('bit_weights', (y) => y);
    const seeds = [...new Set(entries.map((entry) => entry.seed))].join(', ');
    const figure = (file, {title, note, rows, about, x, y, table, none}) =>
      chartFigure({
        title,
        note: `${note} (seed ${seeds}).`,
        file: fileName(dataset, bitsText(), file),
        spec: lineChart({rows, looks, points: false, description: `${about} on ${dataset}`, x: {title: x}, y}),
        table: sideBySide(table, x),
        none,
      });
    return part(
      `${dataset}, ${bitsText()}`,
      element(
        'div',
        {class: 'grid'},
        figure('objective', {
          title: 'Objective',
          note: 'The value that training minimises, as a share of its first value',
          rows: objective,
          about: 'Training objective',
          x: 'step',
          y: {title: 'objective / first value'},
          table: steps('objective', (y) => y),
          none: 'None of the methods shown records an objective.',
        }),
        figure('weights', {
          title: 'Weight of each bit',
          note: 'What a differing bit adds to the distance, in the order the bits were learned',
          rows: weights,
          about: 'Bit weights',
          x: 'bit',
          y: {title: 'weight', scale: {zero: true}},
          table: weights,
          none: 'None of the methods shown has bit weights; plain Hamming distance counts every bit as 1.',
        })
      )
    );
  });
}

// ---- Retrieval

/** A picture, or its words where there is none. */
function picture(image, words, text) {
  const source = report.images[image];
  return source
    ? element('img', {src: source, alt: words, title: words})
    : element('span', {class: 'tile', role: 'img', 'aria-label': words, title: words}, text || '?');
}

function answerRow(entry, query) {
  const right = query.items.filter((item) => item.relevant).length;
  const items = query.items.map((item, i) => {
    const words = `Answer ${i + 1}${item.label ? `: ${item.label}` : ''}, ${item.relevant ? 'right' : 'wrong'}`;
    return element('li', {class: item.relevant ? null : 'wrong'}, picture(item.image, words, item.label));
  });
  return [
    element(
      'span',
      {},
      label(entry),
      element('br'),
      element('small', {class: 'soft'}, `${right} of ${query.items.length} right`)
    ),
    element('ol', {}, ...items),
  ];
}

function retrieval() {
  return report.datasets.filter((dataset) => !isOfTexts(dataset)).map((dataset) => {
    const byQuery = new Map(); // methods that answered the same query stand together
    for (const entry of of(report.strips, dataset).filter(isShown)) {
      for (const query of entry.queries) {
        const key = `${query.image} ${query.label}`;
        if (!byQuery.has(key)) byQuery.set(key, {image: query.image, name: query.label, answers: []});
        byQuery.get(key).answers.push(...answerRow(entry, query));
      }
    }
    if (byQuery.size === 0)
      return part(
        dataset,
        element(
          'p',
          {class: 'none'},
          `No pictures for ${bitsText()} and the methods shown: the rows have no details with them.`
        )
      );
    return part(
      `${dataset}, ${bitsText()}`,
      element(
        'p',
        {class: 'soft'},
        'A query and the items nearest to it by each method, nearest first. Wrong ones have a red frame and a ✗.'
      ),
      ...[...byQuery.values()].map(({image, name, answers}) =>
        element(
          'div',
          {class: 'query'},
          element(
            'figure',
            {},
            picture(image, `Query${name ? `: ${name}` : ''}`, name),
            `query${name ? `: ${name}` : ''}`
          ),
          element('div', {class: 'answers'}, ...answers)
        )
      )
    );
  });
}

// ---- Configuration

function configuration() {
  const words = (columns, rows) =>
    element(
      'div',
      {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': columns[0]},
      element(
        'table',
        {class: 'words'},
        element('thead', {}, element('tr', {}, ...columns.map((text) => element('th', {scope: 'col'}, text)))),
        element(
          'tbody',
          {},
          ...rows.map(([head, ...cells]) =>
            element(
              'tr',
              {},
              element('th', {scope: 'row'}, head),
              ...cells.map((text) => element('td', {}, text ?? ''))
            )
          )
        )
      )
    );
  const parameters = (params) =>
    Object.entries(params)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ') || 'defaults';
  return [
    part(
      'How these results were made',
      element(
        'dl',
        {class: 'facts'},
        ...report.facts.flatMap(({name, text}) => [element('dt', {}, name), element('dd', {}, text)])
      )
    ),
    part(
      'Methods',
      words(
        ['Method', 'What it does', 'Reference', 'Parameters', 'Distance'],
        report.series.map((series) => [
          series.label,
          series.summary,
          series.reference,
          parameters(series.params),
          series.distance,
        ])
      )
    ),
    part(
      'Measures',
      words(
        ['Measure', 'What it says'],
        report.measures.map((measure) => [measure.name, measure.summary])
      )
    ),
  ];
}
