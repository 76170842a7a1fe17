/**
 * Resources in one place, and controllers that keep them as they should be: the store and the runtime that Planloom
 * itself works with.
 *
 * A resource has a key (namespace, kind, id), metadata that the store keeps strictly, and a `spec` of plain JSON that it
 * never looks into. Every write is a transaction; writers use optimistic concurrency; whoever still needs a resource
 * that is going holds a finalizer on it. A controller says which kinds it reads and which it writes, and is woken when
 * what it reads has changed; what it did not declare is refused.
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

/** As much of an `AbortSignal` as is used: programs need not know the browser's types. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The host's `AbortSignal`, where its types are known. */
export type HostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Type } } ? Type : Signal;

/** What is thrown. */
export interface PlanloomError extends Error {
  /**
   * `store/…`: the store refused, e.g. `store/version-conflict`. `runtime/…`: the runtime did, e.g.
   * `runtime/access-denied`. `wasm/bad-argument`: an argument has the wrong type, or an unknown key.
   * `wasm/not-ready`: `init()` has not finished.
   */
  code: StoreErrorCode | RuntimeErrorCode | "wasm/bad-argument" | "wasm/not-ready";
  /** The resource it is about. */
  key?: Key;
}

/** Why a store refuses. */
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

/** Why a runtime refuses. */
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

/** Which sort of resources. The metadata of a resource will do too. */
export interface Kind {
  namespace: string;
  kind: string;
}

/** Which resource. The metadata of a resource will do too. */
export interface Key extends Kind {
  id: string;
}

/** What is stored about a resource. */
export interface Metadata extends Key {
  /** Another for each time it is created. */
  uid: number;
  /** 1 when created, one more with every change. */
  version: number;
  /** The store's revision when it was written last. */
  revision: number;
  /** One more with every change of the spec. */
  generation: number;
  /** The controller it belongs to; the user's when absent. */
  owner?: string;
  phase: "running" | "tearing_down";
  /** Who still needs it, in order. */
  finalizers?: string[];
  labels?: { [name: string]: string };
  annotations?: { [name: string]: string };
  /** Milliseconds since 1970. */
  created: number;
  /** Milliseconds since 1970. */
  updated: number;
}

/**
 * A resource. What methods return are copies: changing them changes nothing in the store.
 *
 * A spec is stored as JSON, with what `JSON.stringify` makes of it: `NaN` becomes `null`, a `Map` becomes `{}`.
 */
export interface Resource<Spec = Json> {
  metadata: Metadata;
  spec: Spec;
}

/** What is needed to create a resource. */
export interface Draft<Spec = Json> extends Key {
  owner?: string;
  finalizers?: string[];
  labels?: { [name: string]: string };
  annotations?: { [name: string]: string };
  spec?: Spec;
}

/** Which resources of a kind; all when empty. */
export interface Query {
  /** One of these groups must hold; a group holds when all its terms do. */
  terms?: Term[][];
  /** A pattern for the id: `*` any text, `?` one character, `[a-z]` one of these. */
  id?: string;
  /** Whose. */
  owner?: "user" | { owner: string };
}

/** What a label must be. */
export interface Term {
  label: string;
  /** `lt_numeric` and `lte_numeric` compare whole numbers, also with a unit, such as `5GiB`. What is none never matches. */
  op:
    | "exists"
    | { equal: string }
    | { in: string[] }
    | { lt: string }
    | { lte: string }
    | { lt_numeric: string }
    | { lte_numeric: string };
  /** Whether it must not be so. */
  invert?: boolean;
}

/** How a store behaves. */
export interface StoreOptions {
  /** Whether a resource must be tearing down before it can be destroyed. Default `false`. */
  strict_destroy?: boolean;
  /** How many bytes of past events are kept. Default 16 MiB. */
  log_bytes?: number;
  /** How many past events of each kind are kept. Default 4096. */
  log_entries?: number;
}

/** Who writes. */
export interface Writer {
  /** Whom the resource belongs to; the user when absent. */
  owner?: string | null;
}

