// One contender of `layout.mjs`: gets graphs, answers how long the layout took and, if asked, what came of it.
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { instantiate } from "./engine.mjs";

const WIDTH = 140;
const HEIGHT = 40;
const LAYER_GAP = 72;
const NODE_GAP = 18;

/** Points for each cubic curve of Graphviz. */
const SMOOTH = 8;

/** Each makes a function that takes a graph and returns one without arguments, which draws; and what reads the drawing: the
 * middles of the nodes, and the lines of the edges. Reading is not timed, as those who draw need the points, not a copy. */
const contenders = {
  async planloom({ target }) {
    const exports = instantiate(target);
    const draw = ({ nodes, edges }) => {
      const bytes = 4 * (5 + 2 * edges.length);
      const at = exports.room(bytes);
      const view = new DataView(exports.memory.buffer, at, bytes);
      [WIDTH, HEIGHT, LAYER_GAP, NODE_GAP].forEach((number, nth) => view.setFloat32(4 * nth, number, true));
      [nodes, ...edges.flat()].forEach((number, nth) => view.setUint32(4 * (4 + nth), number, true));
      return () => exports.lay_out();
    };
    const read = ({ nodes, edges }, length) => {
      const numbers = new Float32Array(exports.memory.buffer, exports.drawing(), length);
      let at = 2 * nodes;
      const pairs = (count) => Array.from({ length: count }, () => [numbers[at++], numbers[at++]]);
      const lines = edges.map(() => pairs(numbers[at++]));
      const middles = Array.from({ length: nodes }, (_, node) => [numbers[2 * node] + WIDTH / 2, numbers[2 * node + 1] + HEIGHT / 2]);
      return { middles, lines };
    };
    return { draw, read };
  },

  async dagre() {
    const dagre = await import("@dagrejs/dagre");
    const { graphlib, layout } = dagre.default ?? dagre;
    const draw = ({ nodes, edges }) => {
      const graph = new graphlib.Graph().setGraph({ rankdir: "RL", nodesep: NODE_GAP, ranksep: LAYER_GAP });
      graph.setDefaultEdgeLabel(() => ({}));
      for (let node = 0; node < nodes; node += 1) graph.setNode(`${node}`, { width: WIDTH, height: HEIGHT });
      for (const [from, to] of edges) graph.setEdge(`${from}`, `${to}`);
      return () => {
        layout(graph);
        return graph;
      };
    };
    const read = ({ nodes, edges }, graph) => {
      const point = ({ x, y }) => [x, y];
      const middles = Array.from({ length: nodes }, (_, node) => point(graph.node(`${node}`)));
      return { middles, lines: edges.map(([from, to]) => graph.edge(`${from}`, `${to}`).points.map(point)) };
    };
    return { draw, read };
  },

  async elkjs() {
    const ELK = createRequire(import.meta.url)("elkjs/lib/elk.bundled.js");
    const elk = new ELK();
    const layoutOptions = {
      "elk.algorithm": "layered",
      "elk.direction": "LEFT",
      "elk.edgeRouting": "POLYLINE",
      "elk.spacing.nodeNode": `${NODE_GAP}`,
      "elk.layered.spacing.nodeNodeBetweenLayers": `${LAYER_GAP}`,
    };
    const draw = ({ nodes, edges }) => {
      const children = Array.from({ length: nodes }, (_, node) => ({ id: `n${node}`, width: WIDTH, height: HEIGHT }));
      const lines = edges.map(([from, to], edge) => ({ id: `e${edge}`, sources: [`n${from}`], targets: [`n${to}`] }));
      return () => elk.layout({ id: "all", layoutOptions, children, edges: lines });
    };
    const read = (_, { children, edges }) => {
      const point = ({ x, y }) => [x, y];
      const middles = children.map(({ x, y }) => [x + WIDTH / 2, y + HEIGHT / 2]);
      const line = ({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint].map(point);
      return { middles, lines: edges.map(({ sections: [section] }) => line(section)) };
    };
    return { draw, read };
  },

  async Graphviz() {
    const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
    const graphviz = await Graphviz.load();
    const inches = (length) => (length / 72).toFixed(4);
    const draw = ({ nodes, edges }) => {
      const text = [
        `digraph { rankdir=RL; nodesep=${inches(NODE_GAP)}; ranksep=${inches(LAYER_GAP)}; edge [arrowhead=none];`,
        `node [shape=box, fixedsize=true, width=${inches(WIDTH)}, height=${inches(HEIGHT)}, label=""];`,
        ...Array.from({ length: nodes }, (_, node) => `${node};`),
        ...edges.map(([from, to]) => `${from} -> ${to};`),
        "}",
      ].join("\n");
      return () => graphviz.layout(text, "json0", "dot");
    };
    const read = ({ edges }, text) => {
      const drawing = JSON.parse(text);
      const numbers = (pair) => pair.split(",").map(Number);
      const middles = [];
      for (const { name, pos } of drawing.objects) middles[Number(name)] = numbers(pos);
      const ends = new Map(drawing.edges.map(({ tail, head, pos }) => [`${drawing.objects[tail].name} ${drawing.objects[head].name}`, pos]));
      const lines = edges.map(([from, to]) => smooth(ends.get(`${from} ${to}`).split(" ").filter((it) => !/^[es]/.test(it)).map(numbers)));
      return { middles, lines };
    };
    return { draw, read };
  },
};

/** The line along cubic curves: a point, and three for each curve. */
function smooth(points) {
  const line = [points[0]];
  for (let at = 0; at + 3 < points.length; at += 3) {
    const curve = points.slice(at, at + 4);
    for (let step = 1; step <= SMOOTH; step += 1) {
      const [b, a] = [step / SMOOTH, 1 - step / SMOOTH];
      const shares = [a * a * a, 3 * a * a * b, 3 * a * b * b, b * b * b];
      line.push([0, 1].map((axis) => shares.reduce((sum, share, nth) => sum + share * curve[nth][axis], 0)));
    }
  }
  return line;
}

/** Where two pieces of lines cross; where they only touch, as at a common end, they do not. */
function crossings(lines) {
  const pieces = lines.flatMap((line, edge) =>
    line.slice(1).map((end, nth) => ({ edge, ends: end[0] < line[nth][0] ? [end, line[nth]] : [line[nth], end] })),
  );
  pieces.sort((one, other) => one.ends[0][0] - other.ends[0][0]);
  const side = ([x, y], [[ax, ay], [bx, by]]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  const apart = (one, other) => side(one.ends[0], other.ends) * side(one.ends[1], other.ends) < 0;
  const [top, bottom] = [Math.min, Math.max].map((pick) => pieces.map(({ ends: [a, b] }) => pick(a[1], b[1])));
  let count = 0;
  for (let at = 0; at < pieces.length; at += 1) {
    const one = pieces[at];
    for (let next = at + 1; next < pieces.length && pieces[next].ends[0][0] <= one.ends[1][0]; next += 1) {
      if (bottom[next] < top[at] || top[next] > bottom[at] || pieces[next].edge === one.edge) continue;
      if (apart(one, pieces[next]) && apart(pieces[next], one)) count += 1;
    }
  }
  return count;
}

function length(lines) {
  const steps = (line) => line.slice(1).map(([x, y], nth) => Math.hypot(x - line[nth][0], y - line[nth][1]));
  return lines.flatMap(steps).reduce((sum, step) => sum + step, 0);
}

/** Dependencies are left of what needs them, no two nodes lie on each other, and each edge has a line. */
function check({ edges }, { middles, lines }) {
  for (const [from, to] of edges) {
    if (middles[to][0] + WIDTH >= middles[from][0]) throw new Error(`${to} is not left of ${from}`);
  }
  for (const [n, [x, y]] of middles.entries()) {
    const covered = ([otherX, otherY]) => Math.abs(x - otherX) < WIDTH - 1 && Math.abs(y - otherY) < HEIGHT - 1;
    if (middles.slice(0, n).some(covered)) throw new Error(`${n} lies on another node`);
  }
  if (lines.length !== edges.length || lines.some((line) => line.length < 2)) throw new Error("an edge has no line");
}

const { draw, read } = await contenders[workerData.name](workerData);
parentPort.on("message", async ({ graph, whole }) => {
  const run = draw(graph);
  const start = performance.now();
  const result = await run();
  const time = performance.now() - start;
  if (!whole) return parentPort.postMessage({ time });
  const drawing = read(graph, result);
  check(graph, drawing);
  parentPort.postMessage({ time, crossings: crossings(drawing.lines), length: length(drawing.lines) });
});
