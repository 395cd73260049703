// What `/inbox/v1/oauth-clients` and `/admin/v1/oauth-clients` tell. Seconds since 1970.

import type { Caller } from '../operator/program';

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
  codes: Issued[];
  refresh_tokens: Issued[];
  long_lived_tokens: LongLivedToken[];
}

/** A client that the account may install, or has installed. */
export interface Integration {
  id: string;
  name: string;
  redirect_uri: string;
  grant: Grant | null;
  /** How many active users it created or was the last to activate. */
  admitted_users: number;
}
