// SPDX-License-Identifier: Apache-2.0
// The plan: a graph after each pass, what the pass did to it, and what is behind each part of it.
import {el, card, nothing, pairs, legend, table, bytes, isPooled, cached, count, several, time, short, colour} from './text.js';
import {compared, graphAt} from './diff.js';

const MARKS = {added: 'good', removed: 'bad', changed: 'warn'};
const SHAPES = {combiner: 'cut-rectangle', relay: 'round-hexagon', collection: 'ellipse', aggregation: 'ellipse'};
const WIDTH = 156;
const HEIGHT = 46;
/** Pixels of the graph's frame: no more than it needs, where that is little, and what a high window has room for. */
const LOWEST = 240;
const highest = () => Math.max(600, Math.min(900, window.innerHeight - 400));
/** Vertices from which on a layout is to be there soon rather than short of edges. */
const LARGE = 120;

function layout(graph, frames, direction) {
  const result = new dagre.graphlib.Graph({multigraph: true, compound: true});
  result.setGraph({rankdir: direction, nodesep: 28, ranksep: direction === 'LR' ? 64 : 48, marginx: 24, marginy: 24,
    ranker: graph.vertices.length > LARGE ? 'tight-tree' : 'network-simplex'});
  result.setDefaultEdgeLabel(() => ({}));
  for (const {element} of graph.vertices) result.setNode(element.id, {width: WIDTH, height: HEIGHT});
  for (const [vertex, stage] of frames) {
    if (!result.hasNode(vertex)) continue;
    result.setNode(`stage:${stage}`, {});
    result.setParent(vertex, `stage:${stage}`);
  }
  for (const {element} of graph.edges) {
    if (result.hasNode(element.from) && result.hasNode(element.to)) result.setEdge(element.from, element.to, {}, element.id);
  }
  dagre.layout(result);
  return result;
}

/** Where each vertex is: the way of the data goes right or down, whichever can be shown larger. */
function positions(graph, frames, width) {
  const zoom = ({width: w, height: h}) => Math.min(width / w, highest() / h);
  const right = layout(graph, frames, 'LR');
  if (zoom(right.graph()) > 0.85 || graph.vertices.length > LARGE) return right;
  const down = layout(graph, frames, 'TB');
  return zoom(down.graph()) > zoom(right.graph()) * 1.1 ? down : right;
}

function fullName(what) {
  if (!what) return '';
  const {element, totals} = what;
  if (element.from === undefined) return `${element.id}: ${element.name ?? ''}`;
  return `${element.id}: ${element.from} → ${element.to}${totals ? `, ${count(totals.records)} records, ${bytes(totals.rawBytes)}` : ''}`;
}

/** A name that may go on in a new line behind a slash. */
function breakable(name) {
  return name.replaceAll('/', '/\u200b');
}

function style() {
  const text = colour('text');
  return [
    {selector: 'node', style: {
      shape: 'data(shape)', width: WIDTH, height: HEIGHT, label: 'data(label)', 'text-valign': 'center', 'text-halign': 'center',
      'font-size': 12, 'font-family': 'system-ui, sans-serif', color: text, 'text-wrap': 'wrap', 'text-max-width': 142,
      'background-color': colour('card'), 'border-width': 1.2, 'border-color': colour('muted'), 'min-zoomed-font-size': 6}},
    {selector: 'node[kind = "source"]', style: {'background-color': colour('accent-soft'), 'border-color': colour('accent')}},
    {selector: '$node > node', style: {
      label: 'data(label)', shape: 'round-rectangle', 'background-color': colour('card'), 'background-opacity': 0.35, 'border-width': 1,
      'border-style': 'dashed', 'border-color': colour('muted'), 'text-valign': 'top', 'text-halign': 'center', 'font-size': 11,
      color: colour('muted'), padding: 14, 'text-margin-y': -4, 'text-max-width': 260, 'text-background-color': colour('sunken'), 'text-background-opacity': 1, 'text-background-padding': 2}},
    {selector: 'edge', style: {
      width: 'data(width)', 'line-color': colour('muted'), 'target-arrow-color': colour('muted'), 'target-arrow-shape': 'triangle',
      'curve-style': 'bezier', 'arrow-scale': 0.9, 'line-opacity': 0.75, 'font-size': 11, label: 'data(label)', color: text,
      'text-background-color': colour('sunken'), 'text-background-opacity': 1, 'text-background-padding': 3, 'text-background-shape': 'round-rectangle', 'min-zoomed-font-size': 7}},
    {selector: 'edge[pattern = "SHUFFLE"]', style: {'line-color': colour('accent'), 'target-arrow-color': colour('accent')}},
    {selector: 'edge[pattern = "BROADCAST"]', style: {'line-style': 'dashed'}},
    {selector: 'edge[kind = "control"]', style: {'line-style': 'dotted', 'target-arrow-shape': 'vee', 'line-opacity': 0.6}},
    ...Object.entries(MARKS).flatMap(([mark, name]) => [
      {selector: `node[mark = "${mark}"]`, style: {'border-color': colour(name), 'border-width': 2.5, 'background-color': colour(`${name}-soft`)}},
      {selector: `edge[mark = "${mark}"]`, style: {'line-color': colour(name), 'target-arrow-color': colour(name), 'line-opacity': 1}}]),
    {selector: '[mark = "removed"]', style: {'border-style': 'dashed', 'line-style': 'dashed', opacity: 0.7}},
    {selector: ':selected', style: {'border-color': colour('accent'), 'border-width': 3, 'line-color': colour('accent'), 'target-arrow-color': colour('accent'), 'line-opacity': 1}},
  ];
}

