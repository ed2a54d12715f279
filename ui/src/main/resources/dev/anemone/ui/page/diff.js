// SPDX-License-Identifier: Apache-2.0
// What a pass did to a graph.

const text = value => JSON.stringify(value);

/** An engine's query is another text of what the vertex runs, which is there, too. */
function attributes(element) {
  const {properties, id, query, ...own} = element;
  return {...own, ...(properties ?? {})};
}

/** What is different between two elements: `[name, before, after]` each. */
export function changes(before, after) {
  const old = attributes(before);
  const now = attributes(after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter(name => text(old[name]) !== text(now[name]))
    .map(name => [name, old[name], now[name]]);
}

function marked(before, after) {
  const old = new Map((before ?? []).map(element => [element.id, element]));
  const now = new Set((after ?? []).map(element => element.id));
  const result = (after ?? []).map(element => {
    const was = old.get(element.id);
    const what = was ? changes(was, element) : [];
    return {element, mark: !was ? 'added' : what.length ? 'changed' : 'same', changes: what};
  });
  for (const element of before ?? []) {
    if (!now.has(element.id)) result.push({element, mark: 'removed', changes: []});
  }
  return result;
}

/** Both graphs in one, each vertex and edge with its mark; without a graph before, all is the same. */
export function compared(before, after) {
  return {
    vertices: marked(before?.vertices ?? after?.vertices, after?.vertices),
    edges: marked(before?.edges ?? after?.edges, after?.edges),
    dependencies: after?.controlDependencies ?? [],
  };
}

/** The graph after a pass: a pass that changed nothing leaves the one before. */
export function graphAt(plans, index) {
  for (let i = Math.min(index, plans.length - 1); i >= 0; i--) if (plans[i].dag) return plans[i].dag;
  return undefined;
}
