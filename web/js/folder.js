// A folder of the disk that a workspace was opened from: reading it, and writing back what was changed. What it held
// when it was read or written last is kept beside its handle, so that nobody else's change is written over.
const DATABASE = "planloom-folders";
const STORE = "folders";
const access = { mode: "readwrite" };

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const store = async (mode) => {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return (await result(request)).transaction(STORE, mode).objectStore(STORE);
};

const kept = async (key) => result((await store("readonly")).get(key));

const keep = async (key, folder) => result((await store("readwrite")).put(folder, key));

/** Whether the browser can write to folders. */
export const isSupported = () => "showDirectoryPicker" in window;

/** Asks for a folder; its name, or null where none was chosen. */
export async function choose(key) {
  const handle = await window.showDirectoryPicker(access).catch(() => null);
  if (!handle) return null;
  await keep(key, { handle, texts: {} });
  return handle.name;
}

/** Forgets the folder; its files stay as they are. */
export const close = async (key) => result((await store("readwrite")).delete(key));

const walk = async (folder, path, files) => {
  for await (const [name, handle] of folder.entries()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (handle.kind === "directory") await walk(handle, `${path}${name}/`, files);
    else files.push({ path: path + name, file: await handle.getFile() });
  }
};

/** The files of the folder: `[{path, file}]`, each path with the folder's name. */
export async function read(key) {
  const { handle } = await permitted(key);
  const files = [];
  await walk(handle, `${handle.name}/`, files);
  return files;
}

/** Remembers what the folder holds of the workspace: `[[name, text]]`. */
export async function remember(key, files) {
  const { handle } = await permitted(key);
  await keep(key, { handle, texts: Object.fromEntries(files) });
}

const permitted = async (key) => {
  const folder = await kept(key);
  if (!folder) throw new Error("no folder is open");
  if ((await folder.handle.queryPermission?.(access)) === "prompt") await folder.handle.requestPermission(access);
  return folder;
};

const parent = async (folder, path, create) => {
  const names = path.split("/");
  const name = names.pop();
  for (const inner of names) folder = await folder.getDirectoryHandle(inner, { create });
  return [folder, name];
};

/** The text of a file of the folder; null where there is none. */
const textOf = async (folder, path) => {
  try {
    const [inner, name] = await parent(folder, path, false);
    return await (await (await inner.getFileHandle(name)).getFile()).text();
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
};

const MARK = "\uFEFF";

/** Whether a file begins with a byte order mark, which is not part of its text. */
const isMarked = async (handle) => {
  const start = await (await handle.getFile()).slice(0, 3).arrayBuffer();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(start) === MARK;
};

/** Writes a file; a byte order mark that it has stays. */
const write = async (folder, path, text) => {
  const [inner, name] = await parent(folder, path, true);
  const handle = await inner.getFileHandle(name, { create: true });
  const mark = (await isMarked(handle)) ? MARK : "";
  const file = await handle.createWritable();
  await file.write(mark + text);
  await file.close();
};

const remove = async (folder, path) => {
  const [inner, name] = await parent(folder, path, false);
  await inner.removeEntry(name);
};

/**
 * What saving would do: `[{path, deletes, conflicts}]`; what it does not delete it writes. In conflict is what somebody else has
 * changed in the folder since it was read or written last.
 */
export async function changes(key, files) {
  const { handle, texts } = await permitted(key);
  const now = Object.fromEntries(files);
  const changed = files.filter(([path, text]) => texts[path] !== text).map(([path]) => ({ path, deletes: false }));
  const gone = Object.keys(texts).filter((path) => now[path] === undefined).map((path) => ({ path, deletes: true }));
  const all = [];
  for (const change of [...changed, ...gone]) {
    const there = await textOf(handle, change.path);
    const wanted = now[change.path] ?? null;
    if (there !== wanted) all.push({ ...change, conflicts: there !== (texts[change.path] ?? null) });
  }
  return all;
}

/** Writes and deletes what is listed; the paths that could not be. */
export async function save(key, files, wanted) {
  const { handle, texts } = await permitted(key);
  const now = Object.fromEntries(files);
  const refused = [];
  for (const { path, deletes } of wanted) {
    try {
      await (deletes ? remove(handle, path) : write(handle, path, now[path]));
      if (deletes) delete texts[path];
      else texts[path] = now[path];
    } catch {
      refused.push(path);
    }
  }
  await keep(key, { handle, texts });
  return refused;
}