/** A query in lines, with what is read below what reads it. */
function engineQuery(query, isOfPartitions) {
  const text = el('pre', {class: 'query', tabindex: '0', 'aria-label': 'engine query'}, query);
  const said = el('span', {class: 'muted small', role: 'status'});
  const copy = async () => {
    getSelection().selectAllChildren(text);
    try {
      await navigator.clipboard.writeText(query);
      said.textContent = 'copied';
    } catch {
      // Not where the page comes over a network without TLS.
      said.textContent = 'chosen: copy it by the keyboard';
    }
  };
  return [el('div', {class: 'row'}, el('h3', {}, `Engine query${isOfPartitions ? ', on each partition' : ''}`), el('span', {class: 'right'}, said, ' ', el('button', {onclick: copy}, 'Copy'))), text];
}

/** The view of the plan. */
export class PlanView {
  constructor() {
    this.root = el('div', {class: 'view'});
    this.index = undefined;
    this.drawn = '';
  }

  /** Shows a job, or what is new of it. */
  show(job) {
    this.job = job;
    if (job.plans.length === 0) {
      this.root.replaceChildren(card('', nothing('The plan is not known yet.')));
      this.drawn = '';
      return;
    }
    if (this.index === undefined || this.index >= job.plans.length) this.index = job.plans.length - 1;
    if (!this.graphElement || this.drawn === '') this.build();
    this.slider.max = String(job.plans.length - 1);
    this.marks.replaceChildren(...job.plans.map((plan, i) => plan.changed && el('option', {value: String(i)})).filter(Boolean));
    this.draw();
  }

  build() {
    this.marks = el('datalist', {id: 'changes'});
    this.slider = el('input', {type: 'range', list: 'changes', min: '0', max: '0', value: String(this.index), 'aria-label': 'pass',
      oninput: () => this.step(Number(this.slider.value))});
    this.before = el('button', {title: 'the pass before (p)', onclick: () => this.step(this.index - 1)}, '‹ Before');
    this.after = el('button', {title: 'the next pass (n)', onclick: () => this.step(this.index + 1)}, 'Next ›');
    this.changing = el('button', {title: 'the next pass that changed something (c)', onclick: () => this.nextChange()}, 'Next change »');
    this.passName = el('h2', {'aria-live': 'polite', class: 'pass-name'});
    this.notes = el('ul', {class: 'notes'});
    this.graphElement = el('div', {class: 'graph', role: 'img', tabindex: '0', 'aria-label': 'the plan as a graph; + and - zoom, arrows move',
      onkeydown: event => this.key(event)});
    this.side = el('section', {class: 'card side', 'aria-live': 'polite'});
    this.list = el('div', {});
    this.root.replaceChildren(
      el('section', {class: 'card'},
        el('div', {class: 'passes'}, this.before, this.slider, this.marks, this.after, this.changing),
        this.passName, this.notes),
      el('div', {class: 'plan'},
        el('section', {class: 'card'},
          el('div', {class: 'row'},
            legend([['good', 'added'], ['warn', 'changed'], ['bad', 'removed'], ['accent', 'shuffle, as wide as its bytes']]),
            el('div', {class: 'row right'},
              el('button', {onclick: () => this.zoom(1.25), title: 'larger (+)', 'aria-label': 'larger'}, '+'),
              el('button', {onclick: () => this.zoom(0.8), title: 'smaller (-)', 'aria-label': 'smaller'}, '−'),
              el('button', {onclick: () => this.graph && this.fit(), title: 'all (0)'}, 'Fit'))),
          this.graphElement),
        this.side),
      el('section', {class: 'card'}, el('details', {}, el('summary', {}, 'As a list'), this.list)));
    this.explain();
  }

