/**
 * Applies a plan with a simulator in memory, by the engine that applies real ones. Nothing real is created, nothing is sent
 * anywhere, and nothing is kept.
 *
 * @example
 * ```js
 * import { init, simulate } from "planloom/simulation";
 *
 * await init(); // in browsers; in Node it is already loaded
 * const files = [{ name: "app.yaml", text: "networks: {lan: {ip: 10.0.0.0/24}}" }];
 * const { ok, state } = await simulate({ files }, ({ address, state }) => console.log(address, state));
 * ```
 *
 * @packageDocumentation
 */

import type { ActionKind, File } from "./index.js";

/**
 * Loads the engine, which is that of `planloom`, and the part of it that simulates. Call it once before {@link simulate} in
 * browsers; more calls wait for the first. In Node both are loaded on import and this does nothing.
 *
 * @param source Where the engine's WebAssembly file is; a URL (by default of `planloom_bg.wasm` beside this module), a `Response`
 *   or a promise of one, the bytes, or a compiled `WebAssembly.Module`. It is ignored if the engine is loaded already.
 * @throws when a file cannot be fetched or compiled; it may then be called again.
 */
export function init(source?: string | object): Promise<void>;

/** Options of {@link simulate}. */
export interface SimulationOptions {
  /** The files in merge order. */
  files: readonly File[];
  /** The recorded state, as JSON text or as an object. The simulator begins with what it records. */
  state?: string | object | null;
  /** Whether all recorded resources are destroyed. Default `false`. */
  destroy?: boolean;
  /** How long each call of the simulator takes, in milliseconds, up to 10,000. Default 0. */
  latency_ms?: number;
}

/** A step of a simulation, as it is now. */
export interface SimulationStep {
  /** The id of its action; the first half of a rebuild has `-` appended. */
  step: string;
  /** The id of the action of the plan that it is part of. */
  action: string;
  /** The address of its resource. */
  address: string;
  /** What it does: a rebuild is a `destroy` and a `create`. */
  verb: Exclude<ActionKind, "rebuild" | "no_op">;
  state: "not_started" | "running" | "done" | "failed" | "skipped";
  /** What it waits for, in one line. */
  message?: string;
}

/** What came of a simulation. */
export interface Simulation {
  /** Whether every step succeeded. */
  ok: boolean;
  /** The steps, in the order of the plan. */
  steps: SimulationStep[];
  /** The number of steps by outcome. */
  summary: { done: number; failed: number; skipped: number; not_started: number };
  /** The serial of the state afterwards. */
  serial: number;
  /** The recorded state afterwards (`planloom.state/1`), as JSON text; `null` if there is none. */
  state: string | null;
}

/**
 * Plans and applies files with a simulator.
 *
 * @param onStep Called whenever the state of a step changes.
 * @throws an error with a `code`: `wasm/bad-argument` when an option is wrong, `wasm/not-ready`, or a code of the engine such as
 *   `engine/plan-refused` when the plan cannot be applied.
 */
export function simulate(options: SimulationOptions, onStep?: (step: SimulationStep) => void): Promise<Simulation>;
