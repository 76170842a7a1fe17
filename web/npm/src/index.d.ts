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

/** What a file is for. */
export type Role =
  | "layer"
  | "operations"
  | "release"
  | "catalog"
  | "lock"
  | "request"
  | "types"
  | "specification"
  | "fixtures"
  | "problem"
  | "state"
  | "observed"
  | "plan"
  | "other";

/** What a file is. */
export interface FileView {
  /** Its name. */
  name: string;
  /** Its format, e.g. `bosh-job-spec`. */
  format: string;
  /** The format in words, e.g. `job spec`. */
  title: string;
  /** What it is for. */
  role: Role;
  /** Its number among the layers that are merged, from 1; null for what is not merged into the described deployment. */
  layer: number | null;
  /** What reads it. */
  capability: "core" | "linking" | "versions";
  /** Why it is of that format, as a clause. */
  reason: string;
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

/** When dependents act because of what happens to what they need. */
export type KnockOn = "values" | "all";

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

/** A format of {@link Workspace.graphText}. */
export type GraphFormat = "dot" | "mermaid" | "svg";

/** A place in a file. */
export interface Location {
  /** The file's name. */
  file: string;
  /** Line of the first character. */
  line: number;
  /** Column of the first character. */
  column: number;
  /** Line after the last character. */
  end_line: number;
  /** Column after the last character. */
  end_column: number;
}

/** One thing that is wrong: at a place, or with no place at all (an empty set of files). */
export type Diagnostic = DiagnosticBody & (Location | { [Key in keyof Location]: null });

/** A diagnostic without its place. */
export interface DiagnosticBody {
  /** The stable name of this kind of mistake, e.g. `merge/kind-mismatch`. */
  code: string;
  /** An error makes a plan untrustworthy; a warning and a hint do not. */
  severity: "error" | "warning" | "hint";
  /** What is wrong. */
  message: string;
  /** Other places that belong to it. */
  related: Related[];
  /** What to do. */
  help: string | null;
  /** Edits that remove it, best first. */
  fixes: Fix[];
}

/** Another place that belongs to a diagnostic. */
export interface Related extends Location {
  /** What it has to do with it. */
  message: string;
}

/** An edit that removes a problem. */
export interface Fix {
  /** What it does, as a button would say it. */
  title: string;
  /** The edits, applied together. */
  edits: Edit[];
}

/** A replacement of text. */
export interface Edit extends Location {
  /** What stands there afterwards. */
  new_text: string;
}

/** What {@link Workspace.diagnostics} returns. */
export interface Check {
  format: "planloom.check/1";
  /** By file in merge order, then by place. */
  diagnostics: Diagnostic[];
}

/** What {@link Workspace.merged} returns. */
export interface Merge {
  format: "planloom.merge/1";
  /** The merged document; keys in merge order. */
  document: Json;
  /** Where every value came from, by RFC 6901 pointer; only when asked for. */
  origins?: { [pointer: string]: Origin };
  /** Values that nobody wrote: defaults and what rules put in. They are not part of `document`. */
  inferred: Inferred[];
  /** What was wrong. */
  diagnostics: Diagnostic[];
}

/** What {@link Workspace.merged} returns when asked for origins. */
export interface MergeWithOrigins extends Merge {
  origins: { [pointer: string]: Origin };
}

/** By which rule a value got where it is. */
export type Rule =
  | "set"
  | "deep"
  | "override"
  | "concatenate"
  | "replace"
  | "unique"
  | "by_key"
  | "reset"
  | "inferred"
  | "default";

/** Who wrote a value. */
export interface Origin extends Location {
  /** By which rule it got there. */
  rule: Rule;
  /** What it replaced, latest first. */
  shadowed: Shadowed[];
}

/** A value that nobody wrote. */
export interface Inferred {
  /** Where it would be written in the merged document, as an RFC 6901 pointer. */
  pointer: string;
  /** The value; `null` also when it must be hidden. */
  value: Json;
  rule: "default" | "inferred";
  /** Why it is there. */
  because: string;
  /** The place that it was put in for. */
  origin: Location;
}

/** A value that was replaced. */
export interface Shadowed extends Location {
  /** By which rule it had got there. */
  rule: Rule;
  /** The value; `null` also when it must be hidden. */
  value: Json;
}

/** How a resource is connected with what it needs. */
export type EdgeKind = "depends_on" | "reference" | "attachment" | "link" | "version";

/** What {@link Workspace.graph} returns. */
export interface Graph {
  format: "planloom.graph/1";
  /** The resources, in the order they are declared. */
  nodes: GraphNode[];
  /** The connections. */
  edges: GraphEdge[];
  /** What was wrong. */
  diagnostics: Diagnostic[];
}

/** One resource. */
export interface GraphNode {
  /** Its address, e.g. `services.web`. */
  address: string;
  /** Its kind. */
  kind: string;
  /** Its step of a parallel creation, from 0. */
  wave: number;
  /** Where it is declared. */
  origin: Location;
}

/** One connection: `from` depends on `to`. */
export interface GraphEdge {
  /** The dependent's address. */
  from: string;
  /** The address of what it needs. */
  to: string;
  /** How they are connected. */
  kind: EdgeKind;
  /** The attribute that says so. */
  path: string;
  /** Where it is written. */
  origin: Location;
  /** No longer way says the same: draw it. */
  direct: boolean;
}

/** The graph with places to draw it at; same order as in the graph. */
export interface Layout {
  graph: Graph;
  /** Each node's left, top, width and height. */
  boxes: [left: number, top: number, width: number, height: number][];
  /** Each edge's polyline; empty for edges that need not be drawn. */
  routes: [x: number, y: number][][];
  /** Width and height of it all. */
  size: [width: number, height: number];
}

/** Whose rules count: those of BOSH's director, or those and what it accepts in silence. */
export type LinkProfile = "bosh" | "strict";

/** What {@link Workspace.links} returns. */
export interface Links {
  format: "planloom.links/1";
  profile: LinkProfile;
  /** The deployments, the described one first. */
  deployments: string[];
  /** What is offered. */
  providers: Provider[];
  /** What is asked for, and what became of it. */
  links: Link[];
  /** Types that are provided more than once and consumed by nobody: the next consumer would be ambiguous. */
  latent: LatentConflict[];
  /** Owners that need each other through links, in circles: fine for links. */
  circles: string[][];
  /** Jobs whose links are not known because their spec was not given, as `release/job`, and how often they are deployed. */
  jobs_without_spec: { [job: string]: number };
  /** All that failed in the words of BOSH's director. */
  error: string | null;
  /** What became of links since an earlier answer; only from `linksSince()`. */
  changes?: LinkChange[];
  /** What was wrong. */
  diagnostics: Diagnostic[];
}

/** What became of a link. The consumer's deployment has to be deployed for it to have an effect. */
export interface LinkChange {
  /** The consumer's deployment. */
  deployment: string;
  /** The consumer's instance group; `null` for a native service. */
  instance_group: string | null;
  /** The consumer's job; `null` for a native service. */
  job: string | null;
  /** The native service's address; `null` for a job. */
  consumer: string | null;
  /** What the consumer calls the link. */
  link: string;
  /** `rewired`: it has another provider. `changed`: the same one tells something else. */
  change: "linked" | "unlinked" | "rewired" | "changed";
  /** Whom it had. */
  before: LinkProvider | null;
  /** Whom it has. */
  after: LinkProvider | null;
  /** What differs of what it learns, as RFC 6901 pointers into `content`. */
  paths: string[];
}

/** A template that was filled in, as far as that can be done without Ruby. */
export interface TemplatePreview {
  format: "planloom.preview/1";
  /** The text; `null` where something in the template is not run or went wrong. */
  text: string | null;
  /** What is not run, and what went wrong. */
  diagnostics: Diagnostic[];
}

/** Who provides: a job of an instance group, or a native service. */
export interface LinkProvider {
  /** Its deployment. */
  deployment: string;
  /** Its instance group; `null` for a native service. */
  instance_group: string | null;
  /** Its job; `null` for a native service. */
  job: string | null;
  /** The native service's address; `null` for a job. */
  address: string | null;
  /** The link's name as its maker gave it. */
  name: string;
  /** The name it goes by instead. */
  alias: string | null;
}

/** Something that is offered. */
export interface Provider extends LinkProvider {
  kind: "job" | "service" | "disk" | "variable";
  /** Its type. */
  type: string;
  /** Other deployments may have it. */
  shared: boolean;
  /** Somebody may have it. */
  consumable: boolean;
  /** What it tells of itself, secrets hidden. */
  properties: Json;
  /** Who got it: indices into {@link Links.links}. */
  links: number[];
  /** Where it is deployed. */
  origin: Location | null;
}

/** What became of a consumer. */
export type LinkOutcome = "linked" | "absent" | "manual" | "blocked" | "ambiguous" | "none_found" | "refused";

/** More about `absent` (the first two) and `refused`. */
export type LinkReason =
  | "no_provider"
  | "blocked"
  | "no_deployment"
  | "not_shared"
  | "network"
  | "contract"
  | "no_address"
  | "broken";

/** Something that is asked for, and what became of it. */
export interface Link {
  /** The consumer's deployment. */
  deployment: string;
  /** The consumer's instance group; `null` for a native service. */
  instance_group: string | null;
  /** The consumer's job; `null` for a native service. */
  job: string | null;
  /** The native service's address; `null` for a job. */
  consumer: string | null;
  /** What the consumer calls the link. */
  link: string;
  /** The type it needs. */
  type: string;
  /** It can do without. */
  optional: boolean;
  /** Whoever deploys it says something about it. */
  explicit: boolean;
  outcome: LinkOutcome;
  reason: LinkReason | null;
  /** Why, for people. */
  sentence: string;
  /** Whom it got. */
  provider: LinkProvider | null;
  /** Index of that provider in {@link Links.providers}. */
  provider_index: number | null;
  /** Who was looked at, the winner first. */
  considered: LinkCandidate[];
  /** How many more were looked at. */
  considered_more: number;
  /** What the consumer learns. */
  content: Json;
  /** What failed, in the words of BOSH's director. */
  error: string | null;
  /** Where the consumer is deployed, or where something is said of the link. */
  origin: Location | null;
}

/** A provider that was looked at. */
export interface LinkCandidate {
  /** Who. */
  provider: LinkProvider;
  /** Its index in {@link Links.providers}. */
  provider_index: number;
  /** What was found: the first rule that it does not meet. */
  verdict:
    | "matched"
    | "broken"
    | "blocked"
    | "not_shared"
    | "wrong_scope"
    | "wrong_name"
    | "other_deployment"
    | "wrong_type";
  /** Why it won or lost, for people. */
  sentence: string;
}

/** A type that is provided more than once and consumed by nobody. */
export interface LatentConflict {
  deployment: string;
  type: string;
  /** Who provides it: indices into {@link Links.providers}. */
  providers: number[];
}

/** What {@link Workspace.linksMap} returns. */
export interface LinkMap {
  /** The instance groups and services that provide or consume. */
  nodes: LinkNode[];
  /** Who needs whom: at most one edge from one owner to another. Circles are normal. */
  edges: LinkEdge[];
  /** Each node's left, top, width and height. */
  boxes: [left: number, top: number, width: number, height: number][];
  /** Each edge's polyline, from the consumer to the provider; empty for links of an owner to itself. */
  routes: [x: number, y: number][][];
  /** Width and height of it all. */
  size: [width: number, height: number];
}

/** An instance group or a service. */
export interface LinkNode {
  deployment: string;
  name: string;
  /** What it provides: indices into {@link Links.providers}. */
  providers: number[];
  /** What it consumes: indices into {@link Links.links}. */
  links: number[];
}

/** Links from one owner to another; indices into {@link LinkMap.nodes}. */
export interface LinkEdge {
  /** Who consumes. */
  from: number;
  /** Who provides; the same for links that an owner has to itself. */
  to: number;
  /** Indices into {@link Links.links}. */
  links: number[];
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
  after?: (outcome: "solved" | "unsolvable" | "stopped") => void;
  /** Asked now and then: whether to break off. */
  isCancelled?: () => boolean;
  /** How much work the search may take; a million take about ten milliseconds. */
  steps?: number;
}

/** A step of a search. */
export type SolveEvent =
  | { event: "candidate"; subject: string; candidate: string; verdict: "taken" | "implied" | "refused" }
  | { event: "conflict" | "restart" };

/**
 * The answer to a problem: what is chosen so that every constraint holds and what is preferred comes first, or why that
 * can't be done. Choices are made in the order in which they arise, each takes its first candidate that leaves
 * everything else possible.
 * @param problem Variables, or a document `planloom.problem/1` as text.
 * @throws {@link PlanloomError} `wasm/bad-argument` for what is no problem; mistakes in one are diagnostics.
 */
export function solve<E extends Entity = Entity>(problem: Problem<E> | string, options?: SolveOptions | null): Resolution;

/** Whose rules count for versions: OLM's versions 0 and 1, or those of its first proposal. */
export type VersionProfile = "v0" | "v1" | "phase0";

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

/** What {@link Workspace.resolution} returns. */
export interface Resolution {
  format: "planloom.resolve/1";
  profile: VersionProfile;
  /**
   * `stopped`: no answer within the steps that are allowed. `refused`: what is asked for is wrong in itself, see the
   * diagnostics. `empty`: nothing is asked for.
   */
  outcome: "solved" | "unsolvable" | "stopped" | "refused" | "empty";
  /** The outcome as a sentence. */
  sentence: string;
  /** What is asked for. */
  requirements: Requirement[];
  /** What was chosen, in the order in which it was asked for. */
  selection: Selected[];
  /** Facts that can't all be, none of which can be left out unless `left_out` says otherwise: the first of `conflicts`. */
  conflict: Fact[];
  /** All conflicts that have nothing to do with each other. */
  conflicts: VersionConflict[];
  /** What would help, each tried, the smallest first. */
  fixes: VersionFix[];
  /**
   * What is missing of the answer because the search for it took too long, a sentence each; not there where nothing is.
   */
  left_out?: string[];
  /** What differs from what is locked or installed. */
  changes: VersionChange[];
  /** The edits that write the outcome into the `status` of the `ActiveResolution` that asked. */
  status: Edit[];
  /** What there is to choose from. */
  catalogs: Catalog[];
  /** What was wrong. */
  diagnostics: Diagnostic[];
}

/** A package that is asked for. */
export interface Requirement {
  /** Who asks: `payloads.queue`, or a name. */
  name: string;
  package: string;
  /** Which versions; `null` for any. */
  version: string | null;
  /** Which channels; none for any. */
  channels: string[];
  /** Which catalog; `null` for any. */
  catalog: string | null;
  /** The id of what was chosen for it. */
  chosen: string | null;
  /** Where it is written. */
  origin: Location | null;
  /** Where its range of versions is written. */
  version_origin: Location | null;
}

/** Something that was chosen; of a problem's variable only its `id`. */
export interface Selected {
  /** `catalog:package:version:channel`, or the variable's name. */
  id: string;
  /** The catalog's name; left out for what is installed and in no catalog any more. */
  catalog?: string;
  package?: string;
  version?: string;
  /** The channel that it was taken from. */
  channel?: string;
  /** The bundle's name. */
  bundle?: string;
  /** Where its content is. */
  image?: string;
  /** Who asked for it: names of requirements, and ids of what was chosen besides. */
  wanted_by?: string[];
  /** It was there already. */
  is_installed?: true;
  /** The version that it takes the place of. */
  previous?: string;
  /** Why this one: the candidates in order of preference, and what ruled each of the earlier ones out. */
  considered?: Considered[];
  /** Where it is declared. */
  origin?: Location;
}

/** A candidate of a choice. */
export interface Considered {
  id: string;
  version: string;
  /** It is the one that was taken. */
  chosen: boolean;
  /** What ruled it out. */
  ruled_out_by: Fact[];
  /** Where it is declared. */
  origin: Location | null;
}

/** Something that holds, in words. */
export interface Fact {
  /** The sentence. */
  constraint: string;
  /** The variable that it is said of. */
  subject: string;
  kind: ConstraintKind;
  /** Where it was written. */
  origin: Location | null;
}

/** What a constraint asks for. */
export type ConstraintKind =
  | "mandatory"
  | "prohibited"
  | "conflict"
  | "dependency"
  | "at_most"
  | "and"
  | "or"
  | "not";

/** Facts that can't all be. */
export interface VersionConflict {
  /** One sentence for the whole. */
  summary: string;
  /** The facts, in an order in which they can be read. */
  facts: Fact[];
}

/** What would make it possible. It was tried. */
export interface VersionFix {
  /** What to do. */
  title: string;
  /** Which of the conflicts it takes away: an index. With several conflicts, each needs one. */
  conflict: number;
  /** The edits that do it; none where no text says what is to be changed. */
  edits: Edit[];
  /** What would be chosen then, by id. */
  selection: string[];
}

/** What became of a package. */
export interface VersionChange {
  package: string;
  /** `changed` is the same version from elsewhere. */
  change: "added" | "removed" | "up" | "down" | "changed";
  before: string | null;
  after: string | null;
}

/** What there is to choose from. */
export interface Catalog {
  name: string;
  /** Of several catalogs that offer the same, the one of higher priority counts. */
  priority: number;
  /** How many bundles there are. */
  bundles: number;
  /** Its packages by name. */
  packages: string[];
}

/** What {@link Workspace.whatWouldMove} returns. */
export interface Move {
  format: "planloom.move/1";
  /** The bundle's id, or the variable's name. */
  id: string;
  outcome: "solved" | "unsolvable";
  /** The outcome as a sentence. */
  sentence: string;
  /** What would move. */
  changes: VersionChange[];
  /** What stands against it. */
  conflict: Fact[];
  /**
   * What is missing of the answer because the search for it took too long, a sentence each; not there where nothing is.
   */
  left_out?: string[];
}

/** What {@link Workspace.upgrades} returns. */
export interface Upgrades {
  format: "planloom.upgrades/1";
  catalog: string;
  package: string;
  /** What it is, for people. */
  description: string | null;
  /** Why it should not be used any more. */
  deprecated: string | null;
  channels: Channel[];
  /** Its bundles, latest version first. */
  bundles: UpgradeBundle[];
  edges: UpgradeEdge[];
  /** Each bundle's left, top, width and height. */
  boxes: [left: number, top: number, width: number, height: number][];
  /** Each edge's polyline; none where another one says the same. */
  routes: [x: number, y: number][][];
  /** Width and height of it all. */
  size: [width: number, height: number];
}

/** A stream of versions. */
export interface Channel {
  name: string;
  /** It is the package's default. */
  is_default: boolean;
  /** The bundle at its head; `null` where there is not exactly one. */
  head: string | null;
  /** Why it should not be used any more. */
  deprecated: string | null;
  /** Where it is declared. */
  origin: Location | null;
}

/** A bundle in the graph of upgrades. */
export interface UpgradeBundle {
  /** Its name. */
  bundle: string;
  version: string;
  /** The channels that it is in. */
  channels: string[];
  /** Why it should not be used any more. */
  deprecated: string | null;
  /** Another one of the package skips it. */
  skipped: boolean;
  /** It was chosen. */
  selected: boolean;
  /** It is installed or locked. */
  installed: boolean;
  /** Where it is declared. */
  origin: Location | null;
}

/** An upgrade; indices into {@link Upgrades.bundles}. */
export interface UpgradeEdge {
  /** The bundle that can be upgraded. */
  from: number;
  /** The bundle that it becomes. */
  to: number;
  kind: "replaces" | "skips" | "skip_range";
  /** Of `skip_range`, the range. */
  range: string | null;
  /** The channels that say so. */
  channels: string[];
  /** The profile follows it. */
  counts: boolean;
  /** Where it is written. */
  origin: Location | null;
}

/** What {@link Workspace.plan} returns. */
export interface Plan {
  format: "planloom.plan/1";
  mode: "apply" | "destroy";
  /** The deployment's name. */
  deployment: string;
  /** The state's serial that this was planned against. */
  serial: number;
  /** `sha256:` and 64 hexadecimal digits of everything else but the diagnostics. */
  digest: string;
  knock_on: KnockOn;
  /** What has to happen, in order. */
  actions: Action[];
  /** How many of each. */
  summary: Summary;
  /**
   * What was wrong. With an error in the input, `actions` is empty; with one about a protected resource it is not, and
   * the plan cannot be applied.
   */
  diagnostics: Diagnostic[];
}

/** How many of each action. */
export interface Summary {
  create: number;
  update: number;
  rebuild: number;
  destroy: number;
  unchanged: number;
}

/** One thing that has to happen, by `action`. */
export type Action = NecessaryAction | NoOpAction;

/** What every action has. */
export interface ActionBody {
  /** `a1`, `a2` … */
  id: string;
  /** Whom it happens to. */
  address: string;
  /** Its kind. */
  kind: string;
  /** Where it is declared, as in the graph; left out for what is not described any more. */
  origin?: Location;
  /** Ids of the actions that must be done before. */
  after: string[];
  /** The values that differ. */
  changes: Change[];
}

/** An action that has a reason. */
export interface NecessaryAction extends ActionBody {
  /** Make it; change it in place; destroy it and make it again; destroy it; drop it from the record. */
  action: "create" | "update" | "rebuild" | "destroy" | "forget";
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
export interface DirectReason {
  kind: "new" | "changed" | "drifted" | "gone" | "not_ready" | "removed" | "requested" | "destroy_mode";
  /** The reason for people. */
  sentence: string;
}

/** Something happens to what the resource needs. */
export interface KnockOnReason {
  kind: "knock_on";
  /** The action that caused it. */
  cause: string;
  /** Along which connection. */
  via: Via;
  /** The reason for people. */
  sentence: string;
}

/** The connection along which an action causes another. */
export interface Via {
  edge: EdgeKind;
  /** The place in the merged document, e.g. `/services/web/init/0/run/args/2`. */
  path: string;
  /** The address of what is needed. */
  to: string;
}

/** One value that differs. A sensitive one has `null` for all three values. */
export interface Change {
  /** Where in the resource. */
  path: string;
  /** What is desired; its expression (`${…}`) when not known yet; `null` when it is to go away. */
  desired: Json;
  /** What was recorded; `null` when nothing was. */
  persisted: Json;
  /** What exists; `null` when nothing does or it was not looked at. */
  observed: Json;
  /** What is desired is not known yet. */
  unknown: boolean;
  /** None of the three is shown. */
  sensitive: boolean;
  /** It cannot be changed in place. */
  forces_rebuild: boolean;
  /** Where the desired value comes from. */
  origin: ChangeOrigin | null;
}

/** Where a desired value comes from. */
export interface ChangeOrigin extends Location {
  /** Nobody wrote it: a default or a rule put it in, because of what stands there. */
  inferred: boolean;
}

/** What is known of a place. */
export interface Hover {
  /** The word it is about. */
  range: Location;
  /** The place in the merged document. */
  pointer: string;
  /** What this key is. */
  title: string;
  /** Documentation, plain text. */
  doc: string;
  /** What it may hold, as a short phrase. */
  shape: string;
  /** The effective value as short YAML; `null` where there is none. */
  value: string | null;
  /** Who set it, last to first: the effective one, then what it replaced. */
  origins: HoverOrigin[];
  /** What the plan does with the resource, as a sentence; `null` when nothing. */
  plan: string | null;
  /** The action's word. */
  action: Action["action"] | null;
}

/** One writer of a value. */
export interface HoverOrigin extends Location {
  rule: Rule;
  /** The value as short YAML. */
  value: string;
}

/** Something that can be written at a place. */
export interface Completion {
  /** What is shown. */
  label: string;
  kind: "key" | "value" | "reference";
  /** A short phrase beside it. */
  detail: string;
  /** Documentation. */
  doc: string;
  /** The edit that writes it. */
  edit: Edit;
}
