// What `/admin/v1/accounts/{id}/webhooks` tells. Seconds since 1970.

import type { Attempt, DeliveryState } from '../operator/types';
import type { Code } from '../webhooks/types';

export interface Webhook {
  id: number;
  destination: string;
  disabled_at: number | null;
}

/** An event as a webhook was sent it. */
export interface HookLine {
  id: number;
  /** Null after an erasure. */
  event: Code | null;
  conversation_id: string | null;
  lead_id: number | null;
  contact_id: number | null;
  created_at: number | null;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number | null;
  replays: number;
  last_attempt: Attempt | null;
}

export interface Hook extends HookLine {
  /** The body of the request; null after an erasure. */
  form: string | null;
  log: Attempt[];
}