/** Who updates, and how. */
export interface UpdateOptions extends Writer {
  /** The phase it must be in. Default `running`. */
  expected_phase?: "running" | "tearing_down" | "any" | null;
  /** Whether an update that changes nothing makes a version and an event all the same. Default `false`. */
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
  /** Nothing, if this holds, else nothing of the whole transaction. Without `uid`: there is no such resource. */
  | { expect: { key: Key; uid?: number | null; version?: number | null } };

/** What a transaction left. */
export interface Committed {
  /** The store's revision after it. */
  revision: number;
  /** For each operation, its resource after the whole transaction; `null`: gone. */
  resources: (Resource | null)[];
  /** For each operation, whether its resource is left tearing down with nobody needing it. */
  ready: boolean[];
}

/** Resources of one kind by id, as they were at one revision. */
export interface Snapshot<Spec = Json> {
  revision: number;
  resources: Resource<Spec>[];
}

/** Since when to watch, and what of a kind. */
export interface WatchOptions {
  /**
   * - `now` (the default): what happens from now on.
   * - `state`: first what there is, between `init` and `init_done`, then what happens.
   * - `{ bookmark }`: what happened after an event; with the events since then.
   * - `{ tail }`: first the last so many events.
   */
  from?: "now" | "state" | { bookmark: string } | { tail: number } | null;
  /** Which resources of the kind. One that begins to match is told as created, one that ceases to as destroyed. */
  query?: Query | null;
}

/** What a watch tells. */
export type Event<Spec = Json> =
  | { type: "init" }
  | { type: "init_apply"; resource: Resource<Spec> }
  /** The one resource that is watched does not exist. */
  | { type: "absent"; key: Key }
  | { type: "init_done"; bookmark: string }
  | { type: "created"; resource: Resource<Spec>; bookmark: string }
  | { type: "updated"; resource: Resource<Spec>; old: Resource<Spec>; bookmark: string }
  | { type: "destroyed"; resource: Resource<Spec>; bookmark: string }
  /** It was read too late for the log; what there is follows, from `init` to `init_done`. */
  | { type: "resync"; reason: string };

/** Events as they come, for one reader; ends when the store is closed. To leave a `for await` loop closes it. */
export interface Watch<Spec = Json> extends AsyncIterableIterator<Event<Spec>, undefined> {
  /** All events that are there, without waiting. */
  batch(): Event<Spec>[];
  /** No more events. */
  close(): void;
}

/** What there is of a kind. */
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

  /** A resource; `null` where there is none. */
  get<Spec = Json>(key: Key): Resource<Spec> | null;

  /** The resources of a kind that match, by id. Labels and owners are indexed. */
  list<Spec = Json>(kind: Kind, query?: Query | null): Snapshot<Spec>;

  /** All of it or nothing: one revision, one event for each resource that changed. */
  commit(operations: readonly Operation[], options?: Writer | null): Committed;

  /** A new resource. */
  create<Spec = Json>(draft: Draft<Spec>, options?: Writer | null): Resource<Spec>;

  /**
   * Spec, labels and annotations of a resource as it was read and then changed. One that says the same as is stored is
   * silent. Owner, phase and finalizers change by their own methods only.
   */
  update<Spec = Json>(resource: Resource<Spec>, options?: UpdateOptions | null): Resource<Spec>;

  /**
   * Reads a resource, changes it and updates it; again, if another was quicker.
   * @param change Changes the copy it is shown, or returns another. It may be called more than once; what it throws is
   *   thrown, and then nothing happened.
   */
  modify<Spec = Json>(
    key: Key,
    change: (resource: Resource<Spec>) => Resource<Spec> | void,
    options?: UpdateOptions | null,
  ): Resource<Spec>;

  /** {@link modify}, or creates it from the draft with the same change where there is none. Of one that is there, nothing is
   * taken from the draft but its key. */
  upsert<Spec = Json>(
    draft: Draft<Spec>,
    change: (resource: Resource<Spec>) => Resource<Spec> | void,
    options?: UpdateOptions | null,
  ): Resource<Spec>;

  /** It shall go as soon as nobody needs it. Whether nobody does. */
  teardown(key: Key, options?: Writer | null): boolean;

  /** These need it. Nobody new can need what is tearing down. */
  addFinalizers(key: Key, names: readonly string[]): Resource;

  /** These no longer need it. */
  removeFinalizers(key: Key, names: readonly string[]): Resource;

  /** It goes. Refused while somebody needs it. */
  destroy(key: Key, options?: Writer | null): void;

  /** Tears it down, waits until nobody needs it, and destroys it. */
  teardownAndDestroy(key: Key, options?: Writer | null): Promise<void>;

  /** What happens to one resource, whether it exists or not, or to those of a kind that match. */
  watch<Spec = Json>(scope: Key | Kind, options?: WatchOptions | null): Watch<Spec>;

  /**
   * Waits until a resource is as wanted, and gives it as it then was.
   * @param wanted Is shown the resource, `null` where there is none.
   * @throws `store/not-found` when it was there, and goes without having been as wanted; the signal's reason.
   */
  waitFor<Spec = Json>(
    key: Key,
    wanted: (found: Resource<Spec> | null) => found is Resource<Spec>,
    options?: { signal?: Signal } | null,
  ): Promise<Resource<Spec>>;
  waitFor<Spec = Json>(
    key: Key,
    wanted: (found: Resource<Spec> | null) => boolean,
    options?: { signal?: Signal } | null,
  ): Promise<Resource<Spec> | null>;

