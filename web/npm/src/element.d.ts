/**
 * The elements `<planloom-editor>`, `<planloom-graph>` and `<planloom-plan>`. Importing this registers them in a browser; on a
 * server it does nothing.
 *
 * @packageDocumentation
 */

import type { AdapterStep, Applied } from "./adapters.js";
import type { Diagnostic, File, Plan } from "./index.js";
import type { SimulationStep } from "./simulation.js";

/** What the elements have in common. Each property but `files` and `state` mirrors an attribute. */
export interface PlanloomElement extends HTMLElement {
  /** The files in merge order; setting them replaces those of the children or of `src`. `null` until they are read. */
  files: File[] | null;
  /** The recorded state, as JSON text or as an object. */
  state: string | object | null;
  /** What is shown first: a file of the editor, `graph` or `table` of the graph. */
  view: string | null;
  /** The attribute `readonly`: the files are shown and cannot be edited. */
  readOnly: boolean;
  /** `auto` follows the `color-scheme` of the place where the element is. */
  theme: "auto" | "light" | "dark";
  /** The attribute `focus`: an address, a step such as `a3`, or `FILE:LINE`, that is shown and highlighted. */
  focusTarget: string | null;
  /** A number of pixels, or `auto`. */
  height: string | null;
  /** Whether the plan creates what is described or destroys what is recorded. */
  mode: "apply" | "destroy";
  /** The addresses of files or zip packages, separated by white space. */
  src: string | null;
  /** The address of the recorded state. The attribute is `state-src`. */
  stateSrc: string | null;
  /** The id of another element of the page, whose files are shown. */
  from: string | null;
  /** When the element is drawn: near the visible part of the page, at once, or after a click. */
  loading: "lazy" | "eager" | "click";
  /** The origin of the adapter that the page permits. The attribute is `allow-network`. Nothing is sent there before a click. */
  allowNetwork: string | null;
  /** The path of the adapter at that origin, without `/v1`. The attribute is `adapter-path`. */
  adapterPath: string | null;
  /** Loads what draws the element, and draws it. */
  start(): Promise<void>;

  addEventListener<Name extends keyof PlanloomElementEvents>(
    type: Name,
    listener: (this: PlanloomElement, event: PlanloomElementEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** What came of a run at an adapter, whose address is `adapter`. */
export type AppliedDetail = Pick<Applied, "ok" | "summary" | "serial" | "state"> & { adapter: string };

/** The events of the elements. They bubble, and cross the borders of shadow roots. */
export interface PlanloomElementEvents extends HTMLElementEventMap {
  /** The user changed a file. */
  "planloom-change": CustomEvent<{ file: string; text: string; files: File[] }>;
  /** The problems of the files, after each change. */
  "planloom-diagnostics": CustomEvent<Diagnostic[]>;
  /** The plan, after each change. */
  "planloom-plan": CustomEvent<Plan>;
  /** The user chose a resource, a step of the plan, or a line. */
  "planloom-select": CustomEvent<{ address?: string; step?: string; file?: string; line?: number }>;
  /** The element is drawn. */
  "planloom-ready": CustomEvent<{ files: string[] }>;
  /** A step changed its state: of a simulation, or with `adapter` of a run at an adapter. */
  "planloom-step": CustomEvent<SimulationStep | (AdapterStep & { adapter: string })>;
  /** A run at an adapter is over. */
  "planloom-applied": CustomEvent<AppliedDetail>;
  /** Something could not be loaded or drawn. */
  "planloom-error": CustomEvent<{ code: string; message: string }>;
}

declare global {
  interface HTMLElementTagNameMap {
    "planloom-editor": PlanloomElement;
    "planloom-graph": PlanloomElement;
    "planloom-plan": PlanloomElement;
  }
}
