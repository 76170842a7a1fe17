/**
 * Shows what a deployment will do: files in; diagnostics, the merged document with the origin of every value, the
 * dependency graph and the plan out. What methods return is plain data: the JSON of the command line.
 *
 * Lines and columns count from 1, columns in characters (Unicode code points).
 *
 * @example
 * ```js
 * import { init, Workspace } from "planloom";
 *
 * await init(); // in browsers; in Node it is already loaded
 * const workspace = new Workspace();
 * workspace.setFiles([{ name: "base.yaml", text: "services: {}" }]);
 * console.log(workspace.diagnostics().diagnostics);
 * ```
 *
 * @packageDocumentation
 */

/**
 * Loads the WebAssembly file. Call it once before anything else in browsers; more calls wait for the first.
 * In Node the file is loaded on import and this does nothing.
 *
 * @param source Where the file is; a URL (by default of `planloom_bg.wasm` beside this module), a `Response` or a promise of
 *   one, the bytes, or a compiled `WebAssembly.Module`.
 * @throws when the file cannot be fetched or compiled; it may then be called again.
 */
export function init(source?: string | object): Promise<void>;

/** What is not loaded with the core: a file of its own each. */
export type Capability = "documents" | "editing" | "linking" | "versions";

/**
 * Loads capabilities, so that what needs them can be called. In Node this is never necessary: there each is read when
 * something needs it.
 *
 * - `linking`: manifests of BOSH, expressions over links, `links`, `linksSince`, `linksMap`, `previewTemplate`
 * - `versions`: catalogs, locks, problems, packages in payloads, `resolution` and what follows it, `solve`
 * - `documents`: `mergedYaml`, `graphText`, `layout`, `jsonSchema`, `readPackage`, `writePackage`
 * - `editing`: `hover`, `complete`, `definition`, `setValue`
 *
 * What needs one that is not loaded throws `capability/not-loaded`; files that need one are told by diagnostics of that
 * code. {@link Workspace.ready} loads what the files need.
 *
 * @throws {@link PlanloomError} `capability/not-loaded` when a file cannot be fetched; it may then be called again.
 */
export function load(...capabilities: Capability[]): Promise<void>;

/**
 * What is thrown when a method is called wrongly. Mistakes in descriptors are never thrown: they are diagnostics.
 */
export interface PlanloomError extends Error {
  /**
   * - `wasm/bad-argument`: an argument has the wrong type, or an option is unknown.
   * - `wasm/bad-package`: a zip package is refused; the message says why.
   * - `wasm/not-ready`: `init()` has not finished.
   */
  code: "wasm/bad-argument" | "wasm/bad-package" | "wasm/not-ready" | "capability/not-loaded";
}

/** JSON data. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One descriptor file. */
export interface File {
  /** Its name, unique in the workspace. */
  name: string;
  /** Its text. */
  text: string;
  /** The zip package it came from: among files of one package there is no order. */
  package?: string;
}

/** What to merge for. */
export interface MergeOptions {
  /** Also say where every value came from. Default `false`. */
  origins?: boolean;
}

/** What to plan for. */
export interface PlanOptions {
  /** The recorded state (`planloom.state/1`), as JSON text or as an object. Nothing recorded when absent. */
  state?: string | object | null;
  /** What adapters saw (`planloom.observed/1`), as JSON text or as an object. Taken to be as recorded when absent. */
  observed?: string | object | null;
  /** What diagnostics call the state. Default `state.json`. */
  state_file?: string | null;
  /** What diagnostics call the observed state. Default `observed.json`. */
  observed_file?: string | null;
  /** Plan the removal of everything that is recorded. Default `false`. */
  destroy?: boolean;
  /** When dependents act: when a value they take changes (`values`, the default), or always (`all`). */
  knock_on?: KnockOn | null;
  /** Also list `no_op` and `forget` actions. Default `false`. */
  list_unchanged?: boolean;
}

/**
 * Descriptor files in merge order, and what they mean.
 *
 * Every method is synchronous and may be called at any time; nothing is computed before it is asked for, and nothing
 * twice for the same texts. Whole numbers that JavaScript cannot hold exactly (from 2^53) are strings.
 */
export class Workspace {
  /** An empty workspace with the built-in kinds. */
  constructor();

  /**
   * Loads the capabilities that the files need, and says which it loaded.
   *
   * @throws {@link PlanloomError} `capability/not-loaded` when one cannot be fetched; it may then be called again.
   */
  ready(): Promise<Capability[]>;

  /** The capabilities that the files need and that are not loaded. */
  notLoaded(): Capability[];

  /** Replaces all files; the order is the merge order. Files whose text did not change are not read again. */
  setFiles(files: readonly File[]): void;

  /** Changes one file's text; adds it at the end when there is none of that name. */
  setFile(name: string, text: string): void;

  /** The files with their texts, in merge order. */
  texts(): File[];

  /** What each file is, in the same order. */
  files(): FileView[];

  /** Adds or overrides kinds with definition files. Replaces those of an earlier call. */
  setTypes(files: readonly File[]): void;

