// What a WebAssembly module imports.
import { Reader, SECTION, sectionsOf, unsigned, withSections } from "./binary.mjs";

/** The kinds of imports, by their numbers. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3 };

/** The imports of a module: the names of each, its kind, and the smallest size of tables and memories. */
export function importsOf(module) {
  const body = [...sectionsOf(module)].find(({ id }) => id === SECTION.import)?.body ?? Buffer.from([0]);
  const reader = new Reader(body, 0);
  return Array.from({ length: reader.unsigned() }, () => imported(reader));
}

/** Reads one import; `bytes` are those after its names. */
function imported(reader) {
  const [from, name] = [reader.text(), reader.text()];
  const start = reader.at;
  const kind = reader.byte();
  const size = TYPES[kind](reader);
  return { from, name, kind, size, bytes: reader.buffer.subarray(start, reader.at) };
}

/** The same module with other names of what it imports: `names` has a new one for each that changes. */
export function renameImports(module, names) {
  const text = (it) => [unsigned(Buffer.byteLength(it)), Buffer.from(it)];
  const all = importsOf(module);
  const written = all.flatMap(({ from, name, bytes }) => [...text(from), ...text(names.get(name) ?? name), bytes]);
  return withSections(module, new Map([[SECTION.import, Buffer.concat([unsigned(all.length), ...written])]]));
}

/** Limits have a smallest size and, if the lowest bit says so, a largest. */
function limits(reader) {
  const hasLargest = reader.unsigned() & 1;
  const smallest = reader.unsigned();
  if (hasLargest) reader.unsigned();
  return smallest;
}

/** Types of what is imported: of a function, a table, a memory, a global. */
const TYPES = [
  (reader) => reader.unsigned() && undefined,
  (reader) => (reader.byte(), limits(reader)),
  limits,
  (reader) => reader.bytes(2) && undefined,
];
