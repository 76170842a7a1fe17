/**
 * Plans files and applies them at an adapter over HTTP, in browsers and in Node. What is created is real.
 *
 * Every write is recorded before it is sent. If a page is closed, a program ends or an answer is lost, the next call with the
 * same state finds out what became of it, and continues.
 *
 * @example
 * ```js
 * import { apply, init, plan } from "planloom/adapters";
 *
 * await init(); // in browsers; in Node it is already loaded
 * const options = { files: [{ name: "app.yaml", text }], adapter: "https://adapter.example", token };
 * const planned = await plan(options);
 * console.log(planned.plan.summary);
 * const { ok } = await apply({ ...options, digest: planned.plan.digest }, ({ address, state }) => console.log(address, state));
 * ```
 *
 * @packageDocumentation
 */

import type { ActionKind, File, Plan } from "./index.js";

/**
 * Loads the engine, which is that of `planloom`, and the part of it that applies. Call it once in browsers before the other
 * functions; more calls wait for the first. In Node both are loaded on import and this does nothing.
 *
 * @param source Where the engine's WebAssembly file is; a URL (by default of `planloom_bg.wasm` beside this module), a `Response`
 *   or a promise of one, the bytes, or a compiled `WebAssembly.Module`. It is ignored if the engine is loaded already.
 * @throws when a file cannot be fetched or compiled; it may then be called again.
 */
export function init(source?: string | object): Promise<void>;

/** Functions that keep a state. One call at a time may use them. */
export interface StateBackend {
  /** Gives the text that was saved last, or `null`. */
  load(): string | null | Promise<string | null>;
  /** Keeps a text. A write is sent only after the text that records it is kept, so it must be kept when this ends. */
  save(text: string): void | Promise<void>;
}

/** Options of {@link plan} and {@link apply}. */
export interface AdapterOptions {
  /** The files in merge order. */
  files: readonly File[];
  /** The address of the adapter, without `/v1`: https, or http of this machine. Requests go there and nowhere else. */
  adapter: string;
  /** A token, if the adapter requires one. It is sent to the adapter and kept nowhere. */
  token?: string;
  /** Whether all recorded resources are destroyed. Default `false`. */
  destroy?: boolean;
  /** What the state is kept under, together with the address of the adapter. Default: the name of the deployment. */
  state_key?: string;
  /** The recorded state, as JSON text or as an object, or `null` for none: the caller keeps it, and gets the next one. */
  state?: string | object | null;
  /** Functions that keep the state. Without them and `state` it is in the browser's database, or in memory where there is none. */
  backend?: StateBackend;
}

/** Options of {@link apply}. */
export interface ApplyOptions extends AdapterOptions {
  /** The `digest` of the only plan that may be applied. Without it the present plan is applied, whatever it does. */
  digest?: string;
}

/**
 * Where the state is kept: in the browser's database, by the functions of the caller, or only in memory, so that the caller has to
 * keep what is returned.
 */
export type StateKept = "database" | "backend" | "memory";

/** A write that an interrupted run had started, and whether its resource exists. */
export interface Recovered {
  address: string;
  verb: "create" | "update" | "destroy";
  found: boolean;
}

/** What would be done at an adapter. */
export interface AdapterPlan {
  /** The plan over the recorded state and what exists at the adapter. */
  plan: Plan;
  /** The name that the adapter reports. */
  adapter: string;
  /** How many resources are recorded. */
  recorded: number;
  kept: StateKept;
  /** What was found out about an interrupted run. */
  recovered: Recovered[];
  /** The recorded state (`planloom.state/1`), as JSON text; `null` if there is none. */
  state: string | null;
}

/** A step of a run, as it is now. */
export interface AdapterStep {
  /** The id of its action; the first half of a rebuild has `-` appended. */
  step: string;
  /** The id of the action of the plan that it is part of. */
  action: string;
  /** The address of its resource. */
  address: string;
  /** What it does: a rebuild is a `destroy` and a `create`. */
  verb: Exclude<ActionKind, "rebuild" | "no_op">;
  state: "not_started" | "running" | "done" | "failed" | "skipped";
  /** What it does now or waits for, in one line. */
  message?: string;
  /** Its progress in percent, if the adapter reports it. */
  percent?: number;
  /** The failed step because of which it was skipped. */
  because?: string;
  /** Why it failed. */
  trouble?: { code: string; message: string; help?: string };
}

/** What was done at an adapter. */
export interface Applied {
  /** Whether every step succeeded. */
  ok: boolean;
  /** The steps, in the order of the plan. */
  steps: AdapterStep[];
  /** Why the run ended before its steps did. */
  trouble?: { code: string; message: string; help?: string };
  /** The number of steps by outcome. */
  summary: { done: number; failed: number; skipped: number; not_started: number };
  /** The serial of the state afterwards. */
  serial: number;
  kept: StateKept;
  /** What was found out about an interrupted run. */
  recovered: Recovered[];
  /** The recorded state afterwards (`planloom.state/1`), as JSON text; `null` if there is none. */
  state: string | null;
}

/**
 * Plans files over the recorded state and what exists at the adapter. Nothing is changed there.
 *
 * @throws an error with `code`, `message` and `help`: `adapter/unreachable`, `adapter/cors`, `adapter/unauthorized`,
 *   `adapter/other-version`, `adapter/not-an-adapter` and others when there is no adapter; `state/locked` when another tab works
 *   with the state; `wasm/bad-argument` when an option is wrong; or another code of the engine.
 */
export function plan(options: AdapterOptions): Promise<AdapterPlan>;

/**
 * Plans again and applies the plan, if it has the digest that is given.
 *
 * @param onStep Called whenever the state of a step changes.
 * @throws as {@link plan}, and `engine/plan-changed` when the plan is another one; nothing was done then. Steps that fail are no
 *   error: they are in the result.
 */
export function apply(options: ApplyOptions, onStep?: (step: AdapterStep) => void): Promise<Applied>;
