// What `/admin/v1` tells. Seconds since 1970 unless a name ends with `_ms`.

import type { ChannelKind } from '../../parts/kind';
import type { Mistake } from '../../words/hints';
import type { Reason } from '../../words/reasons';

/** Groups of states: dead or cancelled; queued, being sent, waiting or held; delivered. */
export const GROUPS = ['failed', 'waiting', 'delivered'] as const;
export type DeliveryState = 'queued' | 'sending' | 'waiting' | 'held' | 'delivered' | 'dead' | 'cancelled';
export type Version = 'v1' | 'v2';

export interface Attempt {
  number: number;
  at: number;
  address: string | null;
  status: number | null;
  /** Why there is no answer: a key of `failures`. */
  failure: string | null;
  class: string;
  charged: boolean;
  answered_ms: number | null;
  took_ms: number;
  excerpt: string;
  next_attempt_at: number | null;
}

interface Standing extends Reason {
  /** That of the message. */
  id: string;
  type: 'text' | 'picture' | 'file' | 'reaction';
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number | null;
  channel_id: string;
  scope_id: string;
  conversation_id: string;
  /** The customer whom it is for; a reaction names none. */
  customer: string | null;
  written_at: number;
  replays: number;
}

export interface DeliveryLine extends Standing {
  last_attempt: Attempt | null;
}

export interface Delivery extends Standing {
  log: Attempt[];
  /** How many attempts between the first and the last ones are not kept. */
  log_omitted: number;
}

export interface Header {
  name: string;
  /** Null when it is a secret that was not kept. */
  value: string | null;
}

/** A callback as it would be sent now. */
export interface CallbackRequest {
  version: Version;
  method: string;
  url: string;
  headers: Header[];
  signature: string;
  body: string;
}

/** What came of one that was sent to see what comes. */
export interface Outcome extends Reason {
  delivered: boolean;
  status: number | null;
  failure: string | null;
  version: Version;
  url: string;
  address: string | null;
  took_ms: number;
  excerpt?: string;
  detail?: string;
}

export interface Job {
  id: number;
  state: 'running' | 'done' | 'cancelled';
  filter: { state: string | null; channel_id: string | null; scope_id: string | null; conversation_id: string | null };
  began_at: number;
  ended_at: number | null;
  replayed: number;
  skipped: number;
}

export interface Channel {
  id: string;
  name: string;
  kind: ChannelKind;
  /** The page of the integration itself. */
  page: string | null;
  webhook_v1: string | null;
  webhook_v2: string | null;
  /** `["*"]` is all of them. */
  accounts: string[];
  timeout_seconds: number | null;
  /** Whether the integration shows the buttons of templates, and lists. */
  buttons: boolean;
  lists: boolean;
  /** So long after the customer's last message users write more than templates; null for no such limit. */
  window_hours: number | null;
  /** Whether conversations that wait are assigned to users who are here, up to this number of open ones. */
  auto_assign: boolean;
  assignment_limit: number;
  generation?: string | null;
  secret_fingerprint: string;
  rotation: { began_at: number; ends_at: number; old_secret_fingerprint: string } | null;
  paused: boolean;
  paused_at: number | null;
  /** Only in the answer that made it. */
  secret?: string;
}

/** An account that is connected to a channel. */
export interface Connection {
  account_id: string;
  scope_id: string;
  /** What the integration calls it. */
  title: string;
  hook_api_version: Version;
}

export interface Account {
  id: string;
  name: string;
}

/** What a request is about, as far as its path and its bodies say. */
export interface Subject {
  msgid: string | null;
  conversation_id: string | null;
  customer: string | null;
  connection: string | null;
  delivery_status: number | null;
  /** Ids or names: of the account interface. */
  objects: string[];
  grant_type: string | null;
}

/** The interfaces whose requests are recorded. */
export const SURFACES = ['chat', 'account', 'oauth'] as const;

export interface RequestLine {
  id: string;
  at_ms: number;
  surface: (typeof SURFACES)[number];
  channel_id: string | null;
  account_id: string | null;
  user_id: number | null;
  client_id: string | null;
  /** The name of the operation in `/openapi.json`. */
  operation: string | null;
  subject: Subject;
  method: string;
  path: string;
  query: string | null;
  length: number;
  status: number;
  took_ms: number;
  error_type: string | null;
  error_description: string | null;
  hint: string | null;
  mistake: Mistake | null;
}

export interface Excerpt {
  text: string | null;
  hex: string | null;
  length: number;
  is_whole: boolean;
  /** Why none of it was stored. */
  withheld: 'unread' | 'unparsable' | null;
}

export interface Verdict {
  given: string | null;
  is_right: boolean;
  generation: string | null;
  hint: string | null;
  mistake: Mistake | null;
  expected: { raw_body: string; canonical: string | null; content_md5: string };
  /** What has to be signed in the canonical form. */
  signed_text: string | null;
}

export interface KeptRequest extends RequestLine {
  headers: Header[];
  body: Excerpt;
  answer: Excerpt;
  /** Null when nothing can be said: of a stranger's request, or of a part of a body. */
  signature: Verdict | null;
}

export interface Endpoint extends Reason {
  channel_id: string;
  version: Version;
  address: string | null;
  queued: number;
  in_flight: number;
  oldest_queued_at: number | null;
  failing_since: number | null;
  disabled_at: number | null;
  succeeded_at: number | null;
  last_error: { at: number; address: string | null; status: number | null; failure: string | null; excerpt: string } | null;
  health: 'healthy' | 'failing' | 'slow_start' | 'open' | 'paused' | 'disabled' | 'switched_off' | 'no_address';
  next_probe_at?: number;
}
