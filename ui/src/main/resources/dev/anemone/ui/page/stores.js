// SPDX-License-Identifier: Apache-2.0
// Where data between stages lay, and where the first operators of sources ran.
import {el, card, nothing, table, bytes, isPooled, cached, count, time} from './text.js';

export class StoresView {
  constructor() { this.root = el('div', {class: 'view'}); }

  show(job) {
    const {links = [], edges, pushdowns = []} = job.head;
    const totals = edges?.edges ?? {};
    const rows = links.map(link => ({link, totals: totals[(link.edges ?? []).join('+')] ?? job.edgeBytes().get(link.edges?.[0])}));
    const kept = rows.some(row => row.totals?.cacheHits || row.totals?.cacheMisses);
    const pooled = rows.some(row => isPooled(row.totals));
    const of = name => row => (row.totals ? bytes(row.totals[name]) : '');
    this.root.replaceChildren(
      card('Stores', rows.length === 0 ? nothing('Nothing goes between stages.') : table([
        {title: 'From', of: row => row.link.from}, {title: 'To', of: row => row.link.to}, {title: 'Pattern', of: row => row.link.pattern},
        {title: 'Store', of: row => row.link.store}, {title: 'Flow', of: row => row.link.flow},
        {title: 'Records', n: true, of: row => (!row.totals ? '' : row.totals.rawBytes && !row.totals.records ? '–' : count(row.totals.records))}, {title: 'Bytes', n: true, of: of('rawBytes')},
        {title: 'Stored', n: true, of: of('storedBytes')}, {title: 'Spilled', n: true, of: of('spilledBytes')},
        {title: 'Pushed', n: true, of: of('pushedBytes')}, {title: 'Fell back to files', n: true, of: of('fallenBackBytes')},
        {title: 'Read from disk', n: true, of: row => (row.totals ? `${bytes(row.totals.diskReadBytes)} in ${count(row.totals.diskReads)}` : '')},
        ...(pooled ? [{title: 'In the memory pool', n: true, of: of('poolWrittenBytes')}, {title: 'Overflowed to files', n: true, of: of('overflowedBytes')},
          {title: 'Read from the pool', n: true, of: of('poolReadBytes')}] : []),
        ...(kept ? [{title: 'Read from copies', n: true, of: row => (row.totals && (row.totals.cacheHits || row.totals.cacheMisses) ? cached(row.totals) : '')}] : []),
        {title: 'Peak memory', n: true, of: of('memoryPeakBytes')},
      ], rows, {class: 'links', label: 'links between stages'}), edges ? '' : el('p', {class: 'muted small'}, 'What went over them is known when the job has ended.')),
      card('Pushdown', pushdowns.length === 0 ? nothing('No operator could run on the storage side.') : [
        summary(pushdowns),
        table([
          {title: 'Source', wide: true, of: row => job.vertexName(row.vertex)}, {title: 'Split', wide: true, of: row => (row.split ? el('span', {title: row.split}, lastOf(row.split)) : '')},
          {title: 'Ran', wide: true, of: row => (row.host ? `pushed to ${row.host}` : `pulled${row.cause ? `: ${row.cause}` : ''}`)},
          {title: 'Operators', wide: true, of: row => (row.operators ?? []).map(operator => el('div', {}, operator))},
          {title: 'Predicted, pushed', n: true, of: row => (row.predictedMs ? time(row.predictedMs.pushed) : '')},
          {title: 'Predicted, pulled', n: true, of: row => (row.predictedMs ? time(row.predictedMs.pulled) : '')},
          {title: 'Job, pushed', n: true, of: row => (row.jobMs ? time(row.jobMs.pushed) : '')},
          {title: 'Job, pulled', n: true, of: row => (row.jobMs ? time(row.jobMs.pulled) : '')},
          {title: 'Took', n: true, of: row => (row.actualMs === undefined ? '' : time(row.actualMs))},
        ], pushdowns.slice(0, 500), {class: 'pushdown', label: 'splits'}),
        pushdowns.length > 500 && el('p', {class: 'muted'}, `and ${count(pushdowns.length - 500)} more`)]));
  }
}

/** A file's name without its directories, with what stands behind it. */
function lastOf(split) {
  return split.slice(split.lastIndexOf('/') + 1) || split;
}

function summary(pushdowns) {
  const pushed = pushdowns.filter(one => one.host).length;
  return el('div', {}, el('p', {class: 'muted'}, `${count(pushed)} of ${count(pushdowns.length)} splits were pushed to the storage side.`),
    el('div', {class: 'bar'}, el('i', {class: 'c-compute', style: {width: `${(100 * pushed) / pushdowns.length}%`}})));
}
