import type { Text } from "@codemirror/state";
import type { Span } from "./contract";

/** The UTF-16 offset in a line of a column, which counts code points from 1; past the end is the end. */
export function columnToOffset(line: string, column: number): number {
  let at = 0;
  for (let left = column - 1; left > 0 && at < line.length; left--) at += width(line, at);
  return at;
}

/** The column of a UTF-16 offset in a line; an offset inside a character is that character's. */
export function offsetToColumn(line: string, offset: number): number {
  let column = 1;
  for (let at = 0; at < line.length; column++) {
    at += width(line, at);
    if (at > offset) break;
  }
  return column;
}

/** The document position of a line and column; past the last line is the end. */
export function toPos(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const found = doc.line(Math.max(1, line));
  return found.from + columnToOffset(found.text, column);
}

/** The line and column of a document position. */
export function toPlace(doc: Text, pos: number): { line: number; column: number } {
  const line = doc.lineAt(pos);
  return { line: line.number, column: offsetToColumn(line.text, pos - line.from) };
}

/** The document range of a span; never reversed. */
export function toRange(doc: Text, span: Span): { from: number; to: number } {
  const from = toPos(doc, span.line, span.column);
  return { from, to: Math.max(from, toPos(doc, span.end_line, span.end_column)) };
}

function width(text: string, at: number): number {
  const point = text.codePointAt(at);
  return point !== undefined && point > 0xffff ? 2 : 1;
}
