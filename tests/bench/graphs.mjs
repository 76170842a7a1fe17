// Graphs to draw: the same ones on every machine. Edges lead from the dependent to what it needs, an earlier node.
import { random } from "./generate.mjs";

/** `count` edges, each at most `reach` nodes back, no two alike. */
function scattered(nodes, count, reach, seed) {
  const next = random(seed);
  const edges = new Map();
  while (edges.size < count) {
    const from = 1 + next(nodes - 1);
    const to = from - 1 - next(Math.min(from, reach));
    edges.set(from * nodes + to, [from, to]);
  }
  return { nodes, edges: [...edges.values()] };
}

/** Three edges for two nodes, none further than 30 nodes. */
export function sparse(nodes, seed) {
  return scattered(nodes, Math.round(nodes * 1.5), 30, seed);
}

/** So many edges between any two nodes. */
export function dense(nodes, count, seed) {
  return scattered(nodes, count, nodes, seed);
}

/** What teams deploy: each has a network, stores, services in tiers that need their neighbours, and jobs; most need one of a few
 * things that all share, and some a service of another team. */
export function clustered(teams, seed) {
  const next = random(seed);
  const edges = new Map();
  let nodes = 0;
  const add = (...needs) => {
    const node = nodes++;
    for (const need of needs.flat()) edges.set(`${node} ${need}`, [node, need]);
    return node;
  };
  const some = (list, count) => Array.from({ length: Math.min(count, list.length) }, () => list[next(list.length)]);
  const network = add();
  const shared = ["identity", "queue", "secrets", "metrics", "mail", "objects"].map(() => add(network));
  const offered = [];
  for (let team = 0; team < teams; team += 1) {
    const own = add(network);
    const stores = Array.from({ length: 1 + next(3) }, () => add(own));
    let tier = stores;
    for (let depth = 2 + next(3); depth > 0; depth -= 1) {
      const needs = () => [some(tier, 1 + next(2)), some(shared, next(2)), next(6) === 0 ? some(offered, 1) : []];
      tier = Array.from({ length: 2 + next(4) }, () => add(...needs()));
    }
    offered.push(tier[0]);
    add(tier, some(shared, 1));
    for (let jobs = next(3); jobs > 0; jobs -= 1) add(some(stores, 1), some(shared, 1));
  }
  return { nodes, edges: [...edges.values()] };
}
