// Takes the messages of panics out of a WebAssembly module that has nothing to show them with: without a hook a panic is
// the trap `unreachable`, whatever its message was made of.
import { Reader, SECTION, sectionsOf, segmentsOf, unsigned, withSections, withSegments } from "./binary.mjs";
import { importsOf, KIND } from "./imports.mjs";

/** Functions and modules of the standard library that never return: they put a message together and panic. */
const PANICS = [
  "core::panicking",
  "core::cell::panic_already_borrowed",
  "core::cell::panic_already_mutably_borrowed",
  "core::option::expect_failed",
  "core::option::unwrap_failed",
  "core::result::unwrap_failed",
  "core::slice::copy_from_slice_impl::len_mismatch_fail",
  "core::slice::index::slice_index_fail",
  "core::str::slice_error_fail",
  "alloc::alloc::handle_alloc_error",
  "alloc::raw_vec::capacity_overflow",
  "alloc::raw_vec::handle_error",
  "std::panicking::begin_panic",
  "std::panicking::panic_with_hook",
];
/** The same paths in mangled names: each segment after its length. */
const MANGLED = PANICS.map((path) => path.split("::").map((it) => it.length + it).join(""));
/** What precedes the path in a name of either mangling: in the newer one namespaces, and the crate's hash. */
const BEFORE_PATH = /^(?:_ZN|_RI?(?:Nv|Nt)+Cs\w+?_)(?=\d)/;
/** The crate's hash in a name that is not mangled. */
const HASH = /\[[0-9a-f]+\]/g;
/** No local variables, `unreachable`, `end`. */
const TRAP = Buffer.from([0x00, 0x00, 0x0b]);
/** The bytes of a place in the source: address and length of the file's path, line and column. */
const LOCATION = 16;
/** More lines than any file has, and below any address of data: two texts beside each other are no location. */
const LINES = 100_000;
/** The number of what the section `name` says of functions. */
const NAMES_OF_FUNCTIONS = 1;

/** The same module, in which each function that panics traps at once. */
export function trapAtPanics(module) {
  return withoutLocations(withTraps(module));
}

function withTraps(module) {
  const sections = [...sectionsOf(module)];
  const code = sections.find(({ id }) => id === SECTION.code);
  const trapped = new Set(namesOf(sections).filter(([, name]) => doesPanic(name)).map(([index]) => index));
  if (code === undefined || trapped.size === 0) return module;
  // The numbers of its own functions come after those of the imported ones.
  const first = importsOf(module).filter(({ kind }) => kind === KIND.function).length;
  const reader = new Reader(code.body, 0);
  const bodies = Array.from({ length: reader.unsigned() }, () => reader.bytes(reader.unsigned()));
  const written = bodies.map((body, index) => sized(trapped.has(first + index) ? TRAP : body));
  return withSections(module, new Map([[SECTION.code, Buffer.concat([unsigned(bodies.length), ...written])]]));
}

/**
 * Only messages of panics read the places in the source where they are. Each is a data segment of its own, which is
 * emptied: others keep their numbers.
 */
function withoutLocations(module) {
  const data = [...sectionsOf(module)].find(({ id }) => id === SECTION.data);
  if (data === undefined) return module;
  const segments = segmentsOf(data.body);
  const byStart = new Map(segments.map((segment) => [segment.start, segment]));
  const unread = new Set();
  for (const segment of segments.filter(({ bytes }) => bytes.length === LOCATION)) {
    const [address, length, line] = [0, 4, 8].map((at) => segment.bytes.readUInt32LE(at));
    const path = line < LINES ? byStart.get(address) : undefined;
    if (path?.bytes.subarray(0, length).toString().endsWith(".rs")) [segment, path].forEach((it) => unread.add(it));
  }
  const kept = (segment) => (unread.has(segment) ? { ...segment, bytes: Buffer.alloc(0) } : segment);
  return withSegments(module, segments.map(kept));
}

function doesPanic(name) {
  if (!BEFORE_PATH.test(name)) return PANICS.some((path) => name.replace(HASH, "").startsWith(path));
  const path = name.replace(BEFORE_PATH, "");
  return MANGLED.some((it) => path.startsWith(it));
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
