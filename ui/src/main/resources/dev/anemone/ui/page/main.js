// SPDX-License-Identifier: Apache-2.0
// The page: what all views share, tabs, keys, and asking for what is new.
import {el, bytes, count, time} from './text.js';
import {Job} from './job.js';
import {PlanView} from './plan.js';
import {TimeView} from './time.js';
import {SkewView} from './skew.js';
import {StoresView} from './stores.js';
import {DetailsView} from './details.js';
import {CompareView} from './compare.js';

const EVERY_MS = 1000;

const isReport = document.body.dataset.report !== undefined;
const views = [
  ['plan', 'Plan', new PlanView()], ['time', 'Time', new TimeView()], ['skew', 'Skew', new SkewView()],
  ['stores', 'Stores and pushdown', new StoresView()], ['details', 'Details and errors', new DetailsView()],
  ...(isReport ? [] : [['compare', 'Compare', new CompareView()]]),
].map(([id, title, view]) => ({id, title, view}));

const page = {
  name: el('h1', {}), state: el('span', {class: 'pill'}), sub: el('div', {class: 'sub'}), remarks: el('div', {role: 'status'}), tiles: el('div', {class: 'tiles'}),
  tabs: el('div', {class: 'tabs', role: 'tablist', 'aria-label': 'views'}),
};
let job;
let current;

function tile(value, name) {
  return el('div', {class: 'tile'}, el('b', {}, value), el('span', {}, name));
}

function sum(name) {
  return (job.head.counts ?? []).reduce((total, counts) => total + (counts[name] ?? 0), 0);
}

function showHead() {
  const {summary, started, failure, remarks = []} = job.head;
  document.title = `${job.name} · Anemone`;
  page.name.textContent = job.name;
  page.state.textContent = summary.state.toLowerCase();
  page.state.className = `pill ${summary.state}`;
  page.sub.replaceChildren(...[summary.policy && `policy ${summary.policy}`, started?.environment?.deployMode, summary.startedAt && new Date(summary.startedAt).toLocaleString(), started?.job]
    .filter(Boolean).map(text => el('span', {}, text)));
  page.remarks.replaceChildren(...remarks.map(text => el('p', {class: 'remark'}, text)),
    ...(failure ? [el('p', {class: 'remark bad'}, failure.message || 'The job has failed.', ' ',
      el('a', {href: '#details'}, 'Stack trace'))] : []));
  page.tiles.replaceChildren(tile(time(job.end - job.start), 'time'), tile(`${count(sum('succeeded'))} / ${count(sum('total'))}`, 'tasks'),
    tile(count(sum('failed')), 'failed attempts'), tile(bytes(sum('writtenBytes')), 'written between stages'), tile(bytes(sum('spilledBytes')), 'spilled'),
    tile(String((job.head.executors ?? []).length), 'executors'));
}

function showView() {
  current.view.show(job);
}

function open(id, focus) {
  const next = views.find(view => view.id === id) ?? views[0];
  for (const view of views) {
    const isNext = view === next;
    view.tab.setAttribute('aria-selected', String(isNext));
    view.tab.tabIndex = isNext ? 0 : -1;
    view.panel.hidden = !isNext;
  }
  if (focus) next.tab.focus();
  next.tab.scrollIntoView({inline: 'nearest', block: 'nearest'});
  if (next === current) return;
  current = next;
  if (location.hash !== `#${next.id}`) history.replaceState(null, '', `#${next.id}`);
  showView();
  current.view.shown?.();
}

function build() {
  for (const [i, view] of views.entries()) {
    view.tab = el('button', {role: 'tab', id: `tab-${view.id}`, 'aria-controls': `panel-${view.id}`, title: `key ${i + 1}`, onclick: () => open(view.id)}, view.title);
    view.panel = el('div', {role: 'tabpanel', id: `panel-${view.id}`, 'aria-labelledby': `tab-${view.id}`, hidden: true}, view.view.root);
  }
  page.tabs.append(...views.map(view => view.tab));
  page.tabs.addEventListener('keydown', event => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const at = views.indexOf(current);
    const next = by ? views[(at + by + views.length) % views.length] : {Home: views[0], End: views[views.length - 1]}[event.key];
    if (!next) return;
    event.preventDefault();
    open(next.id, true);
  });
  const app = document.getElementById('app');
  app.replaceChildren(
    el('a', {class: 'skip', href: '#main'}, 'To the content'),
    el('header', {}, el('div', {class: 'top'}, page.name, page.state, isReport ? el('span', {class: 'brand'}, 'Anemone') : el('a', {class: 'brand', href: '../jobs'}, 'All jobs')),
      page.sub, page.remarks, page.tiles, page.tabs),
    el('main', {id: 'main', tabindex: '-1'}, views.map(view => view.panel)));
  addEventListener('hashchange', () => {
    if (views.some(view => `#${view.id}` === location.hash)) open(location.hash.slice(1));
  });
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const view = views[Number(event.key) - 1];
    if (view) open(view.id, true);
    else current.view.shortcut?.(event.key);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const view of views) view.view.recolour?.(); });
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    current.view.shown?.();
  });
  app.removeAttribute('aria-busy');
}

async function poll() {
  try {
    if (await job.refresh()) {
      showHead();
      showView();
    } else if (job.summary.state === 'RUNNING') {
      showHead();
    }
    lost = 0;
  } catch (error) {
    lost++;
    page.remarks.replaceChildren(el('p', {class: 'remark'}, `The server does not answer (${error.message}). This is the last that is known.`));
  }
  if (job.isOpen) setTimeout(poll, Math.min(EVERY_MS * 2 ** lost, 30_000));
}

let lost = 0;

async function start() {
  job = isReport ? Job.inPage() : new Job(document.body.dataset.job);
  if (!isReport) await job.refresh();
  build();
  showHead();
  open(location.hash.slice(1) || (job.head.failure ? 'details' : job.summary.state === 'RUNNING' ? 'time' : 'plan'));
  document.body.dataset.ready = 'true';
  performance.mark('ready');
  if (job.isOpen) setTimeout(poll, EVERY_MS);
}

start();
