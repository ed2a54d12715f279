// SPDX-License-Identifier: Apache-2.0
// Two jobs side by side.
import {el, card, nothing, table, bytes, count, shortStage, time} from './text.js';
import {Job} from './job.js';
import {graphAt} from './diff.js';

function summed(job, name) {
  return (job.head.counts ?? []).reduce((total, counts) => total + (counts[name] ?? 0), 0);
}

function difference(before, after, format) {
  if (before === after) return el('span', {class: 'muted'}, 'same');
  const share = before ? ` (${after > before ? '+' : '−'}${Math.abs((100 * (after - before)) / before).toFixed(0)} %)` : '';
  return el('span', {class: `delta ${after > before ? 'up' : 'down'}`}, `${after > before ? '+' : '−'}${format(Math.abs(after - before))}${share}`);
}

/** Stages of both jobs: those whose names are alike in one row. */
function paired(first, second) {
  const rest = [...(second.head.stages ?? [])];
  const rows = (first.head.stages ?? []).map(stage => {
    const at = rest.findIndex(other => other.name === stage.name);
    return [stage, at < 0 ? undefined : rest.splice(at, 1)[0]];
  });
  return [...rows, ...rest.map(stage => [undefined, stage])];
}

/** Vertices and edges of a job's last plan by what they are called. */
function parts(job) {
  const graph = graphAt(job.plans, job.plans.length - 1);
  const names = new Map((graph?.vertices ?? []).map(vertex => [vertex.id, vertex.name ?? vertex.id]));
  return new Map([
    ...(graph?.vertices ?? []).map(vertex => [`${vertex.kind} ${names.get(vertex.id)}`, vertex]),
    ...(graph?.edges ?? []).map(edge => [`${names.get(edge.from)} → ${names.get(edge.to)}`, edge]),
  ]);
}

/** What is different between both last plans; parts of the same name are one. */
function planDifference(first, second) {
  const one = parts(first);
  const other = parts(second);
  return [...new Set([...one.keys(), ...other.keys()])].map(name => ({name, first: one.get(name), second: other.get(name)}))
    .filter(row => !row.first || !row.second || JSON.stringify(row.first.properties) !== JSON.stringify(row.second.properties));
}

function properties(mine, theirs) {
  if (!mine) return el('span', {class: 'muted'}, 'not there');
  const own = Object.entries(mine.properties ?? {}).filter(([name, value]) => theirs?.properties?.[name] !== value);
  return own.length ? own.map(([name, value]) => `${name} ${value}`).join(', ') : 'there';
}

export class CompareView {
  constructor() {
    this.choice = el('select', {'aria-label': 'the other job', onchange: () => this.load(this.choice.value)});
    this.result = el('div', {class: 'view'});
    this.root = el('div', {class: 'view'}, el('section', {class: 'card'}, el('div', {class: 'row'}, el('h2', {}, 'Compare with'), this.choice)), this.result);
  }

  show(job) {
    this.job = job;
    if (this.other) this.draw();
  }

  async shown() {
    const jobs = await (await fetch('../api/jobs')).json();
    const others = jobs.filter(one => one.id !== this.job.summary.id);
    const chosen = this.choice.value;
    this.choice.replaceChildren(el('option', {value: ''}, 'choose a job'),
      ...others.map(one => el('option', {value: one.id}, `${one.name || one.id} · ${one.policy ?? ''} · ${new Date(one.startedAt).toLocaleString()}`)));
    this.choice.value = chosen;
    if (others.length === 0) this.result.replaceChildren(card('', nothing('There is no other job here.')));
  }

  async load(id) {
    if (!id) return;
    const other = new Job(encodeURIComponent(id));
    await other.refresh();
    if (this.choice.value !== id) return; // another was chosen meanwhile
    this.other = other;
    this.draw();
  }

  draw() {
    const {job, other} = this;
    const rows = [
      ['Time', job.end - job.start, other.end - other.start, time], ['Stages', (job.head.stages ?? []).length, (other.head.stages ?? []).length, count],
      ['Tasks', summed(job, 'total'), summed(other, 'total'), count], ['Failed attempts', summed(job, 'failed'), summed(other, 'failed'), count],
      ['Written between stages', summed(job, 'writtenBytes'), summed(other, 'writtenBytes'), bytes], ['Spilled', summed(job, 'spilledBytes'), summed(other, 'spilledBytes'), bytes],
      ['Waited for slots', summed(job, 'waited'), summed(other, 'waited'), time],
    ];
    const counts = (one, stage) => (stage ? (one.head.counts ?? []).find(row => row.stage === stage.stage) : undefined);
    const took = row => (row ? row.endedAt - row.startedAt : undefined);
    const plans = planDifference(job, other);
    const names = [`${job.name} (${job.summary.policy ?? ''})`, `${other.name} (${other.summary.policy ?? ''})`];
    this.result.replaceChildren(
      card('In all', table([{title: '', of: row => row[0]}, {title: names[0], n: true, of: row => row[3](row[1])}, {title: names[1], n: true, of: row => row[3](row[2])},
        {title: 'Difference', n: true, of: row => difference(row[1], row[2], row[3])}], rows, {class: 'totals', label: 'in all'})),
      card('Stages', table([
        {title: 'What', wide: true, of: ([a, b]) => el('span', {title: (a ?? b).name}, shortStage(a ?? b))},
        {title: 'Tasks', n: true, of: ([a]) => (a ? count(a.tasks) : '–')}, {title: 'Tasks', n: true, of: ([, b]) => (b ? count(b.tasks) : '–')},
        {title: 'Time', n: true, of: ([a]) => (a ? time(took(counts(job, a))) : '–')}, {title: 'Time', n: true, of: ([, b]) => (b ? time(took(counts(other, b))) : '–')},
        {title: 'Difference', n: true, of: ([a, b]) => (a && b ? difference(took(counts(job, a)) ?? 0, took(counts(other, b)) ?? 0, time) : '')},
        {title: 'Written', n: true, of: ([a]) => (a ? bytes(counts(job, a)?.writtenBytes) : '–')}, {title: 'Written', n: true, of: ([, b]) => (b ? bytes(counts(other, b)?.writtenBytes) : '–')},
      ], paired(job, other), {class: 'stages', label: 'stages'})),
      card('The plan', plans.length === 0 ? nothing('Both plans have the same parts with the same properties.') : table([
        {title: 'Vertex or edge', wide: true, of: row => row.name}, {title: names[0], wide: true, of: row => properties(row.first, row.second)},
        {title: names[1], wide: true, of: row => properties(row.second, row.first)}], plans, {label: 'plans'})));
  }
}
