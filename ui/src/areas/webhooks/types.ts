// What `/inbox/v1/webhooks` tells. Seconds since 1970.

import type { WebhooksWords } from '../../words/webhooks.en';

/** An event that a webhook may be subscribed to. */
export type Code = keyof WebhooksWords['codes'];

export type DisabledBy = keyof WebhooksWords['disabled'];

export interface Webhook {
  id: number;
  /** Where it is sent; programs put secrets into it. */
  destination: string;
  settings: Code[];
  created_at: number;
  created_by: number;
  /** Null when that user is not there any more. */
  creator_name: string | null;
  creator_is_admin: boolean;
  /** Null when a user subscribed it last. */
  client_id: string | null;
  client_name: string | null;
  disabled_at: number | null;
  disabled_by: DisabledBy | null;
}

export interface Webhooks {
  webhooks: Webhook[];
  /** The events that never happen. */
  never_sent: Code[];
}
