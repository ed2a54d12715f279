// SPDX-License-Identifier: Apache-2.0
// How even shuffles are: what each task gets, with plain hashing and with the ranges that were drawn.
import {el, card, nothing, pairs, table, bytes, count, several, time, colour} from './text.js';

function spread(values) {
  const total = values.reduce((sum, value) => sum + value, 0);
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  return {total, most, times: total ? most / (total / values.length) : 0};
}

function spreadText(values) {
  const {most, times} = spread(values);
  return most ? `largest ${bytes(most)}, ${times.toFixed(2)} × the mean` : 'nothing';
}

const charts = new WeakMap();

/** Bars of bytes by task; `series` are `{name, values, colour}`. */
function chart(host, series) {
  charts.get(host)?.destroy();
  const width = host.clientWidth;
  if (!width) return;
  const tasks = Math.max(...series.map(one => one.values.length));
  const bars = uPlot.paths.bars({size: [0.8, 60], align: 0});
  const half = side => uPlot.paths.bars({size: [0.42, 40], align: side});
  const axis = {stroke: colour('muted'), grid: {stroke: colour('line'), width: 1}, ticks: {stroke: colour('line')}, font: '11px system-ui, sans-serif'};
  charts.set(host, new uPlot({
    width, height: 240,
    scales: {x: {time: false, range: [-0.6, tasks - 0.4]}, y: {range: (plot, low, high) => [0, high * 1.05 || 1]}},
    axes: [{...axis, grid: {show: false}, values: (plot, ticks) => ticks.map(tick => (Number.isInteger(tick) ? String(tick) : ''))},
      {...axis, size: 70, values: (plot, ticks) => ticks.map(bytes)}],
    series: [{label: 'task', value: (plot, value) => (value === null ? '' : String(value))},
      ...series.map((one, i) => ({label: one.name, fill: colour(one.colour), stroke: colour(one.colour), width: 0, points: {show: false},
        paths: series.length === 1 ? bars : half(i === 0 ? -1 : 1), value: (plot, value) => (value === null || value === undefined ? '' : bytes(value))}))],
    cursor: {points: {show: false}},
  }, [Array.from({length: tasks}, (_, i) => i), ...series.map(one => Array.from({length: tasks}, (_, i) => one.values[i] ?? null))], host));
}

function chartCard(title, text, series, ...more) {
  const host = el('div', {class: 'chart', role: 'img', 'aria-label': series.map(one => `${one.name}: ${spreadText(one.values)}`).join('; ')});
  const element = card(title, text, host, ...more);
  return {element, draw: () => chart(host, series)};
}

/** The stage that reads; shuffles that were measured together have no link of their own. */
function consumer(redraw, job) {
  const edges = (redraw.edge ?? '').split('+');
  const stage = redraw.consumer || (job.head.links ?? []).find(link => edges.some(edge => (link.edges ?? []).includes(edge)))?.to;
  return stage ? `${job.stageName(stage)} · ` : '';
}

function redrawCard(redraw, job) {
  const plain = redraw.plainBytes ?? [];
  const drawn = redraw.drawnBytes ?? [];
  const better = spread(drawn).most ? spread(plain).most / spread(drawn).most : 0;
  return chartCard(`${consumer(redraw, job)}edge ${redraw.edge ?? ''}`,
    el('p', {class: 'muted'}, `Plain hashing: ${spreadText(plain)}. Drawn ranges: ${spreadText(drawn)}.`,
      better > 1.005 ? ` The largest task gets ${better.toFixed(2)} times less.` : ''),
    [{name: 'plain hashing', values: plain, colour: 'killed'}, {name: 'drawn ranges', values: drawn, colour: 'compute'}],
    pairs([['partitions', redraw.partitions ? count(redraw.partitions) : ''], ['sample', `${several(redraw.sampleTasks, 'task')}, while ${count(redraw.heldTasks)} waited`],
      ['cost', `${time(redraw.sampleMs)} to sample, ${time(redraw.passMs)} to draw`]]),
    (redraw.hot ?? []).length > 0 && [el('h3', {}, 'Hot partitions'), table([
      {title: 'Partition', n: true, of: row => row.partition}, {title: 'Bytes', n: true, of: row => bytes(row.bytes)},
      {title: 'Divided among', n: true, of: row => `${row.dividedInto} tasks`}], redraw.hot, {class: 'hot compact', label: 'hot partitions'})],
    (redraw.notes ?? []).length > 0 && el('ul', {class: 'notes'}, redraw.notes.map(note => el('li', {}, note))));
}

export class SkewView {
  constructor() {
    this.root = el('div', {class: 'view'});
    this.parts = [];
  }

  show(job) {
    const {redraws = [], edges} = job.head;
    const key = `${redraws.length}/${edges ? 1 : 0}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const size = redraw => spread(redraw.plainBytes ?? []).total;
    this.parts = [...redraws].sort((a, b) => size(b) - size(a)).map(redraw => redrawCard(redraw, job));
    for (const [edge, values] of Object.entries(edges?.readBytes ?? {})) {
      this.parts.push(chartCard(`Read over ${edge}`, el('p', {class: 'muted'}, `${several(values.length, 'task')}, ${spreadText(values)}.`),
        [{name: 'read', values, colour: 'write'}]));
    }
    this.root.replaceChildren(...(this.parts.length ? this.parts.map(part => part.element)
      : [card('', nothing('No shuffle has been measured. Policies such as DataSkew sample shuffles and draw their ranges.'))]));
    this.shown();
  }

  recolour() { this.shown(); }

  shown() { for (const part of this.parts) part.draw(); }
}
