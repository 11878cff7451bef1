// The tab of quality against training time: its chart, and the methods that no other one beats in both.

// ---- The chart: points with names, and a line

// Layers of points, and where their names go, best place first: nothing lies above the front.
const POINTS = [
  {
    layer: 'best',
    front: true,
    anchors: ['top', 'top-left', 'left', 'bottom-right', 'right', 'bottom', 'bottom-left', 'top-right'],
  },
  {
    layer: 'rest',
    front: false,
    anchors: ['right', 'bottom', 'bottom-right', 'bottom-left', 'left', 'top', 'top-right', 'top-left'],
  },
];

/**
 * Vega marks for one of `layers`: names, and leader lines to those that are not next to their point. No name covers a
 * point, the line or another name. Names that fit nowhere are hidden; earlier layers and rows have priority.
 */
function pointNames({layer, anchors}, position, layers) {
  const places = [4, 12, 20, 28, 36].flatMap((offset) => anchors.map((anchor) => ({anchor, offset})));
  const names = {
    name: `${layer}_names`,
    type: 'text',
    from: {data: `${layer}_marks`},
    encode: {
      enter: {
        text: {field: 'datum.series'},
        fontSize: {value: 12},
        fontWeight: {signal: 'datum.datum.strong ? 700 : 400'},
        fill: {value: 'currentColor'},
      },
    },
    transform: [
      {
        type: 'label',
        size: {signal: '[max(1, width), max(1, height)]'}, // a chart that was replaced meanwhile has no width
        avoidMarks: [
          'front_marks',
          ...layers.map((other) => `${other.layer}_marks`),
          ...layers.slice(0, position).map((earlier) => `${earlier.layer}_names`),
        ],
        anchor: places.map(({anchor}) => anchor),
        offset: places.map(({offset}) => offset),
      },
    ],
  };
  // Where a leader line meets the point; hidden names have no place.
  const edge = (axis) =>
    `datum.opacity ? clamp(datum.${axis}, datum.datum.bounds.${axis}1, datum.datum.bounds.${axis}2) : 0`;
  const far = `hypot(datum.x - (${edge('x')}), datum.y - (${edge('y')})) > 8`;
  const leaders = {
    type: 'rule',
    from: {data: names.name},
    encode: {
      enter: {stroke: {value: 'currentColor'}},
      update: {
        x: {field: 'x'},
        y: {field: 'y'},
        x2: {signal: edge('x')},
        y2: {signal: edge('y')},
        opacity: {signal: `datum.opacity && ${far} ? 0.6 : 0`},
      },
    },
  };
  return [names, leaders];
}

/** Ticks of a logarithmic axis: powers of ten, and three times them where the range is short. */
function logTicks(left, right) {
  const steps = right / left > 1000 ? [1] : [1, 3];
  return [...Array(12).keys()].flatMap((n) => steps.map((step) => +`${step}e${n - 4}`));
}

/** A named point per row {series, x, y, strong, front} over a logarithmic x; a line joins the rows with `front`. */
function frontChart({rows, looks, x, y, description}) {
  const scales = seriesScales(looks);
  const layers = POINTS.filter(({front}) => rows.some((row) => row.front === front));
  const extent = (field) => [Math.min, Math.max].map((bound) => bound(...rows.map((row) => row[field])));
  const [left, right] = extent('x');
  const [bottom, top] = extent('y');
  const at = {
    field: 'x',
    type: 'quantitative',
    title: x.title,
    scale: {type: 'log', nice: false, padding: 20, domain: [left / 2, right * 2]},
    axis: {format: '~g', values: logTicks(left, right), labelBound: true},
  };
  const value = {
    field: 'y',
    type: 'quantitative',
    title: y.title,
    scale: {padding: 26, domain: [bottom - 0.01, top + 0.01]},
    axis: {tickCount: 6},
  };
  const tooltip = [
    {field: 'series', title: 'method'},
    {field: 'x', title: x.title, format: '.3~g'},
    {field: 'y', title: y.title, format: '.4~f'},
  ];
  return {
    ...frame(description, 340),
    data: {values: rows},
    layer: [
      {
        name: 'front',
        transform: [{filter: 'datum.front'}],
        mark: {type: 'line', color: 'currentColor', strokeWidth: 1.5, opacity: 0.6},
        encoding: {x: at, y: value},
      },
      ...layers.map(({layer, front}) => ({
        name: layer,
        transform: [{filter: {field: 'front', equal: front}}],
        mark: {type: 'point', filled: true, opacity: 1},
        encoding: {
          x: at,
          y: value,
          color: scales.color,
          shape: scales.shape,
          size: {condition: {test: 'datum.strong', value: 170}, value: 80},
          tooltip,
        },
      })),
    ],
    // Vega-Lite has no transform that places labels: these marks are added to the compiled Vega specification.
    usermeta: {
      embedOptions: {patch: layers.flatMap(pointNames).map((value) => ({op: 'add', path: '/marks/-', value}))},
    },
  };
}

// ---- The tab

const MIN_SECONDS = 1e-3; // shorter times are drawn here, because a logarithmic axis has no 0

/** The Pareto front of rows {seconds, y}: every other row is slower or worse than one of these. */
function paretoFront(rows) {
  let best = -Infinity;
  return [...rows]
    .sort((a, b) => a.seconds - b.seconds || b.y - a.y)
    .filter(({y}) => {
      const better = y > best;
      best = Math.max(best, y);
      return better;
    });
}

function timeRows(dataset) {
  const rows = of(report.results, dataset)
    .filter(
      (result) =>
        isShown(result) && report.series[result.series].usual && !isFixed(result) && result.measures[chosen.measure]
    )
    .map((result) => ({
      series: label(result),
      seconds: result.train_seconds,
      x: Math.max(result.train_seconds, MIN_SECONDS),
      y: result.measures[chosen.measure].mean,
      seeds: result.seeds.length,
      strong: looks[label(result)].strong,
    }));
  const front = new Set(paretoFront(rows));
  // Where names are crowded, the first rows keep theirs.
  return rows
    .map((row) => ({...row, front: front.has(row)}))
    .sort((a, b) => b.strong - a.strong || b.front - a.front || b.y - a.y);
}

function time() {
  return report.datasets.map((dataset) => {
    const rows = timeRows(dataset);
    return part(
      `${dataset}, ${bitsText()}`,
      chartFigure({
        title: 'Quality against training time',
        note:
          'Mean over seeds. Higher is better, further left is faster. ' +
          `The line joins the methods that no other method shown beats in both time and ${chosen.measure}.`,
        file: fileName(dataset, bitsText(), chosen.measure, 'by-training-time'),
        spec: frontChart({
          rows,
          looks,
          description: `${chosen.measure} against training time on ${dataset}`,
          x: {title: 'training, s'},
          y: {title: chosen.measure},
        }),
        table: {
          columns: ['method', 'training, s', chosen.measure, 'on the front', 'seeds'],
          rows: [...rows]
            .sort((a, b) => a.seconds - b.seconds)
            .map((row) => [row.series, row.seconds, row.y, row.front ? 'yes' : 'no', row.seeds]),
        },
        none: `No values of ${chosen.measure} for ${bitsText()} and the methods shown.`,
      })
    );
  });
}
