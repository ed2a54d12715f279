// SPDX-License-Identifier: Apache-2.0
// Attempts on a canvas. What is narrower than a pixel is drawn once per pixel, so that the time a frame
// takes depends on the size of the picture and not on the number of attempts.
import {el, bytes, count, time, colour} from './text.js';
import {PARTS, PART_NAMES} from './job.js';
import {lanes, firstAfter, firstNotBefore, load} from './lanes.js';

const LANE = 16;
const LEFT = 110;
const AXIS = 24;
/** Height of the strip that shows how many attempts wait and run. */
const LOAD = 44;
/** Where the lanes begin. */
const TOP = AXIS + LOAD + 8;
const TALLEST = 640;

export class Timeline {
  /** @param choose is called with the attempt that was chosen */
  constructor(choose) {
    this.choose = choose;
    this.canvas = el('canvas', {tabindex: '0', role: 'img',
      'aria-label': 'attempts of tasks by executor over time; + and - zoom, left and right arrows move, 0 shows all, full stop and comma choose the next and the last attempt'});
    this.tip = el('div', {class: 'tip', hidden: true});
    this.root = el('div', {class: 'timeline'}, this.canvas, this.tip);
    this.from = undefined;
    this.top = 0;
    this.lanes = [];
    this.path = new Set();
    this.canvas.addEventListener('wheel', event => this.wheel(event), {passive: false});
    this.canvas.addEventListener('pointerdown', event => this.press(event));
    this.canvas.addEventListener('pointermove', event => this.move(event));
    this.canvas.addEventListener('pointerup', event => this.release(event));
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.canvas.addEventListener('keydown', event => this.key(event));
    new ResizeObserver(() => this.request()).observe(this.root);
  }

  show(job) {
    this.job = job;
    const all = this.from === undefined || (this.from === this.first && this.to === this.last);
    if (this.known !== job.tasks) {
      this.lanes = lanes(job.tasks);
      this.load = load(job.tasks);
      this.known = job.tasks;
    }
    this.path = new Set((job.head.criticalPath ?? []).map(i => job.tasks[i]));
    this.first = job.start;
    this.last = Math.max(job.end, this.first + 1);
    if (all) {
      this.from = this.first;
      this.to = this.last;
    }
    this.request();
  }

  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  get shownLanes() { return Math.min(this.lanes.length, Math.floor((TALLEST - TOP) / LANE)); }

