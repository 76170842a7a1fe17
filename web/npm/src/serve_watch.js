// When to look at files: when the system says that something in their folders has changed, and otherwise only now and then.
import { statfsSync, statSync, watch } from "node:fs";

/** Milliseconds between two looks, or checks whether there is reason for one. */
const PAUSE = 100;
/** A look at many files takes time: the pause after it is this many times as long, at least. */
const SHARE = 20;
/** Milliseconds without a look: where other machines may write files, and where only this one does. */
const [LONGEST, RARE] = [2_000, 60_000];
/** Those of Linux that only this machine writes: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, ramfs, overlayfs, FAT, exFAT. */
const LOCAL = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x858458f6, 0x794c7630, 0x4d44, 0x2011bab0];

/** Looks at files until it is closed. */
export class Watcher {
  #look;
  #timer;
  #watches = [];
  /** The folders that are watched, with the numbers of their devices and themselves: another one may take the place of one. */
  #watched = "";
  #isComplete = false;
  #hasNews = true;
  #quietSince;
  /** How often it has looked. */
  looks = 0;

  /** `look` returns the folders of the files, and whether nothing is going on in them. */
  constructor(look) {
    this.#look = look;
    this.#wait(PAUSE);
  }

  close() {
    clearTimeout(this.#timer);
    this.#end();
  }

  #wait(pause) {
    this.#timer = setTimeout(() => {
      const start = performance.now();
      if (this.#hasReason(start)) this.#lookNow(start);
      const took = performance.now() - start;
      this.#wait(Math.max(PAUSE, Math.min(took * SHARE, LONGEST)));
    }, pause);
  }

  #hasReason(now) {
    const longest = this.#isComplete ? RARE : LONGEST;
    return this.#hasNews || !(now - this.#quietSince < longest) || numbersOf(this.#folders()) !== this.#watched;
  }

  #lookNow(now) {
    this.looks += 1;
    // What the system says from now on is news. Without its word, everything may be.
    this.#hasNews = this.#watches.length === 0;
    const { folders, isQuiet } = this.#look();
    const isOther = this.#watch(folders);
    this.#quietSince = isQuiet && !isOther ? now : undefined;
  }

  #folders() {
    return this.#watches.map(({ path }) => path);
  }

  /** Watches these folders; returns whether they are others than before, which may have changed before they were watched. */
  #watch(folders) {
    const numbers = numbersOf(folders);
    if (numbers === this.#watched && this.#watches.length > 0) return false;
    this.#end();
    this.#hasNews = true;
    try {
      for (const path of folders) {
        const watching = watch(path, { persistent: false }, () => (this.#hasNews = true));
        watching.on("error", () => this.#end());
        this.#watches.push({ path, watching });
      }
    } catch {
      this.#end();
      return false;
    }
    this.#watched = numbers;
    this.#isComplete = process.platform === "linux" && folders.every(isLocal);
    return true;
  }

  #end() {
    this.#watches.forEach(({ watching }) => watching.close());
    [this.#watches, this.#watched, this.#isComplete] = [[], "", false];
  }
}

function numbersOf(folders) {
  const numbers = (path) => {
    try {
      const { dev, ino } = statSync(path);
      return [path, dev, ino];
    } catch {
      return [path];
    }
  };
  return JSON.stringify(folders.map(numbers));
}

function isLocal(path) {
  try {
    return LOCAL.includes(statfsSync(path).type);
  } catch {
    return false;
  }
}
