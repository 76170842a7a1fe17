// Joins the data segments of a WebAssembly module that are close together. A linker that keeps each constant separate, so
// that it can be moved with its part, produces thousands of segments, and their addresses compress badly.
import { SECTION, sectionsOf, segmentsOf, withSegments } from "./binary.mjs";

/**
 * The same module with fewer segments. Bytes between two segments that are at most `gap` apart are written as zeros: if
 * another module may have written there before, `gap` must be 0.
 */
export function joinSegments(module, gap) {
  const data = [...sectionsOf(module)].find(({ id }) => id === SECTION.data);
  return data === undefined ? module : withSegments(module, joinAll(segmentsOf(data.body), gap));
}

function joinAll(segments, gap) {
  const joined = [];
  let end = 0;
  for (const { start, bytes } of segments.filter(({ bytes }) => bytes.length > 0)) {
    if (start < end) throw new Error("data segments that overlap");
    if (joined.length > 0 && start - end <= gap) joined.at(-1).pieces.push(Buffer.alloc(start - end), bytes);
    else joined.push({ start, pieces: [bytes] });
    end = start + bytes.length;
  }
  return joined.map(({ start, pieces }) => ({ start, bytes: Buffer.concat(pieces) }));
}
