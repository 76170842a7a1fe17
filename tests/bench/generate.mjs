// Deterministic inputs: the same bytes on every machine.

/** A linear congruential generator; `next(n)` is a whole number below `n`. */
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const name = (index) => `service-${String(index).padStart(4, "0")}`;

/** One service as YAML lines under `services:`; depends on up to three earlier ones. */
function service(index, next) {
  const earlier = (count) => Array.from({ length: count }, () => name(next(index)));
  const needs = index === 0 ? [] : [...new Set(earlier(next(3)))];
  const reference = index > 0 && next(2) === 0 ? `\${services.${name(next(index))}.network_node.ip}` : "10.0.0.1";
  return [
    `  ${name(index)}:`,
    `    payload: image-${next(20)} # number ${index}`,
    `    network: inner`,
    ...(needs.length > 0 ? [`    depends_on: [${needs.join(", ")}]`] : []),
    `    init:`,
    `      - run:`,
    `          args: ["/usr/bin/serve", "--port", "${8000 + next(1000)}", "--upstream", "${reference}"]`,
    `      - run:`,
    `          args:`,
    `            - /bin/sh`,
    `            - -c`,
    `            - 'echo "started ${name(index)}" >> /var/log/start && sleep ${next(9)}'`,
    `            - --label=${hex(next, 24)}`,
  ];
}

function hex(next, digits) {
  return Array.from({ length: digits }, () => next(16).toString(16)).join("");
}

function head(next) {
  const images = Array.from({ length: 20 }, (_, index) => [
    `  image-${index}:`,
    `    runtime: vm`,
    `    params: {image_hash: "${hex(next, 56)}", min_mem_gib: ${1 + next(8)}, min_cpu_threads: ${1 + next(4)}}`,
  ]);
  return ["payloads:", ...images.flat(), "networks:", "  inner:", "    ip: 10.0.0.0/16"];
}

function services(from, to, next) {
  return Array.from({ length: to - from }, (_, index) => service(from + index, next)).flat();
}

/** One descriptor with so many services. */
export function descriptor(count, seed = 1) {
  const next = random(seed);
  return [...head(next), "services:", ...services(0, count, next), ""].join("\n");
}

/** The same descriptor in so many files. */
export function files(count, parts, seed = 1) {
  const next = random(seed);
  const each = Math.ceil(count / parts);
  return Array.from({ length: parts }, (_, part) => {
    const lines = services(part * each, Math.min(count, (part + 1) * each), next);
    const first = part === 0 ? head(next) : [];
    return { name: `part-${part}.yaml`, text: [...first, "services:", ...lines, ""].join("\n") };
  });
}

/** Overlays: each changes the payload of so many services and gives them one more command. */
export function overlays(count, layers, each, seed = 2) {
  const next = random(seed);
  return Array.from({ length: layers }, (_, layer) => {
    const chosen = new Set();
    while (chosen.size < each) chosen.add(next(count));
    const lines = [...chosen].flatMap((index) => [
      `  ${name(index)}:`,
      `    payload: image-${next(20)}`,
      `    init:`,
      `      - run:`,
      `          args: ["/bin/overlay", "${layer}"]`,
    ]);
    return { name: `overlay-${layer}.yaml`, text: ["services:", ...lines, ""].join("\n") };
  });
}
