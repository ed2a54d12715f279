// SPDX-License-Identifier: Apache-2.0
// Where each attempt is drawn: a lane of its executor, on which nothing else runs at that time.

/** Lanes by executor: `{executor, lane, tasks}` each, tasks by their begin. */
export function lanes(tasks) {
  const byExecutor = new Map();
  for (const task of tasks) {
    const name = task.executor || '(never ran)';
    if (!byExecutor.has(name)) byExecutor.set(name, []);
    byExecutor.get(name).push(task);
  }
  const all = [];
  for (const executor of [...byExecutor.keys()].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))) {
    const own = byExecutor.get(executor).sort((a, b) => a.startedAt - b.startedAt);
    const free = [];
    for (const task of own) {
      let lane = free.findIndex(other => other.until <= task.startedAt);
      if (lane < 0) {
        lane = free.length;
        free.push({until: 0, tasks: []});
      }
      free[lane].until = task.endedAt;
      free[lane].tasks.push(task);
    }
    free.forEach((lane, i) => all.push({executor, lane: i, tasks: lane.tasks}));
  }
  return all;
}

/** The first task of a lane that ends after a time: tasks of a lane do not overlap. */
export function firstAfter(tasks, time) {
  let low = 0;
  let high = tasks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tasks[middle].endedAt < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first of some ascending times that is not before another one. */
export function firstNotBefore(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many attempts run and wait, from each time on at which that changes. */
export function load(tasks) {
  const changes = tasks.flatMap(task => [[task.waitedFrom, 0, 1], [task.startedAt, 1, -1], [task.endedAt, -1, 0]]).sort((a, b) => a[0] - b[0]);
  const result = {times: [], running: [], waiting: [], most: 1};
  let running = 0;
  let waiting = 0;
  for (const [time, run, wait] of changes) {
    running += run;
    waiting += wait;
    if (result.times[result.times.length - 1] !== time) {
      result.times.push(time);
      result.running.push(0);
      result.waiting.push(0);
    }
    result.running[result.times.length - 1] = running;
    result.waiting[result.times.length - 1] = waiting;
    result.most = Math.max(result.most, running + waiting);
  }
  return result;
}
