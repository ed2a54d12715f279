// SPDX-License-Identifier: Apache-2.0
// A job's data: from the page itself in a report, from the server otherwise.
import {short, shortStage} from './text.js';

const FIELDS = ['stage', 'task', 'attempt', 'executor', 'state', 'speculative', 'waitedFrom', 'startedAt', 'endedAt',
  'input', 'fetch', 'compute', 'sort', 'spill', 'push', 'write', 'commit', 'gc',
  'readRecords', 'readBytes', 'writtenRecords', 'writtenBytes', 'spilledBytes', 'cause'];

/** The parts of an attempt's time, in the order in which they are drawn. */
export const PARTS = ['input', 'fetch', 'compute', 'sort', 'spill', 'push', 'write', 'commit'];

/** What each part is called. */
export const PART_NAMES = {
  input: 'reading', fetch: 'waiting for data', compute: 'computing', sort: 'sorting', spill: 'spilling',
  push: 'pushing', write: 'writing', commit: 'committing',
};

function attempt(row) {
  const object = {};
  for (let i = 0; i < FIELDS.length; i++) object[FIELDS[i]] = row[i];
  return object;
}

/** A job that is shown: `head`, `plans`, `tasks`. `refresh` says whether anything has changed. */
export class Job {
  constructor(id) {
    this.id = id;
    this.head = undefined;
    this.plans = [];
    this.tasks = [];
    this.tag = undefined;
  }

  /** A job whose data stands in the page. */
  static inPage() {
    const data = JSON.parse(document.getElementById('data').textContent);
    const job = new Job(undefined);
    job.head = data.head;
    job.plans = data.plans ?? [];
    job.tasks = (data.tasks ?? []).map(attempt);
    return job;
  }

  get summary() { return this.head.summary; }

  /** Whether more may come. */
  get isOpen() { return this.id !== undefined && ['RUNNING', 'UNFINISHED'].includes(this.summary.state); }

  get name() { return this.summary.name || this.summary.id || 'job'; }

  /** Milliseconds since 1970 of the first thing that is known. */
  get start() { return this.summary.startedAt; }

  /** Of the last one; now, while it runs. */
  get end() { return this.summary.state === 'RUNNING' ? Math.max(Date.now(), this.summary.lastAt) : this.summary.lastAt; }

  stageName(stage) {
    const known = (this.head.stages ?? []).find(other => other.stage === stage);
    return known ? `${stage} · ${shortStage(known)}` : stage;
  }

  /** The name that a vertex has in the program, or its id. */
  vertexName(id) {
    for (const {dag} of this.plans) {
      const known = dag?.vertices.find(vertex => vertex.id === id);
      if (known?.name) return short(known.name);
    }
    return id;
  }

  /** Asks the server what is new; false when nothing is. */
  async refresh() {
    const address = `../api/jobs/${this.id}`;
    const answer = await fetch(address, {headers: this.tag ? {'If-None-Match': this.tag} : {}, cache: 'no-store'});
    if (answer.status === 304) return false;
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    this.tag = answer.headers.get('ETag');
    const head = await answer.json();
    if ((head.plans ?? 0) !== this.plans.length) this.plans = await (await fetch(`${address}/plans`)).json();
    if ((head.summary.attempts ?? 0) < this.tasks.length) this.tasks = [];
    if ((head.summary.attempts ?? 0) > this.tasks.length) {
      const more = await (await fetch(`${address}/tasks?from=${this.tasks.length}`)).json();
      this.tasks = this.tasks.concat(more.map(attempt));
    }
    this.head = head;
    return true;
  }

  /** Bytes of each edge of the last plan; edges that share a link share its bytes. */
  edgeBytes() {
    const all = new Map();
    for (const [ids, totals] of Object.entries(this.head.edges?.edges ?? {})) {
      for (const id of ids.split('+')) all.set(id, totals);
    }
    return all;
  }
}
