// Reads and writes the binary form of a WebAssembly module.
const HEADER = 8;
/** `i32.const` and `end`, which enclose the address of an active segment. */
const [CONST, END] = [0x41, 0x0b];
export const SECTION = { custom: 0, import: 2, code: 10, data: 11, dataCount: 12 };

/** The sections of a module, in its order. */
export function* sectionsOf(module) {
  for (const reader = new Reader(module, HEADER); !reader.isAtEnd(); ) {
    yield { id: reader.byte(), body: reader.bytes(reader.unsigned()) };
  }
}

/** The same module with other bodies for some sections, by their numbers. */
export function withSections(module, bodies) {
  const all = [...sectionsOf(module)].map(({ id, body }) => section(id, bodies.get(id) ?? body));
  return Buffer.concat([module.subarray(0, HEADER), ...all]);
}

/** Data segments with constant addresses: where each starts and its bytes, in the order of addresses. */
export function segmentsOf(body) {
  const reader = new Reader(body, 0);
  const segments = Array.from({ length: reader.unsigned() }, () => segment(reader));
  return segments.sort((a, b) => a.start - b.start);
}

function segment(reader) {
  const isActive = reader.byte() === 0 && reader.byte() === CONST;
  // Addresses are signed, and static data is never beyond the half that is positive.
  const start = isActive ? reader.unsigned() : 0;
  if (!isActive || reader.byte() !== END) throw new Error("a data segment without a constant address");
  return { start, bytes: reader.bytes(reader.unsigned()) };
}

/** The same module with other data segments. */
export function withSegments(module, segments) {
  const written = segments.map(({ start, bytes }) =>
    Buffer.concat([Buffer.from([0, CONST]), signed(start), Buffer.from([END]), unsigned(bytes.length), bytes]),
  );
  const bodies = new Map([
    [SECTION.data, Buffer.concat([unsigned(segments.length), ...written])],
    [SECTION.dataCount, unsigned(segments.length)],
  ]);
  return withSections(module, bodies);
}

const section = (id, body) => Buffer.concat([Buffer.from([id]), unsigned(body.length), body]);

/** A number as LEB128. */
export function unsigned(number) {
  const bytes = [];
  for (; number > 0x7f; number = Math.floor(number / 0x80)) bytes.push((number % 0x80) | 0x80);
  return Buffer.from([...bytes, number]);
}

/** An address as signed LEB128: its last byte must not look like the end of a negative number. */
export function signed(address) {
  const bytes = [];
  for (; address > 0x3f; address = Math.floor(address / 0x80)) bytes.push((address % 0x80) | 0x80);
  return Buffer.from([...bytes, address]);
}

export class Reader {
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

  text() {
    return this.bytes(this.unsigned()).toString();
  }

  unsigned() {
    const byte = this.byte();
    return byte < 0x80 ? byte : (byte & 0x7f) + 0x80 * this.unsigned();
  }
}
