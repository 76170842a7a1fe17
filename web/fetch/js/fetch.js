// The network of a browser or of Node. Only what cannot be said from Rust is here; what is
// decided is decided there.

/**
 * Sends one request: a promise of `{status, headers, body}`, or of `{lost}`: `blocked`, `broken` or `long`. Follows
 * nothing, remembers nothing, shows nobody who one is.
 */
export async function send(url, method, headers, body, most, signal) {
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body,
      signal,
      credentials: "omit",
      redirect: "manual",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    return { lost: "blocked", why: String(error.message ?? error) };
  }
  if (response.type === "opaqueredirect") return { status: 302, headers: [], body: new Uint8Array() };
  try {
    const whole = await bounded(response, most);
    return whole ? { status: response.status, headers: [...response.headers], body: whole } : { lost: "long" };
  } catch (error) {
    return { lost: "broken", why: String(error.message ?? error) };
  }
}

async function bounded(response, most) {
  const reader = response.body?.getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Whether anything answers at an address, whomever it lets look at the answer. No token goes with it. */
export const answers = (url, signal) =>
  fetch(url, { mode: "no-cors", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", signal }).then(
    () => true,
    () => false,
  );
