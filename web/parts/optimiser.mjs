// `wasm-opt` within one program, on all processors. A module that is split consists of some hundred files, and starting
// `wasm-opt` for each of them takes several times as long as what it does; the result is the same, byte for byte.
//
// `PLANLOOM_OPTIMISED` names a folder where results are kept: a file that was optimised once is not optimised again.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, threadId, Worker, workerData } from "node:worker_threads";

const BINARYEN = new URL("../npm/node_modules/binaryen/index.js", import.meta.url);
const KEPT = process.env.PLANLOOM_OPTIMISED;

/** What `wasm-opt` permits where nothing is said, and what each flag adds. */
const USUAL = ["SignExt", "MutableGlobals"];
const FEATURES = {
  "--enable-bulk-memory": ["BulkMemory", "BulkMemoryOpt"],
  "--enable-multivalue": ["Multivalue"],
  "--enable-mutable-globals": ["MutableGlobals"],
  "--enable-nontrapping-float-to-int": ["NontrappingFPToInt"],
  "--enable-reference-types": ["ReferenceTypes", "CallIndirectOverlong"],
  "--enable-sign-ext": ["SignExt"],
};
/** The level and how much smaller code is preferred to faster. */
const LEVELS = { "-O0": [0, 0], "-O3": [3, 0], "-Oz": [2, 2] };
const ONE_CALLER = "--one-caller-inline-max-function-size=";
const CONVERGE = "--converge";
const PASSES = ["--reorder-functions-by-name", "--strip-debug", "--strip-producers", "--strip-target-features"];

/** Optimises files with the options of `wasm-opt`. It has to be closed. */
export class Optimiser {
  #workers;
  #queue = [];

  constructor(options) {
    const known = (it) => it in FEATURES || it in LEVELS || it.startsWith(ONE_CALLER) || it === CONVERGE || PASSES.includes(it);
    const unknown = options.find((it) => !known(it));
    if (unknown !== undefined) throw new Error(`unknown option of wasm-opt: ${unknown}`);
    this.#workers = Array.from({ length: availableParallelism() }, () => this.#begin(options));
  }

  /** Optimises one file into another, which may be the same. */
  run(from, to) {
    return new Promise((resolve, reject) => {
      this.#queue.push({ from, to, resolve, reject });
      this.#next();
    });
  }

  close() {
    return Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
  }

  #begin(options) {
    const worker = new Worker(new URL(import.meta.url), { workerData: options });
    const entry = { worker, job: undefined };
    const settle = (settled) => {
      const { job } = entry;
      entry.job = undefined;
      if (job) settled(job);
      this.#next();
    };
    worker.on("message", (error) => settle((job) => (error ? job.reject(new Error(`${job.from}: ${error}`)) : job.resolve())));
    worker.on("error", (error) => settle((job) => job.reject(error)));
    return entry;
  }

  #next() {
    for (const entry of this.#workers.filter(({ job }) => job === undefined)) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      entry.job = job;
      entry.worker.postMessage([job.from, job.to]);
    }
  }
}

if (!isMainThread && parentPort) await work(workerData);

async function work(options) {
  const { default: binaryen } = await import(BINARYEN);
  const [optimize, shrink] = LEVELS[options.find((it) => it in LEVELS)] ?? [0, 0];
  binaryen.setOptimizeLevel(optimize);
  binaryen.setShrinkLevel(shrink);
  // The program does so from this level on, when it writes a module.
  if (optimize >= 2 || shrink >= 1) {
    binaryen.setGenerateStackIR(true);
    binaryen.setOptimizeStackIR(true);
  }
  const oneCaller = options.find((it) => it.startsWith(ONE_CALLER));
  if (oneCaller) binaryen.setOneCallerInlineMaxSize(Number(oneCaller.slice(ONE_CALLER.length)));
  const names = [...USUAL, ...options.flatMap((it) => FEATURES[it] ?? [])];
  const features = names.reduce((sum, name) => sum | binaryen.Features[name], 0);
  const passes = options.filter((it) => PASSES.includes(it)).map((it) => it.slice(2));
  const converges = options.includes(CONVERGE);
  const { version } = JSON.parse(readFileSync(new URL("package.json", BINARYEN), "utf8"));
  const how = JSON.stringify([version, options, readFileSync(fileURLToPath(import.meta.url), "utf8")]);
  parentPort.on("message", ([from, to]) => {
    try {
      optimise(from, to);
      parentPort.postMessage(null);
    } catch (error) {
      parentPort.postMessage(error.stack ?? String(error));
    }
  });

  function optimise(from, to) {
    const bytes = readFileSync(from);
    const key = createHash("sha256").update(how).update(bytes).digest("hex");
    const kept = KEPT && join(KEPT, `${key}.wasm`);
    if (kept && existsSync(kept)) return copyFileSync(kept, to);
    writeFileSync(to, optimised(bytes));
    if (!kept) return;
    mkdirSync(KEPT, { recursive: true });
    // Under its name it is there whole, or not at all.
    const unfinished = `${kept}.${process.pid}.${threadId}`;
    copyFileSync(to, unfinished);
    renameSync(unfinished, kept);
  }

  function optimised(bytes) {
    const module = binaryen.readBinary(bytes, features);
    const pass = () => {
      if (optimize > 0) module.optimize();
      module.runPasses(passes);
    };
    try {
      pass();
      let smallest = converges ? module.emitBinary() : undefined;
      while (smallest !== undefined) {
        pass();
        const next = module.emitBinary();
        if (next.length >= smallest.length) return next;
        smallest = next;
      }
      return module.emitBinary();
    } finally {
      module.dispose();
    }
  }
}
