// What `/admin/v1/oauth-clients` tells. Seconds since 1970.

import type { Grant } from '../oauth/types';
import type { Caller } from '../operator/program';

export interface Client {
  id: string;
  name: string;
  redirect_uri: string;
  uninstall_hook: string | null;
  channel: string | null;
  /** `["*"]` is all of them. */
  accounts: string[];
  list_external_messages: boolean;
  send_external_messages: boolean;
  secret_fingerprint: string;
  /** Only in the answer that made it. */
  secret?: string;
}

export interface AccountGrant extends Grant {
  account_id: string;
}

/** A request for tokens: issued for an account, or refused with a hint. */
export interface TokenRequest extends Caller {
  grant_type: 'authorization_code' | 'refresh_token';
  account_id: string | null;
  hint: string | null;
}
