// What the server of `planloom serve` answers in JSON: content, and problems as RFC 9457 has them.

/** A request that is not granted: the HTTP status, a stable code, what is wrong, and what else the problem says. */
export class Refusal extends Error {
  constructor(status, code, message, more = {}) {
    super(message);
    Object.assign(this, { status, code, more });
  }
}

export function json(response, status, content, headers = {}) {
  const text = JSON.stringify(content);
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers }).end(text);
}

export function refuse(response, error) {
  if (!(error instanceof Refusal)) console.error(error);
  const problem = error instanceof Refusal ? error : new Refusal(500, "internal", error.message);
  if (response.headersSent) return response.destroy();
  const { status, code, message, more } = problem;
  json(response, status, { type: `urn:planloom:${code}`, title: message, status, code, detail: message, retryable: status === 503, ...more });
}
