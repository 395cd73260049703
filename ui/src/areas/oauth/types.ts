// What `/inbox/v1/oauth-clients` and `/admin/v1/oauth-clients` tell. Seconds since 1970.

import type { Caller } from '../operator/program';

/** What a client may do only when an administrator granted it by name. */
export type Scope = 'list_external_messages' | 'send_external_messages';

/** A code or a refresh token. */
export interface Issued {
  /** For whom the client acts. */
  user_id: number;
  issued_at: number;
  expires_at: number;
  /** The request that used it. */
  used_by: Caller | null;
}

export interface LongLivedToken {
  id: number;
  name: string;
  user_id: number;
  created_at: number;
  expires_at: number;
  /** Only in the answer that made it. */
  token?: string;
}

export interface Grant {
  since: number;
  /** The administrator who consented last. */
  user_id: number | null;
  /** What the administrator granted. */
  scopes: Scope[];
  codes: Issued[];
  refresh_tokens: Issued[];
  long_lived_tokens: LongLivedToken[];
}

/** A client that the account may install, or has installed. */
export interface Integration {
  id: string;
  name: string;
  redirect_uri: string;
  /** What it asks for. */
  scopes: Scope[];
  grant: Grant | null;
  /** How many active users it created or was the last to activate. */
  admitted_users: number;
}
