/**
 * Plans deployments. The input is a set of files; the output is diagnostics, the merged document with the origin of every
 * value, the dependency graph and the plan. Methods return plain data, the same JSON as the command line.
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

/**
 * Loads capabilities, so that the methods that need them can be called. This is never necessary in Node, where each
 * capability is read when it is first needed.
 *
 * - `linking`: manifests of BOSH, expressions over links, `links`, `linksSince`, `linksMap`, `previewTemplate`
 * - `versions`: catalogs, locks, problems, packages in payloads, `resolution` and the methods after it, `solve`
 * - `comparison`: `compare`
 * - `documents`: `mergedYaml`, `graphText`, `layout`, `jsonSchema`, `readPackage`, `writePackage`
 * - `editing`: `hover`, `complete`, `definition`, `setValue`
 * - `refactoring`: `references`, `rename`, `outline`, `format`
 * - `reports`: `report`
 * - `services`: specifications, what is generated from them, `openService`; `service_commands`: {@link Service.execute}
 * - `simulation`, `adapters`: what `planloom/simulation` and `planloom/adapters` load themselves
 *
 * A method whose capability is not loaded throws `capability/not-loaded`; a file whose capability is not loaded has a
 * diagnostic with that code. {@link Workspace.ready} loads what the files need.
 *
 * @throws {@link PlanloomError} `capability/not-loaded` when a file cannot be fetched; it may then be called again.
 */
export function load(...capabilities: Capability[]): Promise<void>;

/**
 * The error that a method throws when it is called incorrectly. Mistakes in descriptors are never thrown: they are diagnostics.
 */
export interface PlanloomError extends Error {
  /**
   * - `wasm/bad-argument`: an argument has the wrong type, or an option is unknown.
   * - `wasm/bad-package`: a zip package is refused; the message says why.
   * - `wasm/not-ready`: `init()` has not finished.
   * - `worker/ended`: the worker was terminated, or could not be loaded.
   */
  code: "wasm/bad-argument" | "wasm/bad-package" | "wasm/not-ready" | "capability/not-loaded" | "worker/ended";
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

/** Options of {@link Workspace.merged}. */
export interface MergeOptions {
  /** Also return the origin of every value. Default `false`. */
  origins?: boolean;
}

/** Options of {@link Workspace.plan}. */
export interface PlanOptions {
  /** The recorded state (`planloom.state/1`), as JSON text or as an object. Nothing recorded when absent. */
  state?: string | object | null;
  /** The observed resources (`planloom.observed/1`), as JSON text or as an object. Default: as recorded. */
  observed?: string | object | null;
  /** The file name of the state in diagnostics. Default `state.json`. */
  state_file?: string | null;
  /** The file name of the observed resources in diagnostics. Default `observed.json`. */
  observed_file?: string | null;
  /** Plan to destroy all recorded resources. Default `false`. */
  destroy?: boolean;
  /** When an action causes actions on dependents: if a value that they use changes (`values`, the default), or always (`all`). */
  knock_on?: KnockOn | null;
  /** Also list `no_op` and `forget` actions. Default `false`. */
  list_unchanged?: boolean;
}

/** Options of {@link Workspace.report}: those of a plan, and these. */
export interface ReportOptions extends PlanOptions {
  /** The command. */
  command: ReportCommand;
  /** The format. Default `text`. */
  format?: ReportFormat;
  /** For `merge` as `json`: also the origin of every value. Default `false`. */
  origins?: boolean;
  /** The folders that names of files are relative to, for `sarif` and `github`. */
  checkout?: Partial<Checkout>;
  /** The place of a state that does not exist yet, which is reported as a hint. */
  missing_state?: string | null;
  /** Why files could not be read. If there is a problem, nothing else is reported. */
  problems?: readonly Diagnostic[];
  /** The documentation of codes, for the rules of `sarif`: the `codes` of `planloom/codes.json`. Default: titles only. */
  codes?: readonly CodeDocumentation[];
}

/** A service in memory. */
export class Service {
  private constructor();

  /** The response to a request. Of a watch it has what is there at once. A body that is not text is sent as JSON. */
  send(request: {
    method: string;
    path: string;
    headers?: { readonly [name: string]: string };
    body?: Json;
    /** How many seconds pass before it, besides the one that passes before each request. */
    wait_seconds?: number;
  }): ServiceResponse;

  /**
   * Executes a command: a step of a transaction that stays open, a call of a client, a watcher, a read through a cache, what
   * projects have used, fixtures. What is refused is an `error` of the result. The fixtures are those that the workspace has now.
   */
  execute(command: ServiceCommand): ServiceResult;

