// Retrieval of texts: one question, and what two methods find for it, side by side.

const bytesOf = (entry) => Math.ceil(entry.bits / 8);
const bytesText = (entry) => {
  const bytes = bytesOf(entry);
  return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
};
const isFixed = (entry) => report.series[entry.series].fixed_size;
const textEntries = (dataset) =>
  report.strips.filter((entry) => entry.dataset === dataset && entry.queries.some((query) => query.text != null));
const isOfTexts = (dataset) => textEntries(dataset).length > 0;
const nameOf = (entry) =>
  isFixed(entry) ? `${label(entry)}, ${bytesText(entry)}` : `${label(entry)}, ${bitsText(entry.bits)}, ${bytesText(entry)}`;
const className = (name) => name.replaceAll('_', ' ');
const rightOf = (query) => query.items.filter((item) => item.relevant).length;

/** By data set: {query, left, right}, positions in the list of questions and of methods. */
const compared = new Map();

/** At first the largest vectors against our own method, or else the best one, with the most bits. */
function firstComparison(entries) {
  const bySize = [...entries.keys()].sort((a, b) => entries[a].bits - entries[b].bits);
  const codes = bySize.filter((i) => !isFixed(entries[i]));
  const ours = codes.filter((i) => isOurs(report.series[entries[i].series]));
  const right = ours.at(-1) ?? codes.at(-1) ?? bySize[0];
  const left = bySize.filter((i) => i !== right).at(-1) ?? right;
  return {query: 0, left, right};
}

/** A list of choices by position, with its label above. */
function picker(id, title, names, position, take) {
  return element(
    'label',
    {for: id},
    title,
    element(
      'select',
      {id, onchange: (event) => take(Number(event.target.value))},
      ...names.map((name, i) => element('option', {value: i, selected: i === position}, name))
    )
  );
}

function answerText(item, place) {
  return element(
    'li',
    {class: item.relevant ? 'right' : 'wrong'},
    element('span', {class: 'place'}, `${place}`),
    element(
      'span',
      {},
      report.texts[item.text],
      element('br'),
      element(
        'small',
        {},
        element('b', {class: 'verdict'}, item.relevant ? '✓ right' : '✗ wrong'),
        item.label ? ` · ${className(item.label)}` : ''
      )
    )
  );
}

function answerSide(entry, query, choice) {
  const all = entry.queries;
  const mean = all.reduce((sum, one) => sum + rightOf(one), 0) / all.length;
  return element(
    'div',
    {class: 'side'},
    choice,
    element(
      'p',
      {class: 'count'},
      element('b', {}, `${rightOf(query)} of ${query.items.length} right`),
      element('small', {class: 'soft'}, ` · ${mean.toFixed(1)} on average over these ${all.length} questions`)
    ),
    element('ol', {class: 'texts'}, ...query.items.map((item, i) => answerText(item, i + 1)))
  );
}

function textComparison(dataset) {
  const entries = textEntries(dataset);
  if (!compared.has(dataset)) compared.set(dataset, firstComparison(entries));
  const state = compared.get(dataset);
  const names = entries.map(nameOf);
  const place = element('div', {class: 'comparison'});
  const id = fileName('pick', dataset);
  const take = (changes, focused) => {
    Object.assign(state, changes);
    draw();
    document.getElementById(focused)?.focus();
  };
  const draw = () => {
    const {queries} = entries[state.left];
    const asked = queries[state.query];
    const step = (by, title, name) =>
      element(
        'button',
        {
          type: 'button',
          class: 'plain',
          id: `${id}-${name}`,
          onclick: () => take({query: (state.query + by + queries.length) % queries.length}, `${id}-${name}`),
        },
        title
      );
    const side = (name, title) =>
      answerSide(
        entries[state[name]],
        entries[state[name]].queries[state.query],
        picker(`${id}-${name}`, title, names, state[name], (to) => take({[name]: to}, `${id}-${name}`))
      );
    place.replaceChildren(
      element(
        'div',
        {class: 'pick'},
        picker(
          `${id}-query`,
          'Question',
          queries.map((query) => report.texts[query.text]),
          state.query,
          (to) => take({query: to}, `${id}-query`)
        ),
        element('div', {class: 'steps'}, step(-1, '← Previous', 'previous'), step(1, 'Next →', 'next'))
      ),
      element(
        'p',
        {class: 'asked'},
        report.texts[asked.text],
        asked.label ? element('small', {class: 'soft'}, `class: ${className(asked.label)}`) : null
      ),
      element('div', {class: 'sides'}, side('left', 'Nearest by'), side('right', 'Nearest by'))
    );
  };
  draw();
  return part(
    dataset,
    element(
      'p',
      {class: 'soft'},
      'Pick a question and see the texts nearest to it by two methods, nearest first. ' +
        'An answer is right if its class is that of the question; wrong ones have a red edge, a ✗ and the word.'
    ),
    place
  );
}

function texts() {
  return report.datasets.filter(isOfTexts).map(textComparison);
}
