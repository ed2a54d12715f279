// SPDX-License-Identifier: Apache-2.0
// Elements and numbers. Text becomes text nodes only, so that no name of a program is ever HTML.

/** An element: `el('p', {class: 'x', onclick: f}, 'text', child, [more])`. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, to] of Object.entries(value)) element.style.setProperty(key, to);
    else if (name in element && typeof value === 'boolean') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(4)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** A card with a title. */
export function card(title, ...children) {
  return el('section', {class: 'card'}, title && el('h2', {}, title), children);
}

/** What stands where there is nothing to show. */
export function nothing(text) {
  return el('p', {class: 'empty'}, text);
}

/**
 * A table. Columns are `{title, of: row => content, n: a number, wide: may break}`.
 */
export function table(columns, rows, attributes = {}) {
  const kind = column => (column.n ? 'n' : column.wide ? 'wide' : column.mono ? 'mono' : undefined);
  return el('div', {class: 'scroll', tabindex: rows.length > 0 ? '0' : undefined, role: 'group', 'aria-label': attributes.label ?? 'table'},
    el('table', {class: attributes.class},
      el('thead', {}, el('tr', {}, columns.map(column => el('th', {class: kind(column), scope: 'col'}, column.title)))),
      el('tbody', {}, rows.map((row, i) =>
        el('tr', {}, columns.map(column => el('td', {class: kind(column)}, column.of(row, i))))))));
}

/** Names and their values. */
export function pairs(entries) {
  return el('dl', {}, entries.filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

/** A legend: pairs of a colour's class and a text. */
export function legend(entries) {
  return el('div', {class: 'legend'}, entries.map(([kind, text]) => el('span', {class: 'c-' + kind}, text)));
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes for people, in powers of 1000. */
export function bytes(value) {
  if (!value) return '0 B';
  let unit = 0;
  let rest = value;
  while (Math.abs(rest) >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${unit === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[unit]}`;
}

/** Whether a memory pool had a part in what went over an edge, or should have had one. */
export function isPooled(totals) {
  return Boolean(totals && (totals.poolWrittenBytes || totals.overflowedBytes || totals.poolReadBytes));
}

/** What copies of a memory pool's pages saved. */
export function cached({cacheHits, cacheMisses, cacheHitBytes}) {
  return `${bytes(cacheHitBytes)} in ${count(cacheHits)} reads, missed ${count(cacheMisses)}`;
}

/** A whole number with its thousands apart. */
export function count(value) {
  return Math.round(value ?? 0).toLocaleString('en');
}

/** So many of something. */
export function several(value, what) {
  return `${count(value)} ${what}${value === 1 ? '' : 's'}`;
}

/** Milliseconds for people. */
export function time(ms) {
  if (!ms || ms < 0) return '0 s';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A name that fits: the last parts of a path of transforms, without what Beam adds to them. */
export function short(name, most = 28) {
  const parts = String(name).split('/').filter(part => part && !/^(ParMultiDo|ParDo|Read)\(.*\)$/.test(part));
  let text = parts.length ? parts[parts.length - 1] : String(name);
  for (let i = parts.length - 2; i >= 0 && text.length + parts[i].length + 1 <= most; i--) text = `${parts[i]}/${text}`;
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What a stage does, in a line: its first operators and its last one. */
export function shortStage(stage) {
  const operators = stage.operators?.length ? stage.operators : [stage.name || stage.stage];
  const names = operators.map(operator => short(operator, operators.length === 1 ? 80 : 26));
  return (names.length > 3 ? [names[0], names[1], '…', names[names.length - 1]] : names).join(' → ');
}

/** The colour that the page's style gives a name, for canvases. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