  /** Releases its memory. */
  close(): void;
}

/**
 * Descriptor files in merge order, and the results that are computed from them.
 *
 * Every method is synchronous and may be called at any time. Results are computed when they are first requested, and
 * only once for the same texts. Whole numbers that JavaScript cannot hold exactly (from 2^53) are strings.
 */
export class Workspace {
  /** An empty workspace with the built-in kinds. */
  constructor();

  /**
   * Loads the capabilities that the files need, and returns those that it loaded.
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

  /** The format and role of each file, in the same order. */
  files(): FileView[];

  /**
   * What the files need from outside, such as resources of services that fixtures are repeated for, and that was not answered. A
   * plan without it is refused.
   */
  needs(): NeedView[];

  /**
   * Answers a need: `null` for no, a text, or a list of resources. The files are read again with it, and may need more. False if
   * they do not need that.
   */
  answer(need: NeedView, answer: null | string | object[]): boolean;

  /** Adds or overrides kinds with definition files. Replaces those of an earlier call. */
  setTypes(files: readonly File[]): void;

  /** Whether unknown keys are only warnings. They are errors in a new workspace. */
  setLenient(lenient: boolean): void;

  /**
   * Release job specs of BOSH, named `<release>__<job>.yml`, beside those among the files. Replaces those of an earlier
   * call.
   */
  setReleases(files: readonly File[]): void;

  /** The rules that links are checked against; `strict` in a new workspace. */
  setProfile(name: LinkProfile): void;

  /** The errors, warnings and hints of the files. */
  diagnostics(): Check;

  /** The merged document; with `{ origins: true }` also the origin of every value. */
  merged(options: MergeOptions & { origins: true }): MergeWithOrigins;
  merged(options?: MergeOptions | null): Merge;

  /** The merged document as YAML text. */
  mergedYaml(): string;

  /**
   * The origin of the value at a path of the merged document; `null` if there is no value.
   * @param pointer RFC 6901, e.g. `/services/web/payload`.
   */
  origin(pointer: string): Origin | null;

  /** The dependency graph. */
  graph(): Graph;

  /** The dependency graph as text in another format. */
  graphText(format: GraphFormat): string;

  /** The dependency graph with the coordinates for drawing it. */
  layout(): Layout;

  /** The link of each consumer, its outcome, and the verdict on each candidate. */
  links(): Links;

  /** The links, each with its change since an earlier result of `links()`. */
  linksSince(before: Links): Links;

  /**
   * A template of a job (`owner` is `"group/job"`) or a text of a service (`owner` is its address), rendered with the
   * links and properties of its owner. Ruby is not run: expressions over links and properties are evaluated, and all
   * other code is reported. `name` is the name of the template in diagnostics.
   */
  previewTemplate(owner: string, text: string, name?: string | null): TemplatePreview;

  /** The graph of providers and consumers, with the coordinates for drawing it. */
  linksMap(): LinkMap;

  /**
   * Catalogs of OLM beside those among the files, in any of their forms. Files with one `package` are one catalog of
   * that name. Replaces those of an earlier call.
   */
  setCatalogs(files: readonly File[]): void;

  /** Sets how versions are chosen. Replaces the options of an earlier call. */
  setVersions(options: VersionOptions): void;

  /** The chosen versions with the reasons; or the conflict and its fixes. */
  resolution(): Resolution;

  /** The resolution with other ranges for some requirements, e.g. `{ "payloads.queue": "^2.0.0" }`. */
  resolutionIf(ranges: { readonly [requirement: string]: string }): Resolution;

  /** The changes that are necessary for a bundle (`catalog:package:version:channel`) or a variable to be chosen. */
  whatWouldMove(id: string): Move;

  /** The upgrades between the versions of a package; `null` where no catalog has it. */
  upgrades(package_: string): Upgrades | null;

  /** The same upgrades as a Mermaid diagram. */
  upgradesMermaid(package_: string): string | null;

  /** The services that specifications describe: names, methods, routes, permissions. */
  specification(): SpecificationAnswer;

  /** What is generated from the specifications: types, an OpenAPI document and others. */
  generated(artifact: GeneratedArtifact): Generated;

  /** What changed in the services since the version that another workspace has, each change with its class. */
  serviceChanges(before: Workspace): ServiceDifference;

  /** The kinds of the services with their parents and references, what the services import, and deletions that can get stuck. */
  serviceGraph(): ServiceGraph;

  /** The same graph in the language of Graphviz or Mermaid. */
  serviceGraphText(format: ServiceGraphFormat): string;

  /**
   * What the specification says of a cache: where a list is filed by its parent and its filter, or which lists the write of a
   * resource deletes from the cache. Nothing is cached here.
   */
  cached(question: CacheQuestion): CacheAnswer;

  /** What a text is a name of, among the resources of the services. */
  resourceName(text: string): NameAnswer;

