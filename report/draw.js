// Elements, tables, CSV files and charts. Nothing here knows what the report is about.

/** element('p', {class: 'soft'}, 'text', child, ...); null and undefined are left out. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

const digits = (value, count = 3) => (value == null ? '–' : value.toFixed(count).replace('-', '−'));

function csvText({columns, rows}) {
  const cell = (value) => {
    const text = value == null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** A button that saves a table as a file; the file is made here, not fetched. */
function csvButton(table, file) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([csvText(table)], {type: 'text/csv'}));
    element('a', {href: address, download: `${file}.csv`}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  return element('button', {type: 'button', class: 'plain', onclick: save, 'aria-label': `Save ${file}.csv`}, 'CSV');
}

/** A plain table of numbers, first column as row heads. */
function dataTable({columns, rows}, name) {
  const shown = (value) =>
    typeof value === 'number' && !Number.isInteger(value) ? String(+value.toPrecision(5)) : (value ?? '–');
  return element(
    'div',
    {class: 'scroll low', tabindex: 0, role: 'region', 'aria-label': `Data: ${name}`},
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...columns.map((column) => element('th', {scope: 'col'}, column)))),
      element(
        'tbody',
        {},
        ...rows.map(([head, ...cells]) =>
          element(
            'tr',
            {},
            element('th', {scope: 'row'}, shown(head)),
            ...cells.map((cell) => element('td', {}, shown(cell)))
          )
        )
      )
    )
  );
}

// ---- Looks of the series: colour, shape and dash. The three repeat after 8, 6 and 8 series.

const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];
const SHAPE_PATHS = [
  'M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z',
  'M-4.5-4.5h9v9h-9Z',
  'M0-5.5L5.5 4.5h-11Z',
  'M0-6L6 0L0 6L-6 0Z',
  'M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4Z',
  'M0 5.5L5.5-4.5h-11Z',
];
const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
];
const STRONG_LINE = 3.2;
const THIN_LINE = 1.8;

function look(place, strong) {
  const shape = place % SHAPES.length;
  return {
    color: `var(--series-${place % 8})`,
    shape: SHAPES[shape],
    path: SHAPE_PATHS[shape],
    dash: DASHES[Math.floor(place / 8) % DASHES.length],
    strong,
  };
}

/** A short piece of the line as it looks in the charts. */
function swatch({color, path, dash, strong}) {
  const holder = document.createElement('span');
  holder.innerHTML = `<svg width="30" height="14" viewBox="-15 -7 30 14" aria-hidden="true">
    <path d="M-15 0H15" stroke="${color}" stroke-width="${strong ? STRONG_LINE : THIN_LINE}" stroke-dasharray="${dash.join(' ')}" fill="none"/>
    <path d="${path}" transform="scale(.9)" fill="${color}"/></svg>`;
  return holder.firstElementChild;
}

// ---- Charts

const CHART_LOOK = {
  background: null,
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  view: {stroke: null},
  axis: {
    labelColor: 'currentColor',
    titleColor: 'currentColor',
    gridColor: 'var(--grid)',
    domainColor: 'var(--line)',
    tickColor: 'var(--line)',
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 500,
    titlePadding: 8,
  },
};

const frame = (description, height) => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  description,
  width: 'container',
  height,
  autosize: {type: 'fit-x', contains: 'padding', resize: true},
});

function seriesScales(looks) {
  const domain = Object.keys(looks);
  const scale = (key) => ({
    field: 'series',
    type: 'nominal',
    legend: null,
    scale: {domain, range: domain.map((name) => looks[name][key])},
  });
  const strong = domain.filter((name) => looks[name].strong);
  const strokeWidth = {condition: {test: {field: 'series', oneOf: strong}, value: STRONG_LINE}, value: THIN_LINE};
  return {color: scale('color'), shape: scale('shape'), strokeDash: scale('dash'), strokeWidth};
}

/** One line per series over rows {series, x, y, low?, high?}; `looks` by series. */
function lineChart({rows, looks, x, y, description, points = true}) {
  const scales = seriesScales(looks);
  const faint = {condition: {param: 'near', value: 1}, value: 0.18};
  const at = {field: 'x', type: 'quantitative', title: x.title, scale: x.scale ?? {nice: false}, axis: {...x.axis}};
  const value = {field: 'y', type: 'quantitative', title: y.title, scale: y.scale ?? {zero: false}};
  const tooltip = [
    {field: 'series', title: 'method'},
    {field: 'x', title: x.title},
    {field: 'y', title: y.title, format: '.4~f'},
  ];
  const layers = [
    {
      mark: {type: 'line', interpolate: 'linear'},
      encoding: {
        x: at,
        y: value,
        color: scales.color,
        strokeDash: scales.strokeDash,
        strokeWidth: scales.strokeWidth,
        opacity: faint,
      },
    },
  ];
  if (rows.some((row) => row.low != null)) {
    layers.push({
      mark: {type: 'rule', strokeWidth: 1.5},
      encoding: {x: at, y: {...value, field: 'low'}, y2: {field: 'high'}, color: scales.color, opacity: faint},
    });
  }
  layers.push({
    mark: {type: 'point', filled: true, size: points ? 60 : 22, opacity: 1},
    params: [{name: 'near', select: {type: 'point', fields: ['series'], on: 'pointerover', clear: 'pointerout'}}],
    encoding: {x: at, y: value, color: scales.color, shape: scales.shape, opacity: faint, tooltip},
  });
  return {...frame(description, 280), data: {values: rows}, layer: layers};
}

