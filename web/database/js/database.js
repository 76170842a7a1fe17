// The browser's database, as the page and the worker that applies use it. Only what cannot be said from Rust is here;
// what is decided is decided there.
const STORE = "kept";

/** A database that has not answered for this long will not, in milliseconds. */
const PATIENCE = 10_000;

/** Opens the database; a promise of it. */
export const openDatabase = (name) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    setTimeout(() => reject(new Error("it does not answer")), PATIENCE);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab keeps an old version of it open"));
    request.onsuccess = () => {
      // A newer page must be able to change it: who needs it afterwards opens it again.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  });

/**
 * One transaction: reads `keys`, and all between the two of `range`, hands the texts to `decide`, and writes what that
 * says: `[key, text]`, `[key, null]` to take it away, `[from, null, to]` to take all between away.
 * It is over, and on the disk where `strict`, when the promise is.
 */
export const transact = (db, write, strict, keys, range, decide) =>
  new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, write ? "readwrite" : "readonly", { durability: strict ? "strict" : "relaxed" });
    const store = transaction.objectStore(STORE);
    const requests = keys.map((key) => store.get(key));
    if (range) requests.push(store.getAll(IDBKeyRange.bound(...range)));
    let open = requests.length;
    const answered = () => {
      open -= 1;
      if (open > 0) return;
      for (const [key, text, to] of decide(requests.map((request) => request.result))) {
        if (text !== null) store.put(text, key);
        else store.delete(to === undefined ? key : IDBKeyRange.bound(key, to));
      }
      // Nothing more is asked, and a page that is being closed does not wait for the answers.
      if (write) transaction.commit?.();
    };
    for (const request of requests) request.onsuccess = answered;
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was given up"));
  });