  draw() {
    const width = this.root.clientWidth;
    if (!width || !this.job) return;
    const began = performance.now();
    const height = TOP + Math.max(1, this.shownLanes) * LANE + 6;
    const ratio = window.devicePixelRatio || 1;
    this.left = width < 500 ? 64 : LEFT;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = `${height}px`;
    }
    const pen = this.canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px system-ui, sans-serif';
    this.scale = (width - this.left - 10) / (this.to - this.from);
    const colours = {};
    for (const name of [...PARTS, 'wait', 'failed', 'killed', 'path', 'line', 'muted', 'text']) colours[name] = colour(name);
    this.drawAxis(pen, width, height, colours);
    pen.save();
    pen.beginPath();
    pen.rect(this.left, AXIS, width - this.left - 8, height - AXIS);
    pen.clip();
    this.drawLoad(pen, width, colours);
    for (let i = 0; i < this.shownLanes; i++) this.drawLane(pen, this.lanes[this.top + i], TOP + i * LANE, width, colours);
    pen.restore();
    this.canvas.dataset.frameMs = String(performance.now() - began);
  }

  drawAxis(pen, width, height, colours) {
    const step = niceStep((this.to - this.from) / Math.max(2, (width - this.left) / 90));
    pen.strokeStyle = colours.line;
    pen.fillStyle = colours.muted;
    pen.lineWidth = 1;
    for (let at = Math.ceil((this.from - this.first) / step) * step; at <= this.to - this.first; at += step) {
      const x = Math.round(this.left + (at + this.first - this.from) * this.scale) + 0.5;
      pen.beginPath();
      pen.moveTo(x, AXIS - 4);
      pen.lineTo(x, height);
      pen.stroke();
      pen.fillText(time(at), x + 3, 14);
    }
    pen.fillStyle = colours.muted;
    pen.fillText(fitted(pen, 'wait / run', this.left - 14), 8, AXIS + 14);
    let before;
    for (let i = 0; i < this.shownLanes; i++) {
      const lane = this.lanes[this.top + i];
      const y = TOP + i * LANE;
      if (lane.executor !== before) {
        if (i > 0) {
          pen.beginPath();
          pen.moveTo(0, y - 1.5);
          pen.lineTo(width, y - 1.5);
          pen.stroke();
        }
        pen.fillStyle = colours.text;
        pen.fillText(fitted(pen, lane.executor, this.left - 14), 8, y + 11);
        before = lane.executor;
      }
    }
  }

  /** How many run, and above them how many wait: the most of each pixel. */
  drawLoad(pen, width, colours) {
    const {times, running, waiting, most} = this.load;
    const base = AXIS + LOAD;
    let i = firstNotBefore(times, this.from) - 1;
    for (let x = this.left; x < width - 8; x++) {
      const until = this.from + (x + 1 - this.left) / this.scale;
      let runs = running[i] ?? 0;
      let waits = waiting[i] ?? 0;
      while (i + 1 < times.length && times[i + 1] <= until) {
        i++;
        runs = Math.max(runs, running[i]);
        waits = Math.max(waits, waiting[i]);
      }
      const high = (runs * LOAD) / most;
      pen.fillStyle = colours.wait;
      pen.fillRect(x, base - high - (waits * LOAD) / most, 1, (waits * LOAD) / most);
      pen.fillStyle = colours.compute;
      pen.fillRect(x, base - high, 1, high);
    }
  }

  drawLane(pen, lane, y, width, colours) {
    let drawnTo = -1;
    for (let i = firstAfter(lane.tasks, this.from); i < lane.tasks.length; i++) {
      const task = lane.tasks[i];
      if (task.startedAt > this.to) break;
      const x = this.left + (task.startedAt - this.from) * this.scale;
      const end = this.left + (task.endedAt - this.from) * this.scale;
      const isPath = this.path.has(task);
      if (end < drawnTo + 0.5 && !isPath && task.state === 'S') continue;
      this.drawTask(pen, task, Math.max(x, drawnTo), Math.max(end, x + 0.7), y, colours, isPath);
      drawnTo = Math.max(drawnTo, end);
      if (drawnTo > width) break;
    }
  }

  drawTask(pen, task, x, end, y, colours, isPath) {
    const w = end - x;
    const h = LANE - 4;
    if (task.state !== 'S') {
      pen.fillStyle = task.state === 'F' ? colours.failed : colours.killed;
      pen.fillRect(x, y, Math.max(w, 1.5), h);
    } else if (w < 3) {
      pen.fillStyle = colours[largest(task)];
      pen.fillRect(x, y, w, h);
    } else {
      const total = PARTS.reduce((sum, part) => sum + task[part], 0);
      const ms = Math.max(total, task.endedAt - task.startedAt, 1);
      pen.fillStyle = colours.compute;
      pen.fillRect(x, y, w - 0.7, h);
      let at = x;
      for (const part of total ? PARTS : []) {
        const own = (task[part] / ms) * (w - 0.7);
        pen.fillStyle = colours[part];
        pen.fillRect(at, y, own, h);
        at += own;
      }
      if (total && at < x + w - 1.2) {
        pen.fillStyle = colours.wait;
        pen.fillRect(at, y, x + w - 0.7 - at, h);
      }
    }
    if (task.speculative) {
      pen.strokeStyle = colours.text;
      pen.setLineDash([2, 2]);
      pen.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1.5, 1), h - 1);
      pen.setLineDash([]);
    }
    if (isPath) {
      pen.fillStyle = colours.path;
      pen.fillRect(x, y + h, Math.max(w - 0.7, 1), 2.5);
    }
    if (task === this.chosen) {
      pen.strokeStyle = colours.text;
      pen.lineWidth = 2;
      pen.strokeRect(x, y - 0.5, Math.max(w, 2), h + 1);
      pen.lineWidth = 1;
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const lane = this.lanes[this.top + Math.floor((event.clientY - box.top - TOP) / LANE)];
    if (!lane || x < this.left || event.clientY - box.top < TOP) return undefined;
    const moment = this.from + (x - this.left) / this.scale;
    const slack = 2 / this.scale;
    for (let i = firstAfter(lane.tasks, moment - slack); i < lane.tasks.length; i++) {
      const task = lane.tasks[i];
      if (task.startedAt > moment + slack) return undefined;
      return task;
    }
    return undefined;
  }

  wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.from + (event.clientX - box.left - this.left) / this.scale);
    } else if (this.lanes.length > this.shownLanes) {
      const top = clamp(this.top + Math.sign(event.deltaY) * 3, 0, this.lanes.length - this.shownLanes);
      if (top !== this.top) {
        event.preventDefault();
        this.top = top;
        this.request();
      }
    }
  }

  press(event) {
    this.dragging = {x: event.clientX, from: this.from, to: this.to, moved: false};
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (this.dragging) {
      const by = (this.dragging.x - event.clientX) / this.scale;
      if (Math.abs(this.dragging.x - event.clientX) > 3) this.dragging.moved = true;
      if (this.dragging.moved) this.moveTo(this.dragging.from + by, this.dragging.to + by);
      return;
    }
    const task = this.at(event);
    this.tip.hidden = !task;
    if (!task) return;
    this.tip.replaceChildren(el('b', {}, `${this.job.stageName(task.stage)}, task ${task.task}${task.attempt ? `, attempt ${task.attempt}` : ''}`),
      el('div', {}, `${stateText(task)} · ${time(task.endedAt - task.startedAt)} on ${task.executor || 'no executor'}`),
      el('div', {class: 'muted'}, `read ${bytes(task.readBytes)}, wrote ${bytes(task.writtenBytes)}`),
      task.cause && el('div', {}, task.cause));
    const box = this.root.getBoundingClientRect();
    const x = event.clientX - box.left;
    this.tip.style.left = `${Math.max(4, Math.min(x + 12, box.width - 350))}px`;
    this.tip.style.top = `${Math.min(event.clientY - box.top + 14, box.height - 90)}px`;
  }

  release(event) {
    const {dragging} = this;
    this.dragging = undefined;
    if (dragging?.moved) return;
    this.select(this.at(event));
  }

  select(task) {
    this.chosen = task;
    this.choose(task);
    this.request();
  }

  /** Chooses the attempt that started next, or the one before, and brings it in sight. */
  step(by) {
    const tasks = this.lanes.flatMap((lane, i) => lane.tasks.map(task => ({task, i}))).sort((a, b) => a.task.startedAt - b.task.startedAt);
    if (tasks.length === 0) return;
    const at = tasks.findIndex(({task}) => task === this.chosen);
    const {task, i} = tasks[at < 0 ? 0 : clamp(at + by, 0, tasks.length - 1)];
    if (i < this.top || i >= this.top + this.shownLanes) this.top = clamp(i - (this.shownLanes >> 1), 0, this.lanes.length - this.shownLanes);
    if (task.startedAt < this.from || task.startedAt > this.to) {
      const half = (this.to - this.from) / 2;
      this.moveTo(task.startedAt - half, task.startedAt + half);
    }
    this.select(task);
  }

  zoom(by, around = (this.from + this.to) / 2) {
    const from = around - (around - this.from) * by;
    this.moveTo(from, from + (this.to - this.from) * by);
  }

  all() {
    this.from = this.first;
    this.to = this.last;
    this.request();
  }

  moveTo(from, to) {
    const span = clamp(to - from, 2, this.last - this.first);
    this.from = clamp(from, this.first, this.last - span);
    this.to = this.from + span;
    this.request();
  }

  key(event) {
    const part = (this.to - this.from) / 8;
    if (event.key === '+' || event.key === '=') this.zoom(0.7);
    else if (event.key === '-') this.zoom(1.4);
    else if (event.key === '0') this.all();
    else if (event.key === 'ArrowLeft') this.moveTo(this.from - part, this.to - part);
    else if (event.key === 'ArrowRight') this.moveTo(this.from + part, this.to + part);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.top = clamp(this.top + (event.key === 'ArrowDown' ? 1 : -1), 0, this.lanes.length - this.shownLanes);
      this.request();
    } else if (event.key === '.') this.step(1);
    else if (event.key === ',') this.step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** What came of an attempt, in a word. */