/** The names of the series down the side, in the order of the rows. */
function seriesNames(axis) {
  return {field: 'series', type: 'nominal', title: null, sort: null, axis: {ticks: false, domain: false, ...axis}};
}

/** A bar per row {series, y}, in the order of the rows. */
function barChart({rows, looks, y, description}) {
  const scales = seriesScales(looks);
  const name = seriesNames({labelPadding: 6});
  const value = {field: 'y', type: 'quantitative', title: y.title, axis: {tickCount: 6}};
  const tooltip = [
    {field: 'series', title: 'method'},
    {field: 'y', title: y.title, format: '.4~f'},
  ];
  return {
    ...frame(description, 26 * rows.length),
    data: {values: rows},
    layer: [
      {
        mark: {type: 'bar', cornerRadiusEnd: 4, height: {band: 0.66}},
        encoding: {y: name, x: value, color: scales.color, tooltip},
      },
      {
        mark: {type: 'text', align: 'left', dx: 5, color: 'currentColor', fontSize: 11},
        encoding: {y: name, x: value, text: {field: 'y', format: '.3f'}},
      },
    ],
  };
}

/**
 * A dot with its interval per row {series, mean, low, high}; without low and high a dot alone. The line at 0 is the best
 * method.
 */
function intervalChart({rows, looks, title, description}) {
  const scales = seriesScales(looks);
  const name = seriesNames({grid: true});
  const known = rows.some((row) => row.low != null);
  const fields = known ? ['mean', 'low', 'high'] : ['mean'];
  const tooltip = [
    {field: 'series', title: 'method'},
    ...fields.map((field) => ({field, format: '.4~f'})),
  ];
  const intervals = {
    transform: [{filter: 'isValid(datum.low)'}],
    mark: {type: 'rule', strokeWidth: 3, opacity: 0.55},
    encoding: {
      y: name,
      x: {field: 'low', type: 'quantitative', title},
      x2: {field: 'high'},
      color: scales.color,
      tooltip,
    },
  };
  return {
    ...frame(description, 26 * rows.length),
    data: {values: rows},
    layer: [
      {
        mark: {type: 'rule', color: 'currentColor', strokeDash: [4, 3]},
        encoding: {x: {datum: 0, type: 'quantitative'}},
      },
      ...(known ? [intervals] : []),
      {
        mark: {type: 'point', filled: true, size: 70, opacity: 1},
        encoding: {
          y: name,
          x: {field: 'mean', type: 'quantitative', title},
          color: scales.color,
          shape: scales.shape,
          tooltip,
        },
      },
    ],
  };
}

/** A chart with its title, its data as a table and as a file; without rows one line says so. */
function chartFigure({title, note, spec, table, file, none}) {
  const caption = element('figcaption', {}, element('h3', {}, title), note ? element('p', {}, note) : null);
  if (table.rows.length === 0) return element('figure', {}, caption, element('p', {class: 'none'}, none));
  const place = element('div', {class: 'chart'});
  place.spec = spec;
  return element(
    'figure',
    {class: 'has-chart'},
    caption,
    place,
    element(
      'div',
      {class: 'tools'},
      element('details', {}, element('summary', {}, 'Data as a table'), dataTable(table, title)),
      csvButton(table, file)
    )
  );
}

/** Draws the charts of a part of the page that were put there since it was last drawn. */
async function drawCharts(root) {
  for (const place of root.querySelectorAll('.chart')) {
    if (!place.spec) continue;
    const {spec} = place;
    place.spec = null;
    spec.config = {...CHART_LOOK, axis: {...CHART_LOOK.axis, labelLimit: Math.max(110, place.clientWidth * 0.3)}};
    place.result = await vegaEmbed(place, spec, {renderer: 'svg', actions: false, tooltip: {theme: 'custom'}});
  }
}

function forgetCharts(root) {
  for (const place of root.querySelectorAll('.chart')) place.result?.finalize();
}

/** Rows {series, x, y} side by side: one column per series. */
function sideBySide(rows, head) {
  const names = [...new Set(rows.map((row) => row.series))];
  const lines = new Map();
  for (const {series, x, y} of rows) {
    if (!lines.has(x)) lines.set(x, new Map());
    lines.get(x).set(series, y);
  }
  return {
    columns: [head, ...names],
    rows: [...lines].sort(([a], [b]) => a - b).map(([x, line]) => [x, ...names.map((name) => line.get(name))]),
  };
}
