/**
 * A store of resources, and a runtime for controllers that reconcile them. Planloom itself uses both.
 *
 * A resource has a key (namespace, kind, id), metadata that the store maintains, and a `spec` of plain JSON that the store
 * does not interpret. Every write is a transaction with optimistic concurrency control. A finalizer prevents that a
 * resource that is tearing down is destroyed while another controller still needs it. A controller declares the kinds that
 * it reads and writes. It runs when one of its inputs changes, and access to other kinds is refused.
 *
 * @example
 * ```js
 * import { init, Runtime, Store } from "planloom/runtime";
 *
 * await init(); // in browsers; in Node it is already loaded
 * const store = new Store();
 * const runtime = new Runtime(store);
 * runtime.register({
 *   id: "sum",
 *   inputs: [{ namespace: "app", kind: "Lines" }],
 *   outputs: [{ namespace: "app", kind: "Sums" }],
 *   reconcile(cx) {
 *     const lines = cx.list({ namespace: "app", kind: "Lines" }).resources;
 *     const spec = lines.reduce((sum, line) => sum + Number(line.spec), 0);
 *     cx.put({ namespace: "app", kind: "Sums", id: "all", spec });
 *   },
 * });
 * const running = runtime.run();
 * store.create({ namespace: "app", kind: "Lines", id: "a", spec: 3 });
 * const sum = { namespace: "app", kind: "Sums", id: "all" };
 * await store.waitFor(sum, (found) => found?.spec === 3);
 * runtime.stop();
 * await running;
 * ```
 *
 * @packageDocumentation
 */

/**
 * Loads the WebAssembly file. Call it once before anything else in browsers; more calls wait for the first.
 * In Node the file is loaded on import and this does nothing.
 *
 * @param source Where the file is; a URL (by default of `planloom_runtime_bg.wasm` beside this module), a `Response` or a
 *   promise of one, the bytes, or a compiled `WebAssembly.Module`.
 * @throws when the file cannot be fetched or compiled; it may then be called again.
 */
export function init(source?: string | object): Promise<void>;

/** JSON data. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The part of `AbortSignal` that is used, so that programs do not need the types of browsers. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The `AbortSignal` of the host, if its types are available. */
export type HostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Type } } ? Type : Signal;

/** The error that methods throw. */
export interface PlanloomError extends Error {
  /**
   * `store/…`: the store refused, e.g. `store/version-conflict`. `runtime/…`: the runtime did, e.g.
   * `runtime/access-denied`. `wasm/bad-argument`: an argument has the wrong type, or an unknown key.
   * `wasm/not-ready`: `init()` has not finished.
   */
  code: StoreErrorCode | RuntimeErrorCode | "wasm/bad-argument" | "wasm/not-ready";
  /** The resource that the error is about. */
  key?: Key;
}

/** The codes of errors of a store. */
export type StoreErrorCode =
  | "store/not-found"
  | "store/already-exists"
  | "store/version-conflict"
  | "store/uid-conflict"
  | "store/owner-conflict"
  | "store/phase-conflict"
  | "store/pending-finalizers"
  | "store/invalid"
  | "store/invalid-bookmark"
  | "store/invalid-options"
  | "store/cancelled";

/** The codes of errors of a runtime. */
export type RuntimeErrorCode =
  | "runtime/access-denied"
  | "runtime/already-started"
  | "runtime/cancelled"
  | "runtime/run-ended"
  | "runtime/ended"
  | "runtime/empty-id"
  | "runtime/duplicate-controller"
  | "runtime/output-conflict"
  | "runtime/duplicate-output"
  | "runtime/duplicate-input"
  | "runtime/no-primary"
  | "runtime/no-concurrency"
  | "runtime/fixed-inputs";

/** The kind of resources. The metadata of a resource is also accepted. */
export interface Kind {
  namespace: string;
  kind: string;
}

