// The traffic between the page and its workers, and the components that are drawn: counted, never timed.

/** Counts from the next page on: messages are kept as they are sent. */
export const countTraffic = (page) =>
  page.addInitScript(() => {
    globalThis.traffic = { sent: [], received: [] };
    const texts = (data) => [data].flat().filter((it) => typeof it === "string");
    globalThis.Worker = class extends Worker {
      constructor(...rest) {
        super(...rest);
        this.addEventListener("message", ({ data }) => traffic.received.push(texts(data)));
      }

      postMessage(data, ...rest) {
        traffic.sent.push(texts(data));
        return super.postMessage(data, ...rest);
      }
    };
  });

/** Forgets what was counted so far. */
export const forgetTraffic = (page) =>
  page.evaluate(() => {
    traffic.sent.length = traffic.received.length = 0;
    performance.clearMarks();
  });

/** What was counted: names of messages, bytes of those that were sent, and how often each component was drawn. */
export const traffic = (page) =>
  page.evaluate(() => {
    const name = ([text]) => /^\{"\w+":\[\d+,\{"(\w+)"/.exec(text)?.[1] ?? text;
    const bytes = traffic.sent.flat().reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
    const drawn = {};
    for (const { name } of performance.getEntriesByType("mark")) {
      const [is, component] = name.split(" ");
      if (is === "drawn") drawn[component] = (drawn[component] ?? 0) + 1;
    }
    return { sent: traffic.sent.map(name), received: traffic.received.map(name), bytes, drawn };
  });
