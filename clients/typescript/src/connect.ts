// A connection from Node, over gRPC.

import { createGrpcTransport } from "@connectrpc/connect-node";
import { Engine, bearer, type Patience } from "./engine.js";

/** The address of the engine, and the caller's credentials. Certificates and keys are PEM. */
export interface Address extends Patience {
  /** As `https://paigow.example:50051`; `http://` is plaintext. */
  url: string;
  ca?: string | Uint8Array;
  certificate?: string | Uint8Array;
  key?: string | Uint8Array;
  token?: string;
  /** The name in the certificate, if it differs from that in the address. */
  serverName?: string;
}

/** Connects to the engine. */
export function connect({ url, ca, certificate, key, token, serverName, ...patience }: Address): Engine {
  if (url.startsWith("http://") && (token !== undefined || certificate !== undefined)) {
    throw new TypeError("token and certificate need TLS");
  }
  const pem = (part?: string | Uint8Array) => part === undefined ? undefined : Buffer.from(part);
  const nodeOptions = { ca: pem(ca), cert: pem(certificate), key: pem(key), servername: serverName };
  const given = Object.fromEntries(Object.entries(nodeOptions).filter(([, value]) => value !== undefined));
  const interceptors = token === undefined ? [] : [bearer(token)];
  return new Engine(createGrpcTransport({ baseUrl: url, nodeOptions: given, interceptors }), patience);
}
