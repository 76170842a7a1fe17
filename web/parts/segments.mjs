// Joins the data segments of a WebAssembly module that are close together. A linker that keeps each constant separate, so
// that it can be moved with its part, produces thousands of segments, and their addresses compress badly.
const SECTION = { data: 11, dataCount: 12 };
const HEADER = 8;
/** `i32.const` and `end`, which enclose the address of an active segment. */
const [CONST, END] = [0x41, 0x0b];

/**
 * The same module with fewer segments. Bytes between two segments that are at most `gap` apart are written as zeros: if
 * another module may have written there before, `gap` must be 0.
 */
export function joinSegments(module, gap) {
  const sections = [...sectionsOf(module)];
  const data = sections.find(({ id }) => id === SECTION.data);
  if (data === undefined) return module;
  const joined = joinAll(segmentsOf(data.body), gap);
  const bodies = new Map([
    [SECTION.data, Buffer.concat([unsigned(joined.length), ...joined.map(written)])],
    [SECTION.dataCount, unsigned(joined.length)],
  ]);
  const all = sections.map(({ id, body }) => section(id, bodies.get(id) ?? body));
  return Buffer.concat([module.subarray(0, HEADER), ...all]);
}

function* sectionsOf(module) {
  for (const reader = new Reader(module, HEADER); !reader.isAtEnd(); ) {
    yield { id: reader.byte(), body: reader.bytes(reader.unsigned()) };
  }
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

const section = (id, body) => Buffer.concat([Buffer.from([id]), unsigned(body.length), body]);

/** A number as LEB128. */
function unsigned(number) {
  const bytes = [];
  for (; number > 0x7f; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
  return Buffer.from([...bytes, number]);
}

/** An address as signed LEB128: its last byte must not look like the end of a negative number. */
function signed(address) {
  const bytes = [];
  for (; address > 0x3f; address = Math.floor(address / 0x80)) bytes.push((address % 0x80) | 0x80);
  return Buffer.from([...bytes, address]);
}

class Reader {
  constructor(buffer, at) {
    this.buffer = buffer;
    this.at = at;
  }

  isAtEnd() {
    return this.at >= this.buffer.length;
  }

  byte() {
    return this.buffer[this.at++];
  }

  bytes(length) {
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  unsigned() {
    const byte = this.byte();
    return byte < 0x80 ? byte : (byte & 0x7f) + 0x80 * this.unsigned();
  }
}
