// SPDX-License-Identifier: Apache-2.0
// Stages and how far they are, attempts over time, and what went wrong.
import {el, card, nothing, pairs, legend, table, bytes, count, shortStage, time} from './text.js';
import {PARTS, PART_NAMES} from './job.js';
import {Timeline, attemptPairs, stateText} from './timeline.js';

/** Rows that a table of faults has at most; the timeline shows them all. */
const MOST_FAULTS = 200;

function progress(counts) {
  const total = Math.max(1, counts.total, counts.succeeded);
  const part = value => ({width: `${(100 * value) / total}%`});
  return el('div', {class: 'bar', role: 'img', 'aria-label': `${counts.succeeded} of ${counts.total} tasks`},
    el('i', {class: 'c-good', style: part(counts.succeeded)}), el('i', {class: 'c-accent', style: part(counts.running)}));
}

function shares(counts) {
  const total = PARTS.reduce((sum, part) => sum + (counts.times?.[part === 'fetch' ? 'fetchWait' : part] ?? 0), 0);
  if (!total) return '';
  return el('div', {class: 'bar', title: PARTS.map(part => `${PART_NAMES[part]} ${time(partOf(counts, part))}`).join(', ')},
    PARTS.map(part => el('i', {class: `c-${part}`, style: {width: `${(100 * partOf(counts, part)) / total}%`}})));
}

function partOf(counts, part) {
  return counts.times?.[part === 'fetch' ? 'fetchWait' : part] ?? 0;
}

export class TimeView {
  constructor() {
    this.stages = el('div', {});
    this.chosen = el('div', {'aria-live': 'polite'});
    this.faults = el('section', {class: 'card'});
    this.timeline = new Timeline(task => this.choose(task));
    this.pathText = el('p', {class: 'muted small'});
    this.root = el('div', {class: 'view'},
      card('Stages', this.stages),
      el('section', {class: 'card'},
        el('div', {class: 'row'}, el('h2', {}, 'Tasks by executor'),
          el('div', {class: 'row right'},
            el('button', {onclick: () => this.timeline.zoom(0.7), title: 'nearer (+)', 'aria-label': 'nearer'}, '+'),
            el('button', {onclick: () => this.timeline.zoom(1.4), title: 'farther (-)', 'aria-label': 'farther'}, '−'),
            el('button', {onclick: () => this.timeline.all(), title: 'all (0)'}, 'All'))),
        legend([...PARTS.map(part => [part, PART_NAMES[part]]), ['wait', 'waiting, not known'], ['failed', 'failed'], ['killed', 'killed'], ['path', 'critical path (underlined)']]),
        this.timeline.root,
        el('p', {class: 'muted small'}, 'The colours of an attempt are shares of its time, not their order. Drag to move, Ctrl and wheel to zoom.'),
        this.pathText, this.chosen),
      this.faults);
  }

  show(job) {
    this.job = job;
    this.stages.replaceChildren(table([
      {title: 'Stage', of: row => row.stage},
      {title: 'What', wide: true, of: row => {
        const stage = (job.head.stages ?? []).find(other => other.stage === row.stage);
        return stage ? el('span', {title: (stage.operators ?? [stage.name]).join('\n')}, shortStage(stage)) : '';
      }},
      {title: 'Tasks', of: row => [`${count(row.succeeded)} / ${count(row.total)}`, row.running ? ` · ${count(row.running)} running` : '',
        row.failed ? el('span', {class: 'delta up'}, ` · ${count(row.failed)} failed`) : '', progress(row)]},
      {title: 'Time', n: true, of: row => (row.startedAt ? time((row.endedAt || job.end) - row.startedAt) : '')},
      {title: 'Waited', n: true, of: row => (row.waited ? time(row.waited) : '')},
      {title: 'Where time went', of: shares},
      {title: 'Read', n: true, of: row => bytes(row.readBytes)},
      {title: 'Written', n: true, of: row => bytes(row.writtenBytes)},
      {title: 'Spilled', n: true, of: row => bytes(row.spilledBytes)},
    ], job.head.counts ?? [], {class: 'stages', label: 'stages'}));
    this.timeline.show(job);
    this.showPath(job);
    this.showFaults(job);
  }

  showPath(job) {
    const path = (job.head.criticalPath ?? []).map(i => job.tasks[i]).filter(Boolean);
    const byStage = new Map();
    for (const task of path) byStage.set(task.stage, (byStage.get(task.stage) ?? 0) + task.endedAt - task.startedAt);
    this.pathText.textContent = path.length
      ? `Critical path: ${count(path.length)} attempts; ${[...byStage].map(([stage, ms]) => `${stage} ${time(ms)}`).join(', ')}.`
      : '';
  }

  showFaults(job) {
    const faults = job.tasks.filter(task => task.state !== 'S');
    const lost = (job.head.executors ?? []).filter(executor => executor.lostAt);
    this.faults.replaceChildren(el('h2', {}, 'Faults and retries'),
      ...(lost.length ? [table([
        {title: 'Executor', of: row => row.executor}, {title: 'Host', of: row => row.host ?? ''},
        {title: 'Lost after', n: true, of: row => time(row.lostAt - job.start)}, {title: 'Cause', wide: true, of: row => row.cause ?? ''},
      ], lost, {label: 'lost executors'})] : []),
      faults.length === 0 && lost.length === 0 ? nothing('Nothing went wrong.') : '',
      ...(faults.length ? [table([
        {title: 'At', n: true, of: row => time(row.endedAt - job.start)}, {title: 'Stage', of: row => row.stage}, {title: 'Task', n: true, of: row => row.task},
        {title: 'Attempt', n: true, of: row => row.attempt}, {title: 'State', of: stateText}, {title: 'Executor', of: row => row.executor},
        {title: 'Cause', wide: true, of: row => row.cause},
      ], faults.slice(0, MOST_FAULTS), {class: 'faults', label: 'faults'})] : []),
      faults.length > MOST_FAULTS ? el('p', {class: 'muted'}, `and ${count(faults.length - MOST_FAULTS)} more`) : '');
  }

  choose(task) {
    this.chosen.replaceChildren(...(task ? [el('h3', {}, 'Chosen attempt'), pairs(attemptPairs(this.job, task))] : []));
  }

  recolour() { this.timeline.request(); }

  shown() { this.timeline.request(); }
}
