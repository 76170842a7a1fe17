// Functions of browsers that have no bindings: dynamic import, compression streams, dropped folders.

/** Opens an editor in an element. Its module is loaded when it is first needed. */
export const openEditor = async (parent, options) => {
  const { createEditor } = await import(new URL("editor.js", document.baseURI).href);
  return createEditor(parent, options);
};

/** What reads and writes a folder of the disk. */
export const folderModule = () => import(new URL("folder.js", document.baseURI).href);

const through = async (stream, bytes) => {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
};

export const deflate = (bytes) => through(new CompressionStream("deflate-raw"), bytes);

export const inflate = (bytes) => through(new DecompressionStream("deflate-raw"), bytes);

/** Bytes as base64url without padding, as the engine gets and gives packages. */
export const toBase64Url = (bytes) => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

export const fromBase64Url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));

const read = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const walk = async (entry, path, files) => {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    files.push({ path: path + file.name, file });
    return;
  }
  const reader = entry.createReader();
  for (let entries = await read(reader); entries.length > 0; entries = await read(reader)) {
    for (const inner of entries) await walk(inner, `${path}${entry.name}/`, files);
  }
};

/** The files of what was dropped, those in folders included: `[{path, file}]`. */
export const droppedFiles = async (transfer) => {
  // The entries must be taken before the first wait: afterwards the transfer is empty.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = entries.length > 0 ? [] : [...transfer.files];
  const files = plain.map((file) => ({ path: file.name, file }));
  for (const entry of entries) await walk(entry, "", files);
  return files;
};
