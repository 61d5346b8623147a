// One table: its rounds in order, each linked to the close of the one before.

import { create, toBinary } from "@bufbuild/protobuf";
import { BeaconSource, needsSource, type BeaconSettings } from "./beacon.js";
import { LedgerError, PaigowError } from "./errors.js";
import type { Engine } from "./engine.js";
import {
  ExternalPolicy, OpenRoundRequestSchema, type Beacon, type GetEngineResponse, type Record, type TenantPolicy,
} from "./gen/paigow/v1/paigow_service_pb.js";
import type { Ledger } from "./ledger.js";
import { Round, closeOf } from "./round.js";
import type { Place } from "./store.js";
import { settlementCheck, type Root } from "./verify.js";

/** What a table plays by. */
export interface TableTerms {
  /** The ruleset, by id or hash. */
  ruleset: string;
  /** The root keys: with them every settlement is checked before it is returned. */
  root?: Root;
  /** Texts of the operator's own rulesets and house ways. */
  rulesets?: string[];
  houseWays?: string[];
  /** The source of public randomness. The policy `external: drand` needs it. */
  beacon?: BeaconSettings;
}

/** A table of a platform. */
export class Table {
  private known: Record[] = [];

  private constructor(readonly engine: Engine, readonly ledger: Ledger, readonly name: string,
    private readonly ruleset: string, private stated: StatedTerms,
    private readonly checked: ((records: Record[]) => void) | undefined, readonly source: BeaconSource | undefined) {}

  /** Opens a table: asks the engine for the policy. */
  static async open(engine: Engine, ledger: Ledger, name: string, terms: TableTerms): Promise<Table> {
    const check = terms.root && await settlementCheck(terms.root, terms.rulesets, terms.houseWays);
    const source = terms.beacon && new BeaconSource(terms.beacon);
    return new Table(engine, ledger, name, terms.ruleset, statedTerms(await engine.state(), ledger, source), check, source);
  }

  /** The policy that the engine has stated last. */
  get policy(): TenantPolicy {
    return this.stated.policy;
  }

  /** Whether the rounds that are opened now wait for a beacon. */
  get waitsForBeacon(): boolean {
    return this.policy.external === ExternalPolicy.DRAND;
  }

  /** Returns the beacon, and the source of its signatures. */
  beacon(): { beacon: Beacon; source: BeaconSource } {
    const { beacon } = this.stated;
    if (!beacon) throw new PaigowError("the engine has no beacon");
    return { beacon, source: needsSource(this.source) };
  }

  /** Returns the round that is not closed, or the next one. */
  async nextRound(): Promise<Round> {
    const { store } = this.ledger;
    const state = await this.engine.state();
    this.stated = statedTerms(state, this.ledger, this.source);
    const unfinished = await store.unfinished(this.name);
    if (unfinished && await store.get(unfinished[0], "opened")) return new Round(this, unfinished[0]);
    const first = await store.firstEpoch();
    const epochs = state.openEpochs.map(({ epoch }) => epoch).filter((epoch) => epoch >= first);
    if (epochs[0] === undefined) {
      throw new PaigowError(first > 0 ? `no epoch is open that this ledger signs: it was restored, and signs from ${first} on` :
        "no epoch is open");
    }
    const last = await store.lastClosed(this.name);
    let place: Place;
    if (unfinished && epochs.includes(unfinished[0].epoch)) {
      // Nobody has asked for it yet: it may name a newer manifest.
      place = unfinished[0];
    } else if (last && epochs.includes(last[0].epoch)) {
      place = { ...last[0], roundNo: last[0].roundNo + 1 };
    } else {
      // Each epoch has a chain of its own.
      place = { table: this.name, epoch: epochs[0], roundNo: 1 };
    }
    const request = create(OpenRoundRequestSchema, {
      epoch: place.epoch, manifest: state.manifest, manifestSequence: state.manifestSequence, table: this.name,
      roundNo: BigInt(place.roundNo), ruleset: this.ruleset });
    if (this.policy.chainRequired && place.roundNo > 1 && last) {
      // The closing record stands last.
      request.prev = closeOf(last[1]).records.at(-1);
    }
    await store.begin(place, toBinary(OpenRoundRequestSchema, request));
    return new Round(this, place);
  }

  /** Returns the signed manifests: a transcript begins with them. */
  async manifests(): Promise<Record[]> {
    this.known.push(...await this.engine.manifests(BigInt(this.known.length)));
    return this.known;
  }

  /** Rejects with `NotVerified` unless the records of a round make its money. */
  async check(records: Record[]): Promise<void> {
    this.checked?.([...await this.manifests(), ...records]);
  }

  /** Returns the transcript of rounds. */
  async transcript(rounds: Round[]): Promise<Uint8Array> {
    const lines = [...await this.manifests()];
    for (const round of rounds) lines.push(...await round.records());
    return Buffer.concat(lines.flatMap(({ envelope }) => [envelope, Buffer.from("\n")]));
  }
}

/** What the engine has stated last. */
interface StatedTerms {
  policy: TenantPolicy;
  beacon: Beacon | undefined;
}

function statedTerms({ policy, ledgerKeys, beacon }: GetEngineResponse, { signer }: Ledger,
  source: BeaconSource | undefined): StatedTerms {
  if (!policy) throw new PaigowError("the engine has no policy for this tenant");
  if (policy.lockRequired && !ledgerKeys.includes(signer.publicKey)) {
    throw new LedgerError(`the manifest does not list the ledger's key ${signer.publicKey}`);
  }
  if (policy.external === ExternalPolicy.DRAND) needsSource(source);
  return { policy, beacon };
}