  /** Whether unknown keys are only warnings. They are errors in a new workspace. */
  setLenient(lenient: boolean): void;

  /**
   * Release job specs of BOSH, named `<release>__<job>.yml`, beside those among the files. Replaces those of an earlier
   * call.
   */
  setReleases(files: readonly File[]): void;

  /** Whose rules count for links; `strict` in a new workspace. */
  setProfile(name: LinkProfile): void;

  /** Everything that is wrong with the files. */
  diagnostics(): Check;

  /** The merged document; with `{ origins: true }` also where every value came from. */
  merged(options: MergeOptions & { origins: true }): MergeWithOrigins;
  merged(options?: MergeOptions | null): Merge;

  /** The merged document as YAML text. */
  mergedYaml(): string;

  /**
   * Where the value at a place of the merged document came from; `null` when there is nothing.
   * @param pointer RFC 6901, e.g. `/services/web/payload`.
   */
  origin(pointer: string): Origin | null;

  /** The dependency graph. */
  graph(): Graph;

  /** The dependency graph as text in another format. */
  graphText(format: GraphFormat): string;

  /** The dependency graph with places to draw it at. */
  layout(): Layout;

  /** Who provides what for whom, what became of each consumer, and why. */
  links(): Links;

  /** The same, with what became of each link since an earlier answer of `links()`. */
  linksSince(before: Links): Links;

  /**
   * A job's template (`owner` is `"group/job"`) or a text of a service (its address), filled in with what that learns
   * of its links. Ruby is not run: what only asks for links and properties is filled in, anything else is told.
   * `name` is the template's in diagnostics.
   */
  previewTemplate(owner: string, text: string, name?: string | null): TemplatePreview;

  /** Who needs whom through links, with places to draw it at. */
  linksMap(): LinkMap;

  /**
   * Catalogs of OLM beside those among the files, in any of their forms. Files with one `package` are one catalog of
   * that name. Replaces those of an earlier call.
   */
  setCatalogs(files: readonly File[]): void;

  /** How versions are chosen. Replaces what an earlier call said. */
  setVersions(options: VersionOptions): void;

  /** Which versions are chosen, and why; or why it can't be done, and what would help. */
  resolution(): Resolution;

  /** The same if requirements asked for other versions: ranges by who asks, e.g. `{ "payloads.queue": "^2.0.0" }`. */
  resolutionIf(ranges: { readonly [who: string]: string }): Resolution;

  /** What would have to change for a bundle (`catalog:package:version:channel`) or a variable to be chosen. */
  whatWouldMove(id: string): Move;

  /** The upgrades between the versions of a package; `null` where no catalog has it. */
  upgrades(package_: string): Upgrades | null;

  /** The same as text in the language of Mermaid. */
  upgradesMermaid(package_: string): string | null;

  /** What is chosen as the text of `planloom.lock`; `null` where nothing is. */
  lock(): string | null;

  /** The files that ask for packages by an `ActiveResolution`, with the outcome in its `status`. */
  withStatus(): File[];

  /** What has to change against what was recorded and what really exists. Nothing is carried out. */
  plan(options?: PlanOptions | null): Plan;

  /** What is known of a place in a file; `null` when it is nothing in particular. */
  hover(file: string, line: number, column: number, options?: PlanOptions | null): Hover | null;

  /** What can be written at a place. */
  complete(file: string, line: number, column: number): Completion[];

  /** Where the thing named at a place is declared; `null` when it names nothing. */
  definition(file: string, line: number, column: number): Location | null;

  /**
   * The edits that set a value of the merged document in one file, comments kept; `null` when it cannot be set there.
   * The workspace is not changed.
   * @param pointer RFC 6901.
   * @param yaml The value as YAML text.
   */
  setValue(file: string, pointer: string, yaml: string): Edit[] | null;

  /** The type definitions as a JSON Schema of a descriptor. */
  jsonSchema(): { [key: string]: Json };

  /**
   * The YAML files of a zip package, for {@link setFiles}.
   * @param name What to call the package.
   * @throws {@link PlanloomError} `wasm/bad-package` when it is not a zip, holds what no package should, or no YAML file at its root.
   */
  static readPackage(name: string, bytes: ArrayBuffer | ArrayBufferView): File[];

  /** The files as a zip package. */
  writePackage(): Uint8Array & { readonly buffer: ArrayBuffer };

  /** Gives the memory back at once; the workspace cannot be used afterwards. Otherwise the garbage collector does. */
  free(): void;
}

/** One thing that is wrong: at a place, or with no place at all (an empty set of files). */
export type Diagnostic = DiagnosticBody & (Location | { [Key in keyof Location]: null });

/** A diagnostic without its place. */
export type DiagnosticBody = Omit<DiagnosticFields, keyof Location>;

/** What {@link Workspace.merged} returns when asked for origins. */
export interface MergeWithOrigins extends Merge {
  origins: { [pointer: string]: Origin };
}

