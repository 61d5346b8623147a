// The calls to the game server (examples/table/protocol.md).

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const NO_ANSWER = "The game server does not answer. Try again.";

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Refused(0, NO_ANSWER);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status,
    body?.error ?? `The game server refused the request (${response.status}).`);
  if (body === null) throw new Refused(response.status, "The answer of the game server is not JSON.");
  return body;
}

export class Api {
  constructor(token = null) {
    this.token = token;
  }

  get(path) {
    return call(`/api/${path}`);
  }

  post(path, body = {}) {
    const headers = { "content-type": "application/json" };
    if (this.token !== null) headers.authorization = `Bearer ${this.token}`;
    return call(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  // Listens to the views of a table. The browser reconnects by itself after a lost connection. After a refusal it
  // gives up: then this asks for the reason, and tries again unless the token or the table is unknown.
  // Returns a function that ends it.
  listen(table, { onView, onState, onRefused }) {
    const path = `/api/tables/${encodeURIComponent(table)}/events?token=${encodeURIComponent(this.token)}`;
    let source = null;
    let timer = null;
    let over = false;
    const open = () => {
      source = new EventSource(path);
      source.onopen = () => onState("open");
      source.onmessage = ({ data }) => {
        onState("open");
        onView(JSON.parse(data));
      };
      source.onerror = async () => {
        onState("away");
        if (source.readyState !== EventSource.CLOSED) return;
        const status = await statusOf(path);
        if (over) return;
        if ([401, 403, 404].includes(status)) onRefused(status);
        else timer = setTimeout(open, 2000);
      };
    };
    open();
    return () => {
      over = true;
      clearTimeout(timer);
      source.close();
    };
  }
}

// An EventSource hides the status of a refusal.
async function statusOf(path) {
  const stop = new AbortController();
  try {
    return (await fetch(path, { signal: stop.signal })).status;
  } catch {
    return 0;
  } finally {
    stop.abort();
  }
}