  /** The services in their newest versions, with what depends on what, and examples of resources. */
  serviceOverview(): ServiceOverview;

  /**
   * Resources of a kind, merged in order: each field by the behavior that the specification gives it. `null` if there is no such
   * kind, or no resource.
   * @param type The kind, with its service.
   */
  mergeResources(type: string, resources: readonly object[]): { [field: string]: Json } | null;

  /**
   * What a text is, a name of a resource or a request such as `GET /v1/books?filter=title = "One"`; otherwise what is wrong and
   * where. Filters, orders and masks of a request are shown as they are read.
   */
  nameOrRequest(text: string): NameOrRequest;

  /**
   * What the deletion of an example resource would do. `resources` is a YAML list of resources; with `null` the fixtures of the
   * workspace count. Without `remove` it is only checked which resources are valid.
   */
  deletionTrial(resources: string | null, remove?: NamedResource | null): DeletionTrial;

  /** What changed between two files of the workspace that specify versions of a service. */
  changesBetween(before: string, after: string): ServiceDifference;

  /**
   * A service in memory with the API of the specifications, without resources; `null` if two versions of a service cannot be
   * served together. The same requests get the same responses.
   */
  openService(options?: ServiceOptions): Service | null;

  /** The chosen versions as the text of `planloom.lock`; `null` if nothing is chosen. */
  lock(): string | null;

  /** The files with an `ActiveResolution`, each with the outcome in its `status`. */
  withStatus(): File[];

  /** The changes that are required, compared with the recorded and the observed resources. Nothing is applied. */
  plan(options?: PlanOptions | null): Plan;

  /**
   * How the files of the workspace differ from others, or from a state: resources, values with where each side writes them,
   * dependencies, and what an apply would do where `before` is deployed. Secrets are not shown. The workspace is not changed.
   */
  compare(before: { readonly files: readonly File[] } | { readonly state: Json }): Comparison;

  /**
   * What the command line prints: text, JSON, SARIF, or annotations of GitHub. Secrets are removed. `merge` as `text` also needs the
   * capability `documents`.
   */
  report(options: ReportOptions): Report;

  /** Information about a position in a file; `null` if there is none. */
  hover(file: string, line: number, column: number, options?: PlanOptions | null): Hover | null;

  /** The completions at a position. */
  complete(file: string, line: number, column: number): Completion[];

  /** The declaration of the name at a position; `null` if the position has no name. */
  definition(file: string, line: number, column: number): Location | null;

  /** Every place that names what is named at a position, in all files; `null` if the position has no name. */
  references(file: string, line: number, column: number): References | null;

  /**
   * The edits that give the resource or part that is named at a position another name, in all files, or the reason why
   * that is not possible. The workspace is not changed.
   * @param recorded Whether a state records the resource: then a `moved` record is among the edits, so that a plan does not
   *   destroy it.
   */
  rename(file: string, line: number, column: number, name: string, recorded?: boolean): Rename | { refused: string };

  /** The entries of a descriptor, down to the fields of its resources. */
  outline(file: string): OutlineItem[];

  /**
   * The edits that format a file: indentation, spaces, blank lines. Values and comments stay as they are. A file with
   * errors is not formatted, and they are returned. The workspace is not changed.
   */
  format(file: string): FormattedFile;

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
   * @param name The name of the package.
   * @throws {@link PlanloomError} `wasm/bad-package` when it is not a zip file, contains a file that is not allowed in packages, or has no YAML file at its root.
   */
  static readPackage(name: string, bytes: ArrayBuffer | ArrayBufferView): File[];

  /** The files as a zip package. */
  writePackage(): Uint8Array & { readonly buffer: ArrayBuffer };

