// SPDX-License-Identifier: Apache-2.0
// Errors, memory, the program's metrics, options and environment.
import {el, card, nothing, pairs, table, bytes, count, time, colour} from './text.js';

/** Executors whose memory has a chart. */
const MOST_CHARTS = 24;

const USES = [['heap', 'compute'], ['off heap', 'sort'], ['native', 'push']];

function memoryChart(host, points) {
  const width = host.clientWidth;
  if (!width || points.length === 0) return;
  host.replaceChildren();
  const axis = {stroke: colour('muted'), grid: {stroke: colour('line'), width: 1}, ticks: {stroke: colour('line')}, font: '11px system-ui, sans-serif'};
  new uPlot({width, height: 190,
    scales: {x: {time: false}, y: {range: (plot, low, high) => [0, high * 1.05 || 1]}},
    axes: [{...axis, values: (plot, ticks) => ticks.map(tick => `${tick} s`)}, {...axis, size: 70, values: (plot, ticks) => ticks.map(bytes)}],
    series: [{label: 'time', value: (plot, value) => (value === null ? '' : `${value.toFixed(1)} s`)},
      ...USES.map(([label, name]) => ({label, stroke: colour(name), width: 2, points: {show: false}, value: (plot, value) => (value === null || value === undefined ? '' : bytes(value))}))],
  }, [points.map(point => (point[0] - points[0][0]) / 1000), ...USES.map((use, i) => points.map(point => point[i + 1]))], host);
}

export class DetailsView {
  constructor() {
    this.errors = el('section', {class: 'card'});
    this.memory = el('section', {class: 'card'});
    this.metrics = el('section', {class: 'card'});
    this.rest = el('div', {class: 'two'});
    this.root = el('div', {class: 'view'}, this.errors, this.memory, this.metrics, this.rest);
    this.charts = [];
  }

  show(job) {
    this.job = job;
    const {failure, metrics, started, memory = {}, executors = []} = job.head;
    this.errors.replaceChildren(el('h2', {}, 'Errors'), ...(failure ? [
      pairs([['stage', failure.stage ? job.stageName(failure.stage) : undefined], ['task', failure.task === undefined ? undefined : String(failure.task)], ['step', failure.vertex]]),
      failure.stackTrace ? el('pre', {class: 'trace', tabindex: '0', 'aria-label': 'stack trace'}, failure.stackTrace) : '',
    ] : [nothing('The job has not failed.')]));
    this.showMemory(memory, executors);
    this.showMetrics(metrics);
    const environment = started?.environment ?? {};
    this.rest.replaceChildren(
      card('Options', table([{title: 'Option', of: row => el('code', {}, row[0])}, {title: 'Value', wide: true, of: row => row[1]}], Object.entries(started?.options ?? {}), {label: 'options'})),
      card('Environment', pairs([['Anemone', started?.anemone], ['Java', environment.java], ['system', environment.os], ['host', environment.host],
        ['processors', environment.processors ? count(environment.processors) : ''], ['heap', environment.heapBytes ? bytes(environment.heapBytes) : ''],
        ['off heap', environment.offHeapBytes ? bytes(environment.offHeapBytes) : ''], ['mode', environment.deployMode]])));
  }

  showMemory(memory, executors) {
    const entries = Object.entries(memory);
    const key = JSON.stringify([executors, entries.map(([name, points]) => [name, points[points.length - 1]])]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.charts = entries.filter(([, points]) => points.length > 1).slice(0, MOST_CHARTS).map(([name, points]) => {
      const host = el('div', {class: 'chart'});
      return {points, host, element: el('div', {}, el('h3', {}, name), host)};
    });
    this.memory.replaceChildren(el('h2', {}, 'Memory'),
      this.charts.length ? el('div', {class: 'two'}, this.charts.map(chart => chart.element)) : nothing(entries.length ? 'The job was too short to say how memory changed.' : 'No executor has said what it uses.'),
      ...(executors.length ? [table([{title: 'Executor', of: row => row.executor}, {title: 'Host', of: row => row.host ?? ''},
        {title: 'Slots', n: true, of: row => row.slots || ''}, {title: 'Memory', n: true, of: row => (row.memoryBytes ? bytes(row.memoryBytes) : '')},
        {title: 'Came after', n: true, of: row => time(row.startedAt - this.job.start)}, {title: 'Lost', wide: true, of: row => row.cause ?? ''}], executors, {label: 'executors'})] : []));
    this.shown();
  }

  showMetrics(metrics) {
    const name = row => `${row.namespace ? `${row.namespace} · ` : ''}${row.name}`;
    const {counters = [], distributions = [], gauges = []} = metrics ?? {};
    this.metrics.replaceChildren(el('h2', {}, 'Metrics of the program'),
      counters.length + distributions.length + gauges.length === 0 ? nothing('The program has counted nothing.') : '',
      ...(counters.length ? [table([{title: 'Counter', wide: true, of: name}, {title: 'Step', wide: true, of: row => row.step ?? ''}, {title: 'Value', n: true, of: row => count(row.value)}], counters, {label: 'counters'})] : []),
      ...(distributions.length ? [table([{title: 'Distribution', wide: true, of: name}, {title: 'Step', wide: true, of: row => row.step ?? ''}, {title: 'Count', n: true, of: row => count(row.count)},
        {title: 'Mean', n: true, of: row => (row.count ? (row.sum / row.count).toFixed(1) : '')}, {title: 'Least', n: true, of: row => count(row.min)}, {title: 'Most', n: true, of: row => count(row.max)}], distributions, {label: 'distributions'})] : []),
      ...(gauges.length ? [table([{title: 'Gauge', wide: true, of: name}, {title: 'Step', wide: true, of: row => row.step ?? ''}, {title: 'Value', n: true, of: row => count(row.value)}], gauges, {label: 'gauges'})] : []));
  }

  recolour() { this.shown(); }

  shown() { for (const chart of this.charts) memoryChart(chart.host, chart.points); }
}
