// What a WebAssembly module imports.
import { Reader, SECTION, sectionsOf } from "./binary.mjs";

/** The kinds of imports, by their numbers. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3 };

/** The imports of a module: the kind of each, and the smallest size of tables and memories. */
export function importsOf(module) {
  const body = [...sectionsOf(module)].find(({ id }) => id === SECTION.import)?.body ?? Buffer.from([0]);
  const reader = new Reader(body, 0);
  return Array.from({ length: reader.unsigned() }, () => imported(reader));
}

/** Reads one import: its names, its kind, and its type. */
function imported(reader) {
  reader.text();
  reader.text();
  const kind = reader.byte();
  return { kind, size: TYPES[kind](reader) };
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