/** A thing that can be chosen, with what is known of it. */
export interface Entity {
  id: string;
  readonly properties?: { readonly [name: string]: Json };
}

/** Entities in memory, in the order in which they were given. Of two with one name the first counts. */
export class Entities<E extends Entity = Entity> implements Iterable<E> {
  constructor(entities?: Iterable<E>);
  /** One by its name. */
  get(id: string): E | undefined;
  /** Those that something holds for. */
  filter(holds: (entity: E) => boolean): E[];
  /** Them by keys; one may have several or none. */
  groupBy(keys: (entity: E) => string | readonly string[] | null | undefined): Map<string, E[]>;
  [Symbol.iterator](): IterableIterator<E>;
}

/** Something that is chosen or not, and what must hold. */
export interface Variable {
  id: string;
  constraints?: readonly Constraint[];
}

/** What must hold; `text` is how it is told to people. */
export type Constraint =
  | "mandatory"
  | "prohibited"
  | ({ text?: string } & (
      | { mandatory: true }
      | { prohibited: true }
      /** With the subject, at least one of these; earlier ones are preferred. */
      | { dependency: readonly string[] }
      | { conflict: string }
      | { at_most: { n: number; of: readonly string[] } }
      | { and: readonly Constraint[] }
      | { or: readonly Constraint[] }
      | { not: Constraint }
    ));

/** What {@link solve} is given: variables, and sources that generate more of them from entities, in order. */
export interface Problem<E extends Entity = Entity> {
  variables?: readonly Variable[];
  entities?: Iterable<E> | Entities<E>;
  sources?: readonly ((entities: Entities<E>) => readonly Variable[])[];
}

/** What is called while a problem is solved. What one of them throws ends the search, and is thrown on. */
export interface SolveOptions {
  /**
   * Variables that others speak of and that are not there, asked for when the search reaches them, once: the variable
   * and others that belong to it, such as one that says that only one of several may be chosen. What is told must
   * depend on the name alone.
   */
  expand?: (id: string) => readonly Variable[] | null | undefined;
  /** Before the search, with the number of variables. */
  before?: (variables: number) => void;
  /** At each step. Steps may be taken back: after a conflict earlier choices are made anew. */
  trace?: (event: SolveEvent) => void;
  /** After the search. */
  after?: (outcome: Exclude<Outcome, "refused" | "empty">) => void;
  /** Asked now and then: whether to break off. */
  isCancelled?: () => boolean;
  /** How much work the search may take; a million take about ten milliseconds. */
  steps?: number;
}

/** A step of a search. */
export type SolveEvent =
  | { event: "candidate"; subject: string; candidate: string; verdict: CandidateVerdict }
  | { event: Exclude<SolveEventKind, "candidate"> };

/**
 * The answer to a problem: what is chosen so that every constraint holds and what is preferred comes first, or why that
 * can't be done. Choices are made in the order in which they arise, each takes its first candidate that leaves
 * everything else possible.
 * @param problem Variables, or a document `planloom.problem/1` as text.
 * @throws {@link PlanloomError} `wasm/bad-argument` for what is no problem; mistakes in one are diagnostics.
 */
export function solve<E extends Entity = Entity>(problem: Problem<E> | string, options?: SolveOptions | null): Resolution;

/** What {@link Workspace.setVersions} takes. */
export interface VersionOptions {
  /** Whose rules count; `v1` when left out, `phase0` for an `ActiveResolution`. */
  profile?: VersionProfile | null;
  /** The version of OpenShift that bundles have to run on, e.g. `4.21`. */
  openshift?: string | null;
  /** The version of Kubernetes, e.g. `1.31.2`. */
  kubernetes?: string | null;
  /** What is locked does not count. */
  fresh?: boolean;
  /** The priorities of catalogs, by name; of those that are not named the ones that are given first count more. */
  priorities?: { readonly [catalog: string]: number };
}

/** One thing that has to happen, by `action`. */
export type Action = NecessaryAction | NoOpAction;

/** What every action has. */
export type ActionBody = Omit<ActionFields, "action" | "reason">;

/** An action that has a reason. */
export interface NecessaryAction extends ActionBody {
  /** Make it; change it in place; destroy it and make it again; destroy it; drop it from the record. */
  action: Exclude<ActionKind, "no_op">;
  /** Why. */
  reason: Reason;
}

/** Nothing to do; listed with `list_unchanged`. */
export interface NoOpAction extends ActionBody {
  action: "no_op";
  reason: null;
}

/** Why an action is needed, by `kind`. */
export type Reason = DirectReason | KnockOnReason;

/** A reason that lies in the resource itself. */
export interface DirectReason extends Omit<ReasonFields, "kind" | "cause" | "via"> {
  kind: Exclude<ReasonKind, "knock_on">;
}

/** Something happens to what the resource needs. */
export interface KnockOnReason extends Omit<ReasonFields, "kind" | "cause" | "via"> {
  kind: "knock_on";
  /** The action that caused it. */
  cause: string;
  /** Along which connection. */
  via: Via;
}

// What follows is generated from the Rust types of the views.
