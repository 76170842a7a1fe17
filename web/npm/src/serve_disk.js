// Files of users, which other programs write as well: read whole, and written whole or not at all.
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, fchmodSync, fchownSync, fstatSync, fsyncSync, ftruncateSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const LARGEST = 16 << 20;
/** What names of files begin with that are on their way to another name. */
const ASIDE = ".planloom-unfinished-";
/** What file systems without hard links answer. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];
/** A pipe is not waited for. What a link leads to was found out before: one that came since is not followed. */
const CAREFULLY = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The content of a regular file. */
export function readBytes(path) {
  const file = openSync(path, constants.O_RDONLY | CAREFULLY);
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new Error("it is not a file");
    if (facts.size > LARGEST) throw new Error(`it is larger than ${LARGEST >> 20} MiB`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file; false if another program has written it since these facts were read. A file with several names is written in its
 * place, since the others would lose it.
 */
export function replaceFile(path, bytes, facts) {
  accessSync(path, constants.W_OK); // Who may not write to it may not put another in its place either.
  const unfinished = writeUnfinished(path, bytes, facts);
  try {
    if (!isAs(path, facts)) return false;
    if (facts.nlink > 1) return overwrite(path, bytes);
    return exchange(unfinished, path, facts);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Gives a new file the name of the old one, which comes back if a program that had it open has written it by then. */
function exchange(unfinished, path, facts) {
  const old = asideOf(path);
  const isKept = link(path, old) === undefined;
  try {
    const ours = statSync(unfinished);
    renameSync(unfinished, path);
    syncFolder(path);
    if (!isKept || isAs(old, facts)) return true;
    // If there is yet another file by now, that is the latest.
    if (isAs(path, ours)) renameSync(old, path);
    syncFolder(path);
    return false;
  } finally {
    if (isKept) rmSync(old, { force: true });
  }
}

function overwrite(path, bytes) {
  const file = openSync(path, constants.O_WRONLY | CAREFULLY);
  try {
    writeAll(file, bytes);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
    return true;
  } finally {
    closeSync(file);
  }
}

/** Writes bytes from the beginning of a file on, in as many calls as the system needs. */
function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
}

/**
 * Removes a file, or a link itself; false if another program has written it since these facts were read. It is out of the way before
 * it is looked at, so that what is written meanwhile is not removed.
 */
export function removeFile(entry, facts) {
  const aside = asideOf(entry);
  renameSync(entry, aside);
  const isSame = isAs(aside, facts);
  // If there is another file of that name already, that is the latest.
  if (isSame || !moveTo(aside, entry)) rmSync(aside, { force: true });
  syncFolder(entry);
  return isSame;
}

function isAs(path, { mtimeMs, size, ino }) {
  const now = statSync(path, { throwIfNoEntry: false });
  return now !== undefined && now.mtimeMs === mtimeMs && now.size === size && now.ino === ino;
}

/** A name of nobody else in the folder of a file, hidden, and short whatever the file's name is. */
const asideOf = (path) => join(dirname(path), `${ASIDE}${randomBytes(8).toString("hex")}`);

/** Writes under another name first, so that nobody sees half of it. Its owner and permissions are those of the file that it replaces. */
export function writeUnfinished(path, bytes, { mode, uid, gid }) {
  const unfinished = asideOf(path);
  const file = openSync(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeAll(file, bytes);
    fchmodSync(file, mode & (uid === undefined || hasOwner(file, uid, gid) ? 0o7777 : 0o700));
    fsyncSync(file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return unfinished;
}

/** Gives a file its owner and group. Where that may not be, others than this user must not get permissions that were not theirs. */
function hasOwner(file, uid, gid) {
  const facts = fstatSync(file);
  if (facts.uid === uid && facts.gid === gid) return true;
  try {
    fchownSync(file, uid, gid);
    return true;
  } catch {
    return false;
  }
}

/** Gives a file another name; false if there is one of that name. */
export function moveTo(from, to) {
  const isUnfinished = basename(from).startsWith(ASIDE);
  const error = link(from, to);
  const isTaken = error !== undefined && (error.code === "EEXIST" || existsSync(to));
  if (error === undefined) {
    rmSync(from);
  } else if (!isTaken && NO_LINKS.includes(error.code)) {
    renameSync(from, to);
  } else {
    if (isUnfinished) rmSync(from, { force: true });
    if (!isTaken) throw error;
    return false;
  }
  syncFolder(to);
  return true;
}

/** Gives a file a second name. The error, if it cannot have one. */
function link(from, to) {
  try {
    linkSync(from, to);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** So that a new name is there after a loss of power. Not every system can. */
function syncFolder(path) {
  try {
    const folder = openSync(dirname(path), constants.O_RDONLY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}