export function stateText(task) {
  const state = {S: 'succeeded', F: 'failed', K: 'killed'}[task.state];
  return task.speculative ? `${state} (speculative)` : state;
}

function largest(task) {
  let most = 'compute';
  for (const part of PARTS) if (task[part] > task[most]) most = part;
  return most;
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(value, high));
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough) ?? power * 10;
}

function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let end = text;
  while (end.length > 1 && pen.measureText(`…${end}`).width > width) end = end.slice(1);
  return `…${end}`;
}

/** An attempt in full, as pairs of names and values. */
export function attemptPairs(job, task) {
  return [
    ['stage', job.stageName(task.stage)], ['task', `${count(task.task)}, attempt ${task.attempt}`], ['state', stateText(task)],
    ['executor', task.executor], ['waited for a slot', time(task.startedAt - task.waitedFrom)], ['ran', time(task.endedAt - task.startedAt)],
    ...PARTS.filter(part => task[part]).map(part => [PART_NAMES[part], time(task[part])]),
    task.gc ? ['of it collecting garbage', time(task.gc)] : ['', ''],
    ['read', `${count(task.readRecords)} records, ${bytes(task.readBytes)}`], ['written', `${count(task.writtenRecords)} records, ${bytes(task.writtenBytes)}`],
    task.spilledBytes ? ['spilled', bytes(task.spilledBytes)] : ['', ''], ['cause', task.cause],
  ];
}
