// Who is signed in.

import { computed, signal } from '@preact/signals';
import { suggest } from '../words/language';
import { forgetBegun } from './begun';
import { Problem, ask } from './client';

export interface Account {
  id: string;
  name: string;
  lang: string;
  plan: 'base' | 'enterprise';
}

/** `A` everything, `G` of the user's groups, `M` the user's own, `D` nothing. */
export type Access = 'A' | 'G' | 'M' | 'D';

export interface Me {
  account: Account | null;
  user: {
    id: number;
    name: string;
    email: string;
    lang: string;
    rights: Record<string, unknown> & { is_admin: boolean; is_active: boolean };
  };
  /** The user as customers' messengers know them: `sender.id` of messages. */
  chat_id: string;
  csrf_token: string | null;
  /** How a command of the program begins where the service was started: `switchboard`, or `cargo run --`. */
  program: string;
  /** Whether the service runs worlds: it was started as `switchboard dev`. */
  has_worlds: boolean;
  /** The longest file that can be uploaded, in bytes. */
  file_bytes_max: number;
  /** What this user is notified of; not there as long as it is the default. */
  notifications?: NotificationSettings;
  /** What this user chose; colleagues see them away without a sign of any device, too. */
  presence: 'here' | 'away' | 'away_give_back';
}

export interface NotificationSettings {
  /** The kinds that are switched off. */
  off: string[];
  sound: boolean;
  /** Whether a push has the beginning of the customer's text. */
  show_text: boolean;
  /** The hours without notifications: «22:00», and the minutes by which the clock of the user is ahead of UTC. */
  quiet_hours: { from: string; to: string; utc_offset: number } | null;
}

/** Undefined until it is known, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);
export const csrf = computed(() => me.value?.csrf_token ?? undefined);
export const isAdministrator = computed(() => me.value?.user.rights.is_admin ?? false);
export const hasWorlds = computed(() => me.value?.has_worlds ?? false);
/** A command of the program, as it works where the service was started. */
export const command = (words: string): string => `${me.value?.program ?? 'switchboard'} ${words}`;
/** Whether a session ended by itself, so that the sign-in page can say so. */
export const ended = signal(false);
/** Somebody signed out on purpose: what this browser keeps of theirs goes. */
export const leaving = signal(false);
/** Somebody signed in on this page, and has not been told yet what waits. */
export const isNew = signal(false);
/** Why it is not known who is signed in: the service was not reached. */
export const unknown = signal<Problem | undefined>(undefined);

function enter(found: Me): void {
  suggest(found.user.lang);
  ended.value = false;
  leaving.value = false;
  unknown.value = undefined;
  me.value = found;
}

/** Asks who is signed in, by the cookie. */
export async function recall(): Promise<void> {
  try {
    enter(await ask<Me>('/inbox/v1/me'));
  } catch (failure) {
    forgetBegun();
    if (failure instanceof Problem && failure.status === 401) me.value = null;
    else unknown.value = failure instanceof Problem ? failure : new Problem(-1, String(failure));
  }
}

export async function signIn(email: string, password: string, account: string): Promise<void> {
  const body = { email, password, ...(account === '' ? {} : { account_id: account }) };
  enter(await ask<Me>('/inbox/v1/session', { method: 'POST', body }));
  isNew.value = true;
}

export async function signOut(): Promise<void> {
  await ask<void>('/inbox/v1/session', { method: 'DELETE' });
  leaving.value = true;
  me.value = null;
}

/** A request was answered with 401: the session is over. */
export function signedOut(): void {
  if (me.peek() !== null && me.peek() !== undefined) ended.value = true;
  me.value = null;
}

/** What tabs of this browser tell each other: the session is another, with the same cookie for all of them. */
const renewed = new BroadcastChannel('switchboard.session');

renewed.addEventListener('message', () => void recall());

/** Gives whoever is signed in another name, other notifications, or another presence. */
export async function changeMe(
  body: { name: string } | { notifications: NotificationSettings } | { presence: Me['presence'] },
): Promise<void> {
  enter(await ask<Me>('/inbox/v1/me', { method: 'PATCH', body }));
}

/** Gives whoever is signed in another password. Their other sessions end, and this one goes on as a new one. */
export async function changePassword(current: string, password: string): Promise<void> {
  const body = { current_password: current, password };
  enter(await ask<Me>('/inbox/v1/me/password', { method: 'POST', body }));
  renewed.postMessage('renewed');
}