/** The key of a resource. The metadata of a resource is also accepted. */
export interface Key extends Kind {
  id: string;
}

/** The metadata of a resource. */
export interface Metadata extends Key {
  /** Different each time the resource is created. */
  uid: number;
  /** 1 at creation, incremented by every change. */
  version: number;
  /** The revision of the store at the last write. */
  revision: number;
  /** Incremented by every change of the spec. */
  generation: number;
  /** The controller that owns the resource; the user when absent. */
  owner?: string;
  phase: "running" | "tearing_down";
  /** The finalizers that prevent its destruction, in order. */
  finalizers?: string[];
  labels?: { [name: string]: string };
  annotations?: { [name: string]: string };
  /** Milliseconds since 1970. */
  created: number;
  /** Milliseconds since 1970. */
  updated: number;
}

/**
 * A resource. Methods return copies; changing a copy does not change the store.
 *
 * A spec is stored as JSON, converted as by `JSON.stringify`: `NaN` becomes `null`, a `Map` becomes `{}`.
 */
export interface Resource<Spec = Json> {
  metadata: Metadata;
  spec: Spec;
}

/** A resource to be created. */
export interface Draft<Spec = Json> extends Key {
  owner?: string;
  finalizers?: string[];
  labels?: { [name: string]: string };
  annotations?: { [name: string]: string };
  spec?: Spec;
}

/** A filter for the resources of a kind; an empty one matches all. */
export interface Query {
  /** At least one of these groups has to match; a group matches if all its terms do. */
  terms?: Term[][];
  /** A pattern for the id: `*` any text, `?` one character, `[a-z]` one of these. */
  id?: string;
  /** The owner. */
  owner?: "user" | { owner: string };
}

/** A condition on a label. */
export interface Term {
  label: string;
  /** `lt_numeric` and `lte_numeric` compare whole numbers, also with a unit, such as `5GiB`. Other labels never match. */
  op:
    | "exists"
    | { equal: string }
    | { in: string[] }
    | { lt: string }
    | { lte: string }
    | { lt_numeric: string }
    | { lte_numeric: string };
  /** Negates the condition. */
  invert?: boolean;
}

/** Options of a store. */
export interface StoreOptions {
  /** Whether a resource must be tearing down before it can be destroyed. Default `false`. */
  strict_destroy?: boolean;
  /** The maximum size of the log of events, in bytes. Default 16 MiB. */
  log_bytes?: number;
  /** The maximum number of logged events of each kind. Default 4096. */
  log_entries?: number;
}

/** The writer of a change. */
export interface Writer {
  /** The owner of the resource; the user when absent. */
  owner?: string | null;
}

/** Options of an update. */
export interface UpdateOptions extends Writer {
  /** The phase that the resource has to be in. Default `running`. */
  expected_phase?: "running" | "tearing_down" | "any" | null;
  /** Whether an update without changes also creates a version and an event. Default `false`. */
  touch?: boolean;
}

/** One operation of a transaction. */
export type Operation =
  | { create: Draft }
  | { update: { resource: Resource; expected_phase?: "running" | "tearing_down" | "any" | null; touch?: boolean } }
  | { teardown: Key }
  | { add_finalizers: { key: Key; names: string[] } }
  | { remove_finalizers: { key: Key; names: string[] } }
  | { destroy: Key }
  /** Aborts the transaction unless this matches. Without `uid`, the resource must not exist. */
  | { expect: { key: Key; uid?: number | null; version?: number | null } };

/** The result of a transaction. */
export interface Committed {
  /** The store's revision after it. */
  revision: number;
  /** For each operation, its resource after the whole transaction; `null` if it was destroyed. */
  resources: (Resource | null)[];
  /** For each operation, whether its resource is tearing down and has no finalizers. */
  ready: boolean[];
}

/** Resources of one kind by id, as they were at one revision. */
export interface Snapshot<Spec = Json> {
  revision: number;
  resources: Resource<Spec>[];
}

