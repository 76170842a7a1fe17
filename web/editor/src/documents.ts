import type { EditorState, StateEffect } from "@codemirror/state";

/** A file as it was left. */
export interface Document {
  state: EditorState;
  scroll: StateEffect<unknown> | null;
}

/** How a file's lines end. */
export type Ending = "\n" | "\r\n";

/** Splits off line ends: only a file in which every line ends with CRLF is shown without them and gets them back. */
export function readText(text: string): { text: string; ending: Ending } {
  const crlf = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  return crlf ? { text: text.replaceAll("\r\n", "\n"), ending: "\r\n" } : { text, ending: "\n" };
}

/** The smallest single replacement that turns one text into the other; null when they are equal. */
export function difference(old: string, text: string): { from: number; to: number; insert: string } | null {
  if (old === text) return null;
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === text.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && old.charCodeAt(old.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end++;
  return { from: start, to: old.length - end, insert: text.slice(start, text.length - end) };
}
