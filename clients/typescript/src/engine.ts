// The connection to the engine: TLS, deadlines, retries, typed refusals.

import { fromBinary, type DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { NoAnswer, Refused } from "./errors.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { PaiGowService, type GetEngineResponse, type Record } from "./gen/paigow/v1/paigow_service_pb.js";

/** How long a call, and all its repetitions, may take, in milliseconds. */
export interface Patience {
  deadlineMs?: number;
  patienceMs?: number;
  /** Called once when a call has to be repeated. Default: writes to the console. */
  onRepeat?: (message: string) => void;
}

type Method = Exclude<keyof Client<typeof PaiGowService>, "auditStream">;

// Codes for which another replica may answer.
const AGAIN = new Set([Code.Unavailable, Code.DeadlineExceeded]);
// Without a reason these mean that the server died while it sent the response.
const TORN = new Set([Code.Unknown, Code.Internal, Code.Canceled, Code.Aborted]);

/** A connection to the engine. `connect` makes one in Node, `connectBrowser` in a browser. */
export class Engine {
  readonly client: Client<typeof PaiGowService>;
  private readonly deadlineMs: number;
  private readonly patienceMs: number;
  private readonly onRepeat: (message: string) => void;

  constructor(transport: Transport, patience: Patience = {}) {
    const { deadlineMs = 2_000, patienceMs = 30_000, onRepeat = console.warn } = patience;
    this.client = createClient(PaiGowService, transport);
    this.deadlineMs = deadlineMs;
    this.patienceMs = patienceMs;
    this.onRepeat = onRepeat;
  }

  /**
   * Calls `method` until there is an answer or a refusal. The request is the same each time, so a
   * repeated call is answered as the first one.
   */
  async call<M extends Method>(method: M, request: Parameters<Client<typeof PaiGowService>[M]>[0]):
    Promise<Awaited<ReturnType<Client<typeof PaiGowService>[M]>>> {
    const ends = performance.now() + this.patienceMs;
    for (let pause = 50; ; pause = Math.min(1_000, 2 * pause)) {
      try {
        const call = this.client[method] as (request: unknown, options: object) => Promise<never>;
        return await call(request, { timeoutMs: this.deadlineMs });
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        const refused = refusal(error);
        const isTorn = refused.reason === "" && TORN.has(error.code);
        const isBusy = error.code === Code.ResourceExhausted && refused.retryAfterMs !== undefined;
        if (!AGAIN.has(error.code) && !isTorn && !isBusy) throw refused;
        const wait = Math.max(pause, refused.retryAfterMs ?? 0);
        if (performance.now() + wait > ends) throw new NoAnswer(`${method}: ${refused.message}`);
        if (pause === 50) {
          const seconds = this.patienceMs / 1_000;
          this.onRepeat(`${method} has no answer yet (${refused.message}): the client repeats it for ${seconds} s`);
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  /** Returns the engine's description of itself: policy, manifest, open epochs. */
  state(): Promise<GetEngineResponse> {
    return this.call("getEngine", {});
  }

  /** Returns the signed manifests after a sequence number, oldest first. */
  async manifests(after = 0n): Promise<Record[]> {
    const found: Record[] = [];
    do {
      const page = await this.call("listManifests", { afterSequence: after });
      found.push(...page.manifests);
      after = page.nextAfterSequence;
    } while (after !== 0n);
    return found;
  }
}

/** Returns an interceptor that sends a bearer token with every call. */
export function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token.trim()}`);
    return next(request);
  };
}

function refusal(error: ConnectError): Refused {
  const details = <D extends DescMessage>(schema: D) => error.details.flatMap((detail) =>
    "type" in detail && detail.type === schema.typeName ? [fromBinary(schema, detail.value)] : []);
  const info = details(ErrorInfoSchema).find(({ domain }) => domain === "paigow.v1");
  const fields = details(BadRequestSchema).flatMap((bad) => bad.fieldViolations)
    .map(({ field, description }) => ({ path: field, description }));
  const delay = details(RetryInfoSchema)[0]?.retryDelay;
  const wait = delay && Number(delay.seconds) * 1_000 + delay.nanos / 1e6;
  return new Refused(Code[error.code] ?? "Unknown", info?.reason ?? "", error.rawMessage, fields, info?.metadata, wait);
}
