/**
 * The engine in a worker: in browsers a web worker, in Node a worker thread. The API is that of the package, but each call returns
 * a promise.
 *
 * @example
 * ```js
 * import { startWorker } from "planloom/worker";
 *
 * const engine = await startWorker();
 * const workspace = await engine.workspace();
 * await workspace.setFiles([{ name: "base.yaml", text: "services: {}" }]);
 * console.log((await workspace.diagnostics()).diagnostics);
 * await engine.terminate();
 * ```
 *
 * @packageDocumentation
 */
import type {
  Capability,
  File,
  Merge,
  MergeOptions,
  MergeWithOrigins,
  Problem,
  Resolution,
  Service,
  ServiceDifference,
  SolveOptions,
  Workspace,
} from "./index.js";

/** Options of {@link startWorker}. */
export interface WorkerOptions {
  /**
   * A worker that runs `planloom/worker/thread`, if the default one cannot be used: a `Worker`, with bundlers that do not find the
   * file of the worker by themselves.
   */
  worker?: object;
  /** Where the WebAssembly file is, as for `init`; what can be sent to a worker. It is not used in Node. */
  source?: string | object;
}

/** Starts a worker, and loads the engine in it. */
export function startWorker(options?: WorkerOptions): Promise<WorkerEngine>;

/** The engine in a worker. */
export class WorkerEngine {
  private constructor();

  /** An empty workspace in the worker. */
  workspace(): Promise<RemoteWorkspace>;

  /** Loads capabilities. */
  load(...capabilities: Capability[]): Promise<void>;

  /** Solves a problem. Functions cannot be sent to a worker, so it has no sources and its options are data. */
  solve(problem: Omit<Problem, "sources" | "entities"> | string, options?: Pick<SolveOptions, "steps"> | null): Promise<Resolution>;

  /** The YAML files of a zip package. */
  readPackage(name: string, bytes: ArrayBuffer | ArrayBufferView): Promise<File[]>;

  /** Ends the worker. Pending calls are rejected with the code `worker/ended`. */
  terminate(): Promise<void>;
}

/** An object in a worker: its methods, each of which returns a promise. */
export type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** A service in the memory of a worker. */
export type RemoteService = Remote<Pick<Service, "send" | "execute" | "close">>;

/** A workspace in a worker. */
export interface RemoteWorkspace extends Remote<Omit<Workspace, "merged" | "openService" | "serviceChanges">> {
  /** The merged document; with `{ origins: true }` also the origin of every value. */
  merged(options: MergeOptions & { origins: true }): Promise<MergeWithOrigins>;
  merged(options?: MergeOptions | null): Promise<Merge>;

  /** A service in the memory of the worker. */
  openService(...args: Parameters<Workspace["openService"]>): Promise<RemoteService | null>;

  /** What changed in the services since the version that another workspace of the worker has. */
  serviceChanges(before: RemoteWorkspace): Promise<ServiceDifference>;
}
