// The origin of adapters that a page permits.

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * What the attributes `allow-network` and `adapter-path` say: `{ origin, address }`, or `{ refusal }`, a sentence, where they name
 * no origin or leave it.
 */
export function permitted(text, path) {
  const { origin, refusal } = originOf(text);
  if (refusal) return { refusal };
  const address = parsed((path ?? "").replace(/^\/?/, "/"), origin);
  const isPlain = address?.origin === origin && !address.search && !address.hash;
  if (!isPlain) return { refusal: `Nothing can be applied from here: adapter-path="${path}" is no path at ${origin}.` };
  return { origin, address: address.href.replace(/\/+$/, "") };
}

function originOf(text) {
  const url = parsed(text);
  if (!url) return refused(text, "It must be one origin, such as https://adapter.example.");
  const isHttp = url.protocol === "http:";
  if (url.protocol !== "https:" && !isHttp) return refused(text, "It must begin with https.");
  if (isHttp && !LOOPBACK.test(url.hostname)) return refused(text, "An adapter on another machine must have an https address.");
  // A user, a path or a default port would be left out silently.
  if (url.origin !== text) return refused(text, `It must be an origin and nothing else: ${url.origin}.`);
  return { origin: url.origin };
}

function parsed(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

const refused = (text, why) => ({ refusal: `Nothing can be applied from here: allow-network="${text}" names no origin that is permitted. ${why}` });
