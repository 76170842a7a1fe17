// Takes the messages of panics out of a WebAssembly module that has nothing to show them with: without a hook a panic is
// the trap `unreachable`, whatever its message was made of.
import { Reader, SECTION, sectionsOf, unsigned, withSections } from "./binary.mjs";

/** Functions of the standard library that never return: they put a message together and panic. */
const PANICS =
  /^(core::panicking::|core::option::(unwrap|expect)_failed|core::result::unwrap_failed|core::cell::panic_|core::slice::\S*_fail|core::str::slice_error_fail|alloc::raw_vec::(handle_error|capacity_overflow)|alloc::alloc::handle_alloc_error|\S*begin_panic)/;
/** No local variables, `unreachable`, `end`. */
const TRAP = Buffer.from([0x00, 0x00, 0x0b]);
/** The numbers of what is imported and of what the section `name` tells. */
const [KIND_FUNCTION, NAMES_OF_FUNCTIONS] = [0, 1];

/** The same module, in which each function that panics traps at once. */
export function trapAtPanics(module) {
  const sections = [...sectionsOf(module)];
  const code = sections.find(({ id }) => id === SECTION.code);
  const panics = new Set(namesOf(sections).filter(([, name]) => PANICS.test(name)).map(([index]) => index));
  if (code === undefined || panics.size === 0) return module;
  const first = importedFunctions(sections);
  const reader = new Reader(code.body, 0);
  const bodies = Array.from({ length: reader.unsigned() }, () => reader.bytes(reader.unsigned()));
  const written = bodies.map((body, index) => sized(panics.has(first + index) ? TRAP : body));
  return withSections(module, new Map([[SECTION.code, Buffer.concat([unsigned(bodies.length), ...written])]]));
}

const sized = (body) => Buffer.concat([unsigned(body.length), body]);

/** The names of functions, by their numbers. */
function namesOf(sections) {
  for (const { body } of sections.filter(({ id }) => id === SECTION.custom)) {
    const reader = new Reader(body, 0);
    if (reader.text() !== "name") continue;
    while (!reader.isAtEnd()) {
      const [kind, names] = [reader.byte(), new Reader(reader.bytes(reader.unsigned()), 0)];
      if (kind === NAMES_OF_FUNCTIONS) return Array.from({ length: names.unsigned() }, () => [names.unsigned(), names.text()]);
    }
  }
  throw new Error("the module does not name its functions");
}

/** How many functions are imported: the numbers of its own come after theirs. */
function importedFunctions(sections) {
  const reader = new Reader(sections.find(({ id }) => id === SECTION.import)?.body ?? Buffer.from([0]), 0);
  const kinds = Array.from({ length: reader.unsigned() }, () => importedKind(reader));
  return kinds.filter((kind) => kind === KIND_FUNCTION).length;
}

/** Reads one import: its names, its kind, and its type, which is of no interest. */
function importedKind(reader) {
  reader.text();
  reader.text();
  const kind = reader.byte();
  TYPES[kind](reader);
  return kind;
}

/** Limits have a smallest size and, if the lowest bit says so, a largest. */
const limits = (reader) => (reader.unsigned() & 1 ? [reader.unsigned(), reader.unsigned()] : [reader.unsigned()]);
/** Types of what is imported: of a function, a table, a memory, a global. */
const TYPES = [
  (reader) => reader.unsigned(),
  (reader) => (reader.byte(), limits(reader)),
  limits,
  (reader) => reader.bytes(2),
];