/** Options of a watch. */
export interface WatchOptions {
  /**
   * - `now` (the default): new events only.
   * - `state`: first the existing resources, between `init` and `init_done`, then new events.
   * - `{ bookmark }`: all events after the one with this bookmark.
   * - `{ tail }`: first this number of past events, then new events.
   */
  from?: "now" | "state" | { bookmark: string } | { tail: number } | null;
  /** A filter. A resource that starts to match is reported as created, one that no longer matches as destroyed. */
  query?: Query | null;
}

/** An event of a watch. */
export type Event<Spec = Json> =
  | { type: "init" }
  | { type: "init_apply"; resource: Resource<Spec> }
  /** The watched resource does not exist. */
  | { type: "absent"; key: Key }
  | { type: "init_done"; bookmark: string }
  | { type: "created"; resource: Resource<Spec>; bookmark: string }
  | { type: "updated"; resource: Resource<Spec>; old: Resource<Spec>; bookmark: string }
  | { type: "destroyed"; resource: Resource<Spec>; bookmark: string }
  /** The log no longer has the next event; the existing resources follow, from `init` to `init_done`. */
  | { type: "resync"; reason: string };

/** A stream of events for one reader. It ends when the store is closed. Leaving a `for await` loop closes it. */
export interface Watch<Spec = Json> extends AsyncIterableIterator<Event<Spec>, undefined> {
  /** All available events, without waiting. */
  batch(): Event<Spec>[];
  /** Ends the stream. */
  close(): void;
}

/** Statistics of a kind. */
export interface KindStats extends Kind {
  resources: number;
  log_entries: number;
  log_bytes: number;
  watchers: number;
  resyncs: number;
}

/**
 * The resources of one tab or process. A read after a write shows that write.
 *
 * Methods throw a {@link PlanloomError}.
 */
export class Store {
  constructor(options?: StoreOptions | null);

  /** The resource with this key; `null` if it does not exist. */
  get<Spec = Json>(key: Key): Resource<Spec> | null;

  /** The resources of a kind that match, by id. Labels and owners are indexed. */
  list<Spec = Json>(kind: Kind, query?: Query | null): Snapshot<Spec>;

  /** Applies all operations or none, with one revision, and one event for each changed resource. */
  commit(operations: readonly Operation[], options?: Writer | null): Committed;

  /** Creates a resource. */
  create<Spec = Json>(draft: Draft<Spec>, options?: Writer | null): Resource<Spec>;

  /**
   * Writes the spec, labels and annotations of a resource that was read and then changed. Without changes there is no
   * version and no event. Owner, phase and finalizers are changed by their own methods only.
   */
  update<Spec = Json>(resource: Resource<Spec>, options?: UpdateOptions | null): Resource<Spec>;

  /**
   * Reads a resource, changes it and updates it; repeats this after a version conflict.
   * @param change Changes its argument, a copy, or returns another resource. It may be called more than once. If it
   *   throws, nothing is written.
   */
  modify<Spec = Json>(
    key: Key,
    change: (resource: Resource<Spec>) => Resource<Spec> | void,
    options?: UpdateOptions | null,
  ): Resource<Spec>;

  /**
   * Like {@link modify}, but creates the resource from the draft, with the same change, if it does not exist. If it
   * exists, only the key of the draft is used.
   */
  upsert<Spec = Json>(
    draft: Draft<Spec>,
    change: (resource: Resource<Spec>) => Resource<Spec> | void,
    options?: UpdateOptions | null,
  ): Resource<Spec>;

  /** Marks a resource for destruction. Returns whether it has no finalizers and can be destroyed. */
  teardown(key: Key, options?: Writer | null): boolean;

  /** Adds finalizers. A resource that is tearing down accepts no new ones. */
  addFinalizers(key: Key, names: readonly string[]): Resource;

  /** Removes finalizers. */
  removeFinalizers(key: Key, names: readonly string[]): Resource;

