// The OAuth clients of the account, as its administrators ask for them.

import { ask } from '../../api/client';
import type { Integration, Scope } from './types';

const ALL = '/inbox/v1/oauth-clients';

export const pathOf = (id: string): string => `${ALL}/${encodeURIComponent(id)}`;

export async function integrations(signal: AbortSignal): Promise<Integration[]> {
  const { oauth_clients: all } = await ask<{ oauth_clients: Integration[] }>(ALL, { signal });
  return all;
}

/** What an administrator decided, with what the client asked for. */
interface Decision {
  grant: boolean;
  redirect_uri?: string;
  state?: string;
  code_challenge?: string;
  code_challenge_method?: string;
  /** Those that the page listed: the client may ask for more meanwhile. */
  scopes?: Scope[];
  from_widget?: boolean;
}

/** Tells the service, and gives the address where the browser goes next. */
export async function decide(id: string, decision: Decision): Promise<string> {
  const { location } = await ask<{ location: string }>(`${pathOf(id)}/consent`, { method: 'POST', body: decision });
  return location;
}

/** The host of an address, for people who check where they go. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}