  /** The last commit. */
  readonly revision: number;

  /** What there is, by kind. */
  stats(): KindStats[];

  /** Ends it: watches end after what had happened, writes are refused. It can still be read. */
  close(): void;

  /** Frees its memory at once instead of when it is collected. It must not be used afterwards. */
  free(): void;
}

/** What a controller reads, and what of it wakes the controller. */
export interface Input extends Kind {
  /** Only this one of them. */
  id?: string | null;
  /**
   * - `strong`: every change wakes, and the controller may hold a finalizer on it. The default of primary inputs.
   * - `weak`: every change wakes. The default of others.
   * - `destroy_ready`: wakes only when one that belongs to the controller can be destroyed.
   */
  strength?: "strong" | "weak" | "destroy_ready" | null;
}

/** An input of a queue controller. */
export interface QueueInput<Spec = any> extends Input {
  /** Whether there is a run for each resource of this input that changed. */
  primary?: boolean;
  /**
   * Which resources of the primary inputs a changed one is about. Default `same_id`. A function is shown the resource as
   * it was and as it is, one after the other.
   */
  map?: "same_id" | "none" | { label: string } | ((resource: Resource<Spec>, cx: Context) => readonly Key[]) | null;
}

/** What a controller writes. */
export interface Output {
  /** Any when absent. */
  namespace?: string | null;
  kind: string;
  /** Whether others may write it too; each writes what it created. Default `exclusive`. */
  sharing?: "exclusive" | "shared";
  /** Whether it only tears down and destroys what is there. Default `false`. */
  removes_only?: boolean;
}

/**
 * What a run that went well asks for: nothing, another run after so many milliseconds, or to be counted as a run that did
 * nothing, for this reason. What fails throws, and is tried again, later and later; with `terminal: true` on the error
 * only once the spec or phase of an input has changed, with `retry_after: ms` after that time. Each is written to the console,
 * unless the runtime was told not to, and is `last_error` in {@link Runtime.inspect}.
 */
export type Action = void | null | undefined | { requeue_after: number } | { skip: string };

interface Declared {
  /** Its id: whose resources are its own, and the finalizer it holds. Keep it for ever. */
  id: string;
  /** Ids it had earlier. */
  formerly?: readonly string[];
  outputs?: readonly Output[];
}

/** A controller with one run over everything, at the start and whenever inputs changed, however much. */
export interface WholeController extends Declared {
  style?: "whole";
  inputs?: readonly Input[];
  reconcile(cx: Context): Action | Promise<Action>;
}

/** A controller with a run for each resource of its primary inputs that may need one; never two for one at a time. */
export interface QueueController extends Declared {
  style: "queue";
  inputs: readonly QueueInput[];
  /** So many runs at a time. Default 1. */
  concurrency?: number | null;
  /** The resource may be gone by then: then its outputs should go. */
  reconcile(cx: Context, key: Key): Action | Promise<Action>;
}

/** A controller with one run that goes on for ever, and waits with {@link Context.woken}. */
export interface ManualController extends Declared {
  style: "manual";
  inputs?: readonly Input[];
  run(cx: Context): void | Promise<void>;
}

/** A controller. */
export type Controller = WholeController | QueueController | ManualController;

/**
 * What a run of a controller can do: read its inputs, write its outputs, nothing else. Each call is checked against
 * what was declared; what was not is `runtime/access-denied`. It is of its run: afterwards calls throw `runtime/run-ended`,
 * but for `requeue` and `wake`, and once the runtime has stopped all throw `runtime/cancelled`.
 *
 * Write through it and not through the store: what a controller writes behind its back is in no graph, and a loop of such
 * writes is not noticed.
 */