  /** Destroys a resource. Refused while it has finalizers. */
  destroy(key: Key, options?: Writer | null): void;

  /** Tears a resource down, waits until it has no finalizers, and destroys it. */
  teardownAndDestroy(key: Key, options?: Writer | null): Promise<void>;

  /** The events of one resource, which need not exist, or of the resources of a kind that match. */
  watch<Spec = Json>(scope: Key | Kind, options?: WatchOptions | null): Watch<Spec>;

  /**
   * Waits until the predicate returns `true` for a resource, and returns that resource.
   * @param predicate Is called with the resource, or with `null` if it does not exist.
   * @throws `store/not-found` when the resource is destroyed before the predicate returns `true`; the signal's reason.
   */
  waitFor<Spec = Json>(
    key: Key,
    predicate: (found: Resource<Spec> | null) => found is Resource<Spec>,
    options?: { signal?: Signal } | null,
  ): Promise<Resource<Spec>>;
  waitFor<Spec = Json>(
    key: Key,
    predicate: (found: Resource<Spec> | null) => boolean,
    options?: { signal?: Signal } | null,
  ): Promise<Resource<Spec> | null>;

  /** The revision of the last commit. */
  readonly revision: number;

  /** Statistics by kind. */
  stats(): KindStats[];

  /** Closes the store: watches end after the events until now, and writes are refused. It can still be read. */
  close(): void;

  /** Frees the memory immediately, instead of when the store is garbage-collected. It cannot be used afterwards. */
  free(): void;
}

/** A kind that a controller reads, and which changes wake the controller. */
export interface Input extends Kind {
  /** Only the resource with this id. */
  id?: string | null;
  /**
   * - `strong`: every change wakes, and the controller may hold a finalizer on it. The default of primary inputs.
   * - `weak`: every change wakes. The default of others.
   * - `destroy_ready`: wakes only when a resource that the controller owns can be destroyed.
   */
  strength?: "strong" | "weak" | "destroy_ready" | null;
}

/** An input of a queue controller. */
export interface QueueInput<Spec = any> extends Input {
  /** Whether the controller runs for each changed resource of this input. */
  primary?: boolean;
  /**
   * Maps a changed resource to the resources of the primary inputs that the controller runs for. Default `same_id`. A
   * function is called with the old resource and then with the new one.
   */
  map?: "same_id" | "none" | { label: string } | ((resource: Resource<Spec>, cx: Context) => readonly Key[]) | null;
}

/** A kind that a controller writes. */
export interface Output {
  /** Any when absent. */
  namespace?: string | null;
  kind: string;
  /** Whether other controllers may write the kind too, each the resources that it created. Default `exclusive`. */
  sharing?: "exclusive" | "shared";
  /** Whether the controller only tears down and destroys resources of the kind. Default `false`. */
  removes_only?: boolean;
}

/**
 * The result of a successful run: nothing, a request for another run after this number of milliseconds, or the reason why
 * the run was skipped. A run that throws is repeated with exponential back-off; if the error has `terminal: true`, only
 * after the spec or phase of an input has changed; if it has `retry_after: ms`, after that time. Errors are written to the
 * console, unless `log` is `false`, and are `last_error` in {@link Runtime.inspect}.
 */
export type Action = void | null | undefined | { requeue_after: number } | { skip: string };

interface Declared {
  /** The id: the owner of its resources and the name of its finalizers. It must not change. */
  id: string;
  /** Earlier ids of the controller. */
  formerly?: readonly string[];
  outputs?: readonly Output[];
}

/** A controller with one run for all of its inputs, at the start and after any number of changes. */
export interface WholeController extends Declared {
  style?: "whole";
  inputs?: readonly Input[];
  reconcile(cx: Context): Action | Promise<Action>;
}

