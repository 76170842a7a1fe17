// The side of a worker that has the engine: it executes the calls that the other side sends. Workspaces and services stay
// here, and the other side has their numbers.

/** Creates the function that takes a call; `post` sends what comes of it. `engine` is an entry of this package. */
export function server({ init, load, Service, solve, Workspace }, post) {
  const objects = new Map();
  let last = 0;
  const workspace = () => new Workspace();
  objects.set(0, { init, load, solve, workspace, readPackage: Workspace.readPackage.bind(Workspace) });

  const found = (number) => {
    if (objects.has(number)) return objects.get(number);
    throw refused("the object was freed");
  };
  const given = ({ object, value }) => (object === undefined ? value : found(object));
  const answered = (value) => {
    if (!(value instanceof Workspace || value instanceof Service)) return { value };
    last += 1;
    objects.set(last, value);
    return { object: last };
  };

  return async ({ id, target, method, args }) => {
    try {
      const object = found(target);
      if (method === "constructor" || typeof object[method] !== "function") throw refused(`there is no method "${method}"`);
      const value = await object[method](...args.map(given));
      if (method === "free" || method === "close") objects.delete(target);
      post({ id, ...answered(value) });
    } catch (error) {
      post({ id, error: { message: String(error?.message ?? error), code: error?.code } });
    }
  };
}

function refused(message) {
  return Object.assign(new Error(message), { code: "wasm/bad-argument" });
}
