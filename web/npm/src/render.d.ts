/**
 * Draws elements when a page is built. The result needs neither JavaScript nor WebAssembly to be seen; where `planloom/element`
 * is loaded, the element becomes live at the first touch, focus or click.
 *
 * @packageDocumentation
 */

import type { File } from "./index.js";

/** Options of {@link renderElement}. */
export interface RenderOptions {
  /** Which element. */
  element: "planloom-editor" | "planloom-graph" | "planloom-plan";
  /** The files in merge order. */
  files: readonly File[];
  /** The recorded state, as JSON text or as an object. */
  state?: string | object | null;
  /** Other attributes of the element, such as `id`, `class`, `height` or `view`. Event handlers and styles are refused. */
  attributes?: { readonly [name: string]: string | number | boolean };
  /** Whether the plan destroys all recorded resources. Default `apply`. */
  mode?: "apply" | "destroy";
  /**
   * The address of `planloom/element-drawn.css`, for pages whose policy forbids styles in the page. Without it the styles are
   * part of the result.
   */
  stylesheet?: string;
  /** The nonce of the styles that are part of the result. */
  nonce?: string;
}

/**
 * The element as HTML: its drawing in a declarative shadow root, and its files as `<pre>` children, which it reads once it is
 * live. Text of files is never HTML.
 *
 * @throws {TypeError} when there are no files, the element is unknown, or an attribute is refused.
 */
export function renderElement(options: RenderOptions): string;