  /** Frees the memory immediately, instead of when the workspace is garbage-collected. It cannot be used afterwards. */
  free(): void;
}

/** An error, warning or hint, with or without a location (an empty set of files has none). */
export type Diagnostic = DiagnosticBody & (Location | { [Key in keyof Location]: null });

/** A diagnostic without its location. */
export type DiagnosticBody = Omit<DiagnosticFields, keyof Location>;

/** The result of {@link Workspace.merged} with `{ origins: true }`. */
export interface MergeWithOrigins extends Merge {
  origins: { [pointer: string]: Origin };
}

/** An entity that can be selected, with its properties. */
export interface Entity {
  id: string;
  readonly properties?: { readonly [name: string]: Json };
}

/** Entities in memory, in the order in which they were given. If two have the same id, the first is used. */
export class Entities<E extends Entity = Entity> implements Iterable<E> {
  constructor(entities?: Iterable<E>);
  /** The entity with this id. */
  get(id: string): E | undefined;
  /** The entities for which the function returns `true`. */
  filter(holds: (entity: E) => boolean): E[];
  /** The entities by key; an entity may have several keys or none. */
  groupBy(keys: (entity: E) => string | readonly string[] | null | undefined): Map<string, E[]>;
  [Symbol.iterator](): IterableIterator<E>;
}

/** A variable, which is selected or not, with its constraints. */
export interface Variable {
  id: string;
  constraints?: readonly Constraint[];
}

/** A constraint; `text` replaces its description in messages. */
export type Constraint =
  | "mandatory"
  | "prohibited"
  | ({ text?: string } & (
      | { mandatory: true }
      | { prohibited: true }
      /** If the subject is selected, so is at least one of these; earlier ones are preferred. */
      | { dependency: readonly string[] }
      | { conflict: string }
      | { at_most: { n: number; of: readonly string[] } }
      | { and: readonly Constraint[] }
      | { or: readonly Constraint[] }
      | { not: Constraint }
    ));

/** A problem for {@link solve}: variables, and sources that generate more of them from entities, in order. */
export interface Problem<E extends Entity = Entity> {
  variables?: readonly Variable[];
  entities?: Iterable<E> | Entities<E>;
  sources?: readonly ((entities: Entities<E>) => readonly Variable[])[];
}

/** Functions that are called while a problem is solved. If one of them throws, the search ends and {@link solve} throws the same. */
export interface SolveOptions {
  /**
   * Returns a variable that constraints name and the problem does not have, with the variables that belong to it, such as
   * one with an `at_most` constraint. It is called once for each id, when the search reaches it. The result must depend
   * on the id only.
   */
  expand?: (id: string) => readonly Variable[] | null | undefined;
  /** Called before the search, with the number of variables. */
  before?: (variables: number) => void;
  /** Called at each step. Steps may be reverted: after a conflict, earlier choices are made again. */
  trace?: (event: SolveEvent) => void;
  /** Called after the search. */
  after?: (outcome: Exclude<Outcome, "refused" | "empty">) => void;
  /** Called at intervals; `true` cancels the search. */
  isCancelled?: () => boolean;
  /** The maximum number of steps of the search; a million steps take about ten milliseconds. */
  steps?: number;
}

/** A step of a search. */
export type SolveEvent =
  | { event: "candidate"; subject: string; candidate: string; verdict: CandidateVerdict }
  | { event: Exclude<SolveEventKind, "candidate"> };

/**
 * Solves a problem: returns the preferred selection that satisfies every constraint, or the conflict. Choices are made in
 * the order in which they arise. Each takes its first candidate for which the rest of the problem can be satisfied.
 * @param problem Variables, or a document `planloom.problem/1` as text.
 * @throws {@link PlanloomError} `wasm/bad-argument` when the argument is not a problem; mistakes in a problem are diagnostics.
 */
export function solve<E extends Entity = Entity>(problem: Problem<E> | string, options?: SolveOptions | null): Resolution;

/** Options of {@link Workspace.setVersions}. */
export interface VersionOptions {
  /** The rules that versions are chosen by. Default `v1`, or `phase0` for an `ActiveResolution`. */
  profile?: VersionProfile | null;
  /** The version of OpenShift that bundles have to support, e.g. `4.21`. */
  openshift?: string | null;
  /** The version of Kubernetes, e.g. `1.31.2`. */
  kubernetes?: string | null;
  /** Ignore the versions in `planloom.lock`. */
  fresh?: boolean;
  /** The priorities of catalogs, by name. Of the catalogs without one, those that are given first have higher priority. */
  priorities?: { readonly [catalog: string]: number };
}

/** An action of a plan, by `action`. */
export type Action = NecessaryAction | NoOpAction;

/** The properties that every action has. */
export type ActionBody = Omit<ActionFields, "action" | "reason">;

/** An action that has a reason. */
export interface NecessaryAction extends ActionBody {
  /** What happens to the resource. */
  action: Exclude<ActionKind, "no_op">;
  /** The reason of the action. */
  reason: Reason;
}

/** No change; listed with `list_unchanged`. */
export interface NoOpAction extends ActionBody {
  action: "no_op";
  reason: null;
}

/** The reason of an action, by `kind`. */
export type Reason = DirectReason | KnockOnReason;

/** A reason that concerns the resource itself. */
export interface DirectReason extends Omit<ReasonFields, "kind" | "cause" | "via"> {
  kind: Exclude<ReasonKind, "knock_on">;
}

/** An action on a resource that this one needs. */
export interface KnockOnReason extends Omit<ReasonFields, "kind" | "cause" | "via"> {
  kind: "knock_on";
  /** The action that caused it. */
  cause: string;
  /** The dependency between the two resources. */
  via: Via;
}

// What follows is generated from the Rust types of the views.
