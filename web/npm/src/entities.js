// Where entities come from, for sources of variables that are written in JavaScript.

/** Entities in memory, in the order in which they were given. If two have the same id, the first is used. */
export class Entities {
  #byId = new Map();

  constructor(entities = []) {
    for (const entity of entities) {
      if (!this.#byId.has(entity.id)) this.#byId.set(entity.id, entity);
    }
  }

  get(id) {
    return this.#byId.get(id);
  }

  filter(holds) {
    return [...this].filter((entity) => holds(entity));
  }

  groupBy(keys) {
    const groups = new Map();
    for (const entity of this) {
      for (const key of [keys(entity) ?? []].flat()) {
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(entity);
      }
    }
    return groups;
  }

  [Symbol.iterator]() {
    return this.#byId.values();
  }
}

/** Creates the public `solve` from the function that the WebAssembly module exports. */
export function solver(solveProblem) {
  return (problem, options = {}) => {
    if (typeof problem === "string") return solveProblem(problem, options?.expand, options, options?.steps);
    const { entities = [], sources = [], variables = [] } = problem ?? {};
    const source = entities instanceof Entities ? entities : new Entities(entities);
    const generated = sources.flatMap((generate) => generate(source));
    const whole = { format: "planloom.problem/1", variables: [...variables, ...generated] };
    return solveProblem(whole, options?.expand, options, options?.steps);
  };
}