/** A controller with a run for each changed resource of its primary inputs; never two runs for one resource at a time. */
export interface QueueController extends Declared {
  style: "queue";
  inputs: readonly QueueInput[];
  /** The maximum number of concurrent runs. Default 1. */
  concurrency?: number | null;
  /** The resource may no longer exist; its outputs should then be removed. */
  reconcile(cx: Context, key: Key): Action | Promise<Action>;
}

/** A controller with one run that does not end, and that waits with {@link Context.woken}. */
export interface ManualController extends Declared {
  style: "manual";
  inputs?: readonly Input[];
  run(cx: Context): void | Promise<void>;
}

/** A controller. */
export type Controller = WholeController | QueueController | ManualController;

/**
 * The access of a run to the store: it can read the inputs and write the outputs of its controller. Other access throws
 * `runtime/access-denied`. After the run has ended, calls other than `requeue` and `wake` throw `runtime/run-ended`; after
 * the runtime has stopped, all calls throw `runtime/cancelled`.
 *
 * Controllers have to write through it and not through the store: direct writes are not in the graph, and loops of such
 * writes are not detected.
 */
export interface Context {
  /** The controller's id. */
  readonly id: string;
  /** Aborted when the runtime stops; for `fetch`. Not available in `map`. */
  readonly signal?: HostSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
  get<Spec = Json>(key: Key): Resource<Spec> | null;
  list<Spec = Json>(kind: Kind, query?: Query | null): Snapshot<Spec>;
  commit(operations: readonly Operation[]): Committed;
  /** Creates a resource that the controller owns. */
  create<Spec = Json>(draft: Draft<Spec>): Resource<Spec>;
  /**
   * Creates or replaces a resource of the controller. The owner and finalizers of an existing resource are unchanged.
   */
  put<Spec = Json>(draft: Draft<Spec>): Resource<Spec>;
  update<Spec = Json>(resource: Resource<Spec>, options?: Omit<UpdateOptions, "owner"> | null): Resource<Spec>;
  /** Marks a resource for destruction. Returns whether it has no finalizers. */
  teardown(key: Key): boolean;
  destroy(key: Key): void;
  /**
   * Tears down and destroys a resource of the controller. Returns whether it is destroyed; if not, a `destroy_ready` input
   * wakes the controller when it can be.
   */
  remove(key: Key): boolean;
  /**
   * Removes the resources of a kind that the controller owns and that this run has not created, put or updated. Returns
   * whether all of them are destroyed.
   */
  pruneUntouched(kind: Kind): boolean;
  /** Adds the finalizer of the controller to a resource of a strong input. */
  hold(key: Key): Resource;
  /** Removes the finalizer of the controller. It is not an error if the resource does not exist. */
  release(key: Key): void;
  /** Whether the resource has the finalizer of the controller. */
  holds(resource: Resource<any>): boolean;
  /** Whether this resource belongs to the controller. */
  owns(resource: Resource<any>): boolean;
  /** A context with the same access that writes resources of the user. */
  asUser(): Context;
  /** Waits for this number of milliseconds. */
  sleep(millis: number): Promise<void>;
  /** Runs a queue controller for this key after this number of milliseconds at the latest. */
  requeue(key: Key, millis: number): void;
  /** Wakes a `whole` or `manual` controller after this number of milliseconds at the latest. */
  wake(millis: number): void;
  /** For manual controllers: waits until an input has changed since the last call. The first call returns immediately. */
  woken(): Promise<void>;
  /** Replaces the inputs; not for queue controllers. */
  setInputs(inputs: readonly Input[]): void;
}

/** Options of a runtime. */
export interface RuntimeOptions {
  /** The seed for the jitter of back-offs and for a shuffled schedule. Default: random. */
  seed?: number;
  /** Whether errors of controllers are written to the console, repeated errors only once. Default `true`. */
  log?: boolean;
  /** Whether runs start in random order instead of the longest-waiting first; for tests. Default `false`. */
  shuffled?: boolean;
  /** The number of milliseconds of work after which the runtime yields to the host. Default 8. */
  slice_ms?: number;
  /** The maximum length of a chain of runs, each woken by a write of the run before; longer ones are reported as loops. Default 1000. */
  longest_chain?: number;
  /** The time after which a resource that is tearing down is reported as stuck, in milliseconds. Default 60000. */
  stuck_ms?: number;
}

