// The page itself: its head, the tabs, the choices, and drawing again what they change.

// ---- Head

function drawHead() {
  document.getElementById('title').textContent = report.title;
  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  const codes = report.series.filter((series) => !series.fixed_size);
  const seeds = new Set(report.results.flatMap((result) => result.seeds)).size;
  document.getElementById('lead').textContent = [
    counted(report.datasets.length, 'data set', 'data sets'),
    counted(new Set(codes.map((series) => series.method)).size, 'method', 'methods'),
    `codes of ${report.bits.join(', ')} bits`,
    counted(seeds, 'seed', 'seeds'),
  ].join(' · ');
  // Many data sets: one measure of each. One data set: all its measures.
  const measures = report.datasets.length > 1 ? [{name: commonMeasure()}] : report.measures;
  document
    .getElementById('winners')
    .replaceChildren(
      ...report.datasets
        .flatMap((dataset) => measures.map((measure) => winnerCard(dataset, measure.name)))
        .filter(Boolean)
    );
}

function winnerCard(dataset, measure) {
  const codes = report.results.filter((result) => result.dataset === dataset && !isFixed(result));
  const bits = Math.max(...codes.map((result) => result.bits));
  const winner = of(report.results, dataset, bits).find((result) => result.measures[measure]?.best);
  if (!winner) return null;
  const {mean, spread} = winner.measures[measure];
  return element(
    'div',
    {class: 'card'},
    element('small', {}, `Best on ${dataset}, ${bits} bits (${bytesText({bits})})`),
    element('b', {}, label(winner)),
    element('span', {class: 'number'}, digits(mean)),
    ' ',
    element('small', {}, `${spread == null ? '' : `± ${digits(spread)} `}${measure}`),
    ...of(report.results, dataset, bits)
      .filter((result) => isFixed(result) && result.measures[measure])
      .sort((a, b) => b.bits - a.bits)
      .map((result) =>
        element(
          'small',
          {class: 'beside'},
          `${label(result)}, ${bytesText(result)}: ${digits(result.measures[measure].mean)}`
        )
      )
  );
}

// ---- Tabs, choices and drawing

const TABS = [
  {id: 'tables', title: 'Tables', make: tables, uses: ['bits', 'measure', 'methods']},
  ...(report.datasets.some(isOfTexts) ? [{id: 'texts', title: 'Texts', make: texts, uses: []}] : []),
  {id: 'bits', title: 'Bits', make: bits, uses: ['measure', 'methods']},
  {id: 'time', title: 'Time', make: time, uses: ['bits', 'measure', 'methods']},
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
  ids.forEach((id) => {
    panelOf(id).stale = true;
  });
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
    if (mine !== round) {
      panel.stale = true;
      return;
    }
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
  for (const control of document.querySelectorAll('[data-control]'))
    control.hidden = !tab.uses.includes(control.dataset.control);
  // A frame in a notebook has no address of its own to remember the tab in.
  if (location.protocol !== 'about:') history.replaceState(null, '', `#${tab.id}`);
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
  list.append(
    ...TABS.map((tab) =>
      element(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${tab.id}`,
          'aria-controls': `panel-${tab.id}`,
          onclick: () => showTab(tab),
        },
        tab.title
      )
    )
  );
  document
    .getElementById('panels')
    .append(
      ...TABS.map((tab) =>
        element('div', {
          role: 'tabpanel',
          id: `panel-${tab.id}`,
          'aria-labelledby': `tab-${tab.id}`,
          tabindex: 0,
          'data-tab': tab.id,
        })
      )
    );
}

function choice(name, title, values, take) {
  const pick = element(
    'select',
    {
      id: `choose-${name}`,
      onchange: (event) => {
        take(event.target.value);
        redraw();
      },
    },
    ...values.map((value) => element('option', {value, selected: String(value) === String(chosen[name])}, value))
  );
  return element('div', {'data-control': name}, element('label', {for: `choose-${name}`}, title, pick));
}

function methodChips() {
  const boxes = report.series.map((series, index) =>
    element('input', {
      type: 'checkbox',
      checked: chosen.shown.has(index),
      onchange: (event) => {
        if (event.target.checked) chosen.shown.add(index);
        else chosen.shown.delete(index);
        redraw();
      },
    })
  );
  const show = (set) => () => {
    chosen.shown = set();
    boxes.forEach((box, index) => {
      box.checked = chosen.shown.has(index);
    });
    redraw();
  };
  const few = report.series.length <= BEST_SHOWN;
  return element(
    'fieldset',
    {class: 'methods', 'data-control': 'methods'},
    element('legend', {}, 'Methods in the charts, best first'),
    element(
      'div',
      {class: 'chips'},
      ...report.series.map((series, index) =>
        element('label', {class: 'chip'}, boxes[index], swatch(looks[series.label]), series.label)
      ),
      element('button', {type: 'button', class: 'plain', onclick: show(() => new Set(report.series.keys()))}, 'All'),
      few ? null : element('button', {type: 'button', class: 'plain', onclick: show(best)}, `Best ${BEST_SHOWN}`)
    )
  );
}

function makeControls() {
  const controls = document.getElementById('controls');
  controls.addEventListener('submit', (event) => event.preventDefault());
  controls.append(
    choice('bits', 'Bits', report.bits, (value) => {
      chosen.bits = Number(value);
    }),
    choice(
      'measure',
      'Measure',
      report.measures.map((measure) => measure.name),
      (value) => {
        chosen.measure = value;
      }
    ),
    methodChips()
  );
}

drawHead();
makeTabs();
makeControls();
showTab(current);
redraw();