export interface Context {
  /** The controller's id. */
  readonly id: string;
  /** Aborted when the run is cancelled, because the runtime stopped: for `fetch`. Not in `map`. */
  readonly signal?: HostSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
  get<Spec = Json>(key: Key): Resource<Spec> | null;
  list<Spec = Json>(kind: Kind, query?: Query | null): Snapshot<Spec>;
  commit(operations: readonly Operation[]): Committed;
  /** A new resource, which will be the controller's. */
  create<Spec = Json>(draft: Draft<Spec>): Resource<Spec>;
  /**
   * The controller's resource of this key says this from now on, whether there was one or not. Of one that is there, owner
   * and finalizers are unchanged.
   */
  put<Spec = Json>(draft: Draft<Spec>): Resource<Spec>;
  update<Spec = Json>(resource: Resource<Spec>, options?: Omit<UpdateOptions, "owner"> | null): Resource<Spec>;
  /** It shall go. Whether nobody needs it any more. */
  teardown(key: Key): boolean;
  destroy(key: Key): void;
  /** Tears down and destroys what is the controller's. Whether it is gone; a destroy-ready input tells when to come back. */
  remove(key: Key): boolean;
  /** Removes what is the controller's of a kind and this run has not created, put or updated. Whether all of it is gone. */
  pruneUntouched(kind: Kind): boolean;
  /** The controller needs this strong input from now on. */
  hold(key: Key): Resource;
  /** The controller no longer needs this input. One that is gone is no error. */
  release(key: Key): void;
  /** Whether the controller holds this resource. */
  holds(resource: Resource<any>): boolean;
  /** Whether this resource belongs to the controller. */
  owns(resource: Resource<any>): boolean;
  /** The same rights, but writing what belongs to the user. */
  asUser(): Context;
  /** Waits so many milliseconds. */
  sleep(millis: number): Promise<void>;
  /** Has a queue controller run for this key after so many milliseconds, or sooner. */
  requeue(key: Key, millis: number): void;
  /** Has a whole-set or manual controller wake after so many milliseconds, or sooner. */
  wake(millis: number): void;
  /** For a manual controller: waits until an input has changed since the last time. At once the first time. */
  woken(): Promise<void>;
  /** Other inputs from now on; not for queue controllers. */
  setInputs(inputs: readonly Input[]): void;
}

/** How a runtime behaves. */
export interface RuntimeOptions {
  /** What the jitter of back-offs, and a shuffled schedule, come from. Default: at random. */
  seed?: number;
  /** Whether what a controller throws is written to the console, once until it throws something else. Default `true`. */
  log?: boolean;
  /** Whether anyone goes first instead of who waited longest: to find mistakes. Default `false`. */
  shuffled?: boolean;
  /** After so many milliseconds of work the host gets its turn. Default 8. */
  slice_ms?: number;
  /** A longer chain of runs, each woken by what the one before wrote, is taken for a loop. Default 1000. */
  longest_chain?: number;
  /** What is tearing down for longer than this shows in the graph as stuck. Default 60000. */
  stuck_ms?: number;
}

/** How a controller is run. */
export type Style = "whole" | "queue" | "manual";

/** What a controller is doing. */
export type State = "stopped" | "idle" | "waiting" | "back_off" | "queued" | "running" | "finished";

/** How a runtime is at a moment. */
export interface Inspection {
  at: number;
  running: boolean;
  controllers: ControllerView[];
  kinds: KindView[];
}

/** How a controller is. */
export interface ControllerView {
  id: string;
  style: Style;
  state: State;
  /** How many jobs wait. */
  queue: number;
  /** How many runs are under way. */
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
  /** How many jobs it has given up on until something significant changes. */
  given_up: number;
  /** Whether it looks like a part of a loop of writes that does not settle. */
  livelock: boolean;
}

/** How a kind is. */
export interface KindView extends KindStats {
  tearing_down: number;
}

/** Who works for whom. Ids are stable. */
export interface Graph {
  controllers: ControllerNode[];
  kinds: KindNode[];
  /** By controller: outputs, then inputs. */
  edges: Edge[];
  /** What is wrong with it. */
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
  /** How often it woke the controller, or the controller wrote. */
  count: number;
  livelock: boolean;
}

/** Something wrong with what was declared, or with what has shown. */
export interface Lint {
  /** A stable name, such as `runtime/teardown-cycle`. */
  code: string;
  /** One line for people. */
  message: string;
  /** The controllers it is about. */
  controllers: string[];
  /** The kinds it is about. */
  kinds: Kind[];
}

/**
 * Controllers at work on one store, all in one thread, between other things. It runs once.
 *
 * An idle runtime has no timer: Node ends the process when nothing else keeps it.
 */
export class Runtime {
  constructor(store: Store, options?: RuntimeOptions | null);

  /** Adds a controller, before the start or after it. Nothing of one that is refused is kept. */
  register(controller: Controller): void;

  /** Runs the controllers; the promise is kept when the runtime has stopped, or the store was closed. */
  run(): Promise<void>;

  /** Ends it. Runs under way are cancelled: their context refuses everything from then on; what they committed stays. */
  stop(): void;

  /** Who works for whom, with counters, and what is wrong with it. */
  graph(): Graph;

  /** The graph as text for Graphviz or Mermaid. */
  graphText(format: "dot" | "mermaid"): string;

  /** How the controllers are: cheap enough to ask several times a second. */
  inspect(): Inspection;

  /** Stops it and frees its memory at once instead of when it is collected. It must not be used afterwards. */
  free(): void;
}
