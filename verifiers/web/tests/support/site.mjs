// The web site of an operator: the page of the real server below /verify/, and files beside it.

import { createServer, request } from "node:http";

const listening = (server) => new Promise((resolve) => server.listen(0, "127.0.0.1", () => {
  resolve(`http://127.0.0.1:${server.address().port}`);
}));

// A server that answers each path by its entry in `answers`: a text, or { status, headers }. All
// other paths below /verify/ are those of the page at `page`. `asked` lists the paths in their order.
export async function siteOf(page, answers) {
  const asked = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.url);
    const answer = Object.hasOwn(answers, incoming.url) ? answers[incoming.url] : undefined;
    if (typeof answer === "string") {
      outgoing.writeHead(200, { "content-type": "application/jsonl" }).end(answer, "latin1");
    } else if (answer !== undefined) {
      outgoing.writeHead(answer.status, answer.headers).end();
    } else {
      const behind = request(`${page}${incoming.url.replace(/^\/verify/, "")}`, { method: incoming.method }, (found) => {
        outgoing.writeHead(found.statusCode, found.headers);
        found.pipe(outgoing);
      });
      behind.on("error", () => outgoing.destroy());
      behind.end();
    }
  });
  return { origin: await listening(server), asked, close: () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  }) };
}

// A server of another origin that counts requests and bare connections.
export async function elsewhere() {
  const server = createServer((incoming, outgoing) => {
    outgoing.writeHead(200, { "access-control-allow-origin": "*" }).end("reached");
  });
  const site = { visits: 0, close: () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  }) };
  server.on("connection", () => {
    site.visits += 1;
  });
  site.origin = await listening(server);
  return site;
}