  step(index) {
    if (index < 0 || index >= this.job.plans.length) return;
    this.index = index;
    this.slider.value = String(index);
    this.draw();
  }

  nextChange() {
    const plans = this.job.plans;
    for (let i = 1; i <= plans.length; i++) {
      const next = (this.index + i) % plans.length;
      if (plans[next].changed) return this.step(next);
    }
  }

  draw() {
    const {plans} = this.job;
    const plan = plans[this.index];
    const isLast = this.index === plans.length - 1;
    const sizes = isLast ? this.job.edgeBytes() : new Map();
    const key = `${this.index}/${plans.length}/${sizes.size}/${isLast ? (this.job.head.stages ?? []).length : 0}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.slider.value = String(this.index);
    this.slider.setAttribute('aria-valuetext', plan.pass ?? 'the program');
    this.before.disabled = this.index === 0;
    this.after.disabled = isLast;
    this.passName.replaceChildren(
      `${this.index} of ${plans.length - 1} · ${plan.pass ?? 'The program, translated'}`,
      plan.changed || this.index === 0 ? '' : el('span', {class: 'muted'}, ' · changed nothing'));
    this.notes.replaceChildren(...(plan.notes ?? []).map(note => el('li', {}, note)));
    this.notes.hidden = (plan.notes ?? []).length === 0;
    const now = graphAt(plans, this.index);
    const before = this.index === 0 ? now : graphAt(plans, this.index - 1);
    const graph = compared(before, now);
    this.drawGraph(graph, sizes, isLast);
    this.drawList(graph);
  }

  frames(isLast) {
    const frames = new Map();
    if (!isLast) return frames;
    for (const stage of this.job.head.stages ?? []) {
      for (const vertex of stage.vertices ?? []) frames.set(vertex, stage.stage);
    }
    return frames;
  }

  drawGraph(graph, sizes, isLast) {
    const frames = this.frames(isLast);
    const placed = positions(graph, frames, this.graphElement.clientWidth || 900);
    const height = Math.round(Math.max(LOWEST, Math.min(highest(), placed.graph().height * Math.min(1, (this.graphElement.clientWidth || 900) / placed.graph().width) + 40)));
    if (this.seen !== isLast || !this.graph) this.graphElement.style.height = `${height}px`;
    const most = Math.max(1, ...[...sizes.values()].map(totals => totals.rawBytes || 0));
    const known = new Set(graph.vertices.map(({element}) => element.id));
    const elements = [];
    for (const stage of new Set(frames.values())) {
      const vertices = graph.vertices.filter(({element}) => frames.get(element.id) === stage);
      if (vertices.length === 0) continue;
      const tasks = this.job.head.counts?.find(other => other.stage === stage)?.total;
      elements.push({data: {id: `stage:${stage}`, label: `${stage}${tasks ? ` · ${several(tasks, 'task')}` : ''}`}, selectable: false});
    }
    for (const {element, mark, changes} of graph.vertices) {
      const {x, y} = placed.node(element.id);
      const stage = frames.get(element.id);
      elements.push({data: {id: element.id, label: breakable(short(element.name ?? element.id, 34)), kind: element.kind, shape: SHAPES[element.kind] ?? 'round-rectangle',
        mark, parent: stage ? `stage:${stage}` : undefined, what: {element, mark, changes}}, position: {x, y}, grabbable: false});
    }
    for (const {element, mark, changes} of graph.edges) {
      if (!known.has(element.from) || !known.has(element.to)) continue;
      const totals = sizes.get(element.id);
      elements.push({data: {id: element.id, source: element.from, target: element.to, mark, pattern: String(element.pattern ?? '').toUpperCase(),
        width: totals ? 1 + 9 * Math.sqrt((totals.rawBytes || 0) / most) : 1.4, label: totals ? bytes(totals.rawBytes) : '',
        what: {element, mark, changes, totals}}});
    }
    graph.dependencies.forEach((dependency, i) => {
      if (!known.has(dependency.from) || !known.has(dependency.to)) return;
      elements.push({data: {id: `control:${i}`, source: dependency.from, target: dependency.to, kind: 'control', width: 1.2, label: ''}});
    });
    const view = this.graph && this.seen === isLast ? {zoom: this.graph.zoom(), pan: {...this.graph.pan()}} : undefined;
    this.graph?.destroy();
    this.graph = cytoscape({container: this.graphElement, elements, style: style(), layout: {name: 'preset'}, minZoom: 0.05, maxZoom: 3,
      textureOnViewport: graph.vertices.length > 150, hideEdgesOnViewport: graph.vertices.length > 250, boxSelectionEnabled: false, autoungrabify: true});
    if (view) this.graph.viewport(view);
    else this.fit();
    this.seen = isLast;
    this.graph.on('select', 'node, edge', event => event.target.data('what') && this.explain(event.target.data('what')));
    this.graph.on('unselect', () => this.explain());
    this.graph.on('mouseover', 'node, edge', event => { this.graphElement.title = fullName(event.target.data('what')); });
    this.graph.on('mouseout', 'node, edge', () => { this.graphElement.title = ''; });
  }

  fit() {
    this.graph.fit(undefined, 20);
    if (this.graph.zoom() > 1) {
      this.graph.zoom(1);
      this.graph.center();
    }
  }

  drawList(graph) {
    const changed = ({mark}) => (mark === 'same' ? '' : mark);
    this.list.replaceChildren(
      table([
        {title: 'Vertex', of: item => el('button', {onclick: () => this.select(item.element.id)}, item.element.id)},
        {title: 'Name', wide: true, of: item => item.element.name ?? ''},
        {title: 'Kind', of: item => item.element.kind ?? ''},
        {title: 'Tasks', n: true, of: item => item.element.properties?.Parallelism ?? ''},
        {title: 'This pass', of: changed},
      ], graph.vertices, {label: 'vertices'}));
  }

  select(id) {
    this.graph.elements().unselect();
    const element = this.graph.getElementById(id);
    element.select();
    this.graph.center(element);
    this.graphElement.focus({preventScroll: true});
  }

  zoom(by) {
    this.graph?.zoom({level: this.graph.zoom() * by, renderedPosition: {x: this.graph.width() / 2, y: this.graph.height() / 2}});
  }

  key(event) {
    const moves = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
    if (moves[event.key]) this.graph.panBy({x: moves[event.key][0], y: moves[event.key][1]});
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that work wherever the focus is. */
  shortcut(key) {
    if (key === 'n') this.step(this.index + 1);
    else if (key === 'p') this.step(this.index - 1);
    else if (key === 'c') this.nextChange();
  }

  explain(what) {
    if (!what) {
      this.side.replaceChildren(el('h2', {}, 'Details'),
        el('p', {class: 'muted'}, 'Choose a vertex or an edge in the graph, or in the list below it, to see its properties.'));
      return;
    }
    const {element, mark, changes, totals} = what;
    const isEdge = element.from !== undefined;
    const stage = (this.job.head.stages ?? []).find(other => (other.vertices ?? []).includes(element.id));
    const counts = stage && this.job.head.counts?.find(other => other.stage === stage.stage);
    const {properties, id, name, kind, query, ...own} = element;
    const isQuery = ([key]) => query && (key === 'source' || key === 'operator');
    this.side.replaceChildren(...[
      el('h2', {}, isEdge ? `Edge ${id}` : name ?? id),
      el('p', {class: 'muted'}, isEdge ? `${element.from} → ${element.to}` : `${id} · ${kind}`, mark !== 'same' && ` · ${mark} by this pass`),
      changes.length > 0 && [el('h3', {}, 'Changed by this pass'),
        pairs(changes.map(([attribute, before, after]) => [attribute, `${before ?? '–'} → ${after ?? '–'}`]))],
      totals && [el('h3', {}, 'Went over it'), pairs([
        ['records', count(totals.records)], ['bytes', bytes(totals.rawBytes)], ['stored', bytes(totals.storedBytes)],
        ['spilled', bytes(totals.spilledBytes)], ['pushed', bytes(totals.pushedBytes)],
        ...(isPooled(totals) ? [['in the memory pool', bytes(totals.poolWrittenBytes)], ['overflowed to files', bytes(totals.overflowedBytes)], ['read from the pool', bytes(totals.poolReadBytes)]] : []),
        ['read from copies', totals.cacheHits || totals.cacheMisses ? cached(totals) : ''], ['peak memory', bytes(totals.memoryPeakBytes)]])],
      counts && [el('h3', {}, `Stage ${stage.stage}`), pairs([
        ['tasks', `${count(counts.succeeded)} of ${count(counts.total)}`], ['failed attempts', count(counts.failed)],
        ['took', time(counts.endedAt - counts.startedAt)], ['read', bytes(counts.readBytes)], ['written', bytes(counts.writtenBytes)]])],
      query && engineQuery(query, String(own.operator ?? '').endsWith(' on each partition')),
      el('h3', {}, 'Properties'),
      pairs([...Object.entries(properties ?? {}), ...Object.entries(own).filter(entry => !isQuery(entry))].map(([key, value]) => [key, String(value)])),
    ].flat().filter(Boolean));
  }

  /** The page's colours have changed. */
  recolour() {
    this.graph?.style(style());
  }

  /** The view is to be seen, where it was not. */
  shown() {
    if (!this.graph) return;
    this.graph.resize();
    this.fit();
  }
}
