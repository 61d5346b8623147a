// The client in a browser: the engine over gRPC-Web, and the player's seed and key.

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Engine, bearer, type Patience } from "./engine.js";

export { Engine } from "./engine.js";
export { NoAnswer, PaigowError, Refused } from "./errors.js";
export { SeatKey, commitment, newSeed } from "./players.js";

/** Connects to the engine by gRPC-Web (`server.grpc_web`). */
export function connectBrowser({ url, token, ...patience }: { url: string; token?: string } & Patience): Engine {
  const interceptors = token === undefined ? [] : [bearer(token)];
  return new Engine(createGrpcWebTransport({ baseUrl: url, interceptors }), patience);
}