/** The style of a controller. */
export type Style = "whole" | "queue" | "manual";

/** The state of a controller. */
export type State = "stopped" | "idle" | "waiting" | "back_off" | "queued" | "running" | "finished";

/** The state of a runtime. */
export interface Inspection {
  at: number;
  running: boolean;
  controllers: ControllerView[];
  kinds: KindView[];
}

/** The state and counters of a controller. */
export interface ControllerView {
  id: string;
  style: Style;
  state: State;
  /** The number of waiting jobs. */
  queue: number;
  /** The number of current runs. */
  running: number;
  wakes: number;
  ok: number;
  failed: number;
  skipped: number;
  busy_ms: number;
  last_error?: { code: string; message: string };
  last_error_at?: number;
  last_skip?: string;
  backoff_until?: number;
  /** The number of jobs that failed with a terminal error and wait for a change of their inputs. */
  given_up: number;
  /** Whether the controller is probably part of an endless loop of writes. */
  livelock: boolean;
}

/** Statistics and state of a kind. */
export interface KindView extends KindStats {
  tearing_down: number;
}

/** The graph of controllers and kinds. Ids are stable. */
export interface Graph {
  controllers: ControllerNode[];
  kinds: KindNode[];
  /** By controller: outputs, then inputs. */
  edges: Edge[];
  /** The problems that were detected. */
  lints: Lint[];
}

/** A controller in the graph. */
export interface ControllerNode {
  id: string;
  controller: string;
  style: Style;
  state: State;
  queue: number;
  wakes: number;
  ok: number;
  failed: number;
  skipped: number;
  backoff_until?: number;
}

/** A kind in the graph. */
export interface KindNode extends Kind {
  id: string;
  resources: number;
  tearing_down: number;
  /** Whether no controller writes it. */
  source: boolean;
  /** Whether no controller reads it. */
  result: boolean;
}

/** An input or output in the graph. */
export interface Edge {
  id: string;
  from: string;
  to: string;
  edge: "exclusive" | "shared" | "removes" | "strong" | "weak" | "destroy_ready";
  resource?: string;
  /** The number of times that the input woke the controller, or that the controller wrote the output. */
  count: number;
  livelock: boolean;
}

/** A problem of the declarations or of the observed behaviour. */
export interface Lint {
  /** A stable name, such as `runtime/teardown-cycle`. */
  code: string;
  /** A message of one line. */
  message: string;
  /** The affected controllers. */
  controllers: string[];
  /** The affected kinds. */
  kinds: Kind[];
}

/**
 * Runs the controllers of one store, in one thread, cooperatively with the host. It can be started once.
 *
 * An idle runtime has no timer, so it does not keep a Node process alive.
 */
export class Runtime {
  constructor(store: Store, options?: RuntimeOptions | null);

  /** Adds a controller, before or after the start. A controller that is refused has no effect. */
  register(controller: Controller): void;

  /** Runs the controllers. The promise resolves when the runtime has stopped or the store is closed. */
  run(): Promise<void>;

  /** Stops the runtime. Current runs are cancelled: their context refuses all calls, and committed changes are kept. */
  stop(): void;

  /** The graph of controllers and kinds, with counters and detected problems. */
  graph(): Graph;

  /** The graph as text for Graphviz or Mermaid. */
  graphText(format: "dot" | "mermaid"): string;

  /** The state of the controllers; cheap enough to be called several times a second. */
  inspect(): Inspection;

  /** Stops the runtime and frees its memory immediately. It cannot be used afterwards. */
  free(): void;
}
