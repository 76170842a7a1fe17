// The browser's locks. Only what cannot be said from Rust is here; what is decided is decided there.

/**
 * Takes a lock that all tabs share: a promise of something with `release()`, of null when somebody alive has it and it
 * is not to be stolen, of undefined where the browser has no locks. It ends by itself when the tab does.
 */
export const hold = (name, steal) =>
  new Promise((resolve) => {
    if (!navigator.locks) return resolve(undefined);
    let release;
    const held = new Promise((done) => (release = done));
    const given = (lock) => {
      resolve(lock && { release });
      return lock ? held : null;
    };
    // Whose lock is stolen notices by what is kept, not by this.
    navigator.locks.request(name, steal ? { steal } : { ifAvailable: true }, given).catch(() => resolve(null));
  });

/** Whether any tab has a lock; a promise of undefined where the browser has no locks. */
export const isHeld = async (name) =>
  navigator.locks && (await navigator.locks.query()).held.some((lock) => lock.name === name);
