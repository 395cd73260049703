// What `/admin/v1/relays` tells. Seconds since 1970.

import type { DeliveryState, Endpoint } from '../operator/types';

interface Answer {
  at: number;
  status: number | null;
  /** Why there is no answer. */
  failure: string | null;
}

export interface Target {
  /** 0 is the bridge, 1 the first of the copies, 64 the program that gets the hooks of the account. */
  place: number;
  address: string | null;
  waiting: number;
  delivered: number;
  dead: number;
  /** Hooks about who is typing that were too old to be of use. */
  dropped: number;
  /** Hooks of which it got no copy, because too many waited. */
  skipped: number;
  oldest_queued_at: number | null;
  failing_since: number | null;
  last_answer: Answer | null;
  state: { health: Endpoint['health']; next_probe_at?: number } | null;
}

export interface Relay {
  channel_id: string;
  /** The path that hooks come to. */
  from: string;
  paused: boolean;
  taken: number;
  repeated: number;
  /** By reason. */
  refused: Record<string, number>;
  /** The time from which the counterpart has answered the bridge with pages for people alone. */
  pages_since: number | null;
  targets: Target[];
}

export interface WrongSignature {
  at: number;
  from: string | null;
  reason: string;
  bytes: number;
}

export interface Novelty {
  shape: string;
  first_seen_at: number;
}

export interface RelayDetail {
  relay: Relay;
  wrong_signatures: WrongSignature[];
  news: Novelty[];
}

export interface RelayedHook {
  received_at: number;
  /** Its number in its conversation. */
  number: number;
  kind: string | null;
  scope_id: string | null;
  message_id: string | null;
  /** Written before one that came earlier. */
  late: boolean;
  /** None when it was erased. */
  bytes: number | null;
  deliveries: { target: number; state: DeliveryState; attempts: number; last_status: number | null }[];
}

export const ALL = '/admin/v1/relays';

/** The path of a relay in the interface. */
export const pathOf = (id: string): string => `${ALL}/${encodeURIComponent(id)}`;
