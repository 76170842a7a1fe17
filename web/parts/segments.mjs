// Joins the data segments of a WebAssembly module that are close together. A linker that keeps each constant separate, so
// that it can be moved with its part, produces thousands of segments, and their addresses compress badly.
import { Reader, SECTION, sectionsOf, signed, unsigned, withSections } from "./binary.mjs";

/** `i32.const` and `end`, which enclose the address of an active segment. */
const [CONST, END] = [0x41, 0x0b];

/**
 * The same module with fewer segments. Bytes between two segments that are at most `gap` apart are written as zeros: if
 * another module may have written there before, `gap` must be 0.
 */
export function joinSegments(module, gap) {
  const data = [...sectionsOf(module)].find(({ id }) => id === SECTION.data);
  if (data === undefined) return module;
  const joined = joinAll(segmentsOf(data.body), gap);
  const bodies = new Map([
    [SECTION.data, Buffer.concat([unsigned(joined.length), ...joined.map(written)])],
    [SECTION.dataCount, unsigned(joined.length)],
  ]);
  return withSections(module, bodies);
}

/** Where each segment starts, and its bytes; in the order of addresses. */
function segmentsOf(body) {
  const reader = new Reader(body, 0);
  const segments = Array.from({ length: reader.unsigned() }, () => segment(reader));
  return segments.sort((a, b) => a.start - b.start);
}

function segment(reader) {
  const isActive = reader.byte() === 0 && reader.byte() === CONST;
  // Addresses are signed, and static data is never beyond the half that is positive.
  const start = isActive ? reader.unsigned() : 0;
  if (!isActive || reader.byte() !== END) throw new Error("a data segment without a constant address");
  return { start, bytes: [reader.bytes(reader.unsigned())] };
}

function joinAll(segments, gap) {
  const joined = [];
  let end = 0;
  for (const { start, bytes } of segments) {
    if (start < end) throw new Error("data segments that overlap");
    if (joined.length > 0 && start - end <= gap) joined.at(-1).bytes.push(Buffer.alloc(start - end), ...bytes);
    else joined.push({ start, bytes });
    end = start + bytes[0].length;
  }
  return joined;
}

function written({ start, bytes }) {
  const all = Buffer.concat(bytes);
  return Buffer.concat([Buffer.from([0, CONST]), signed(start), Buffer.from([END]), unsigned(all.length), all]);
}
