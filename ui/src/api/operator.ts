// The operator's side: a bearer token instead of a session. Tabs keep it and hand it on to tabs that are opened while one of
// them is there; it is gone when the last one is closed, and when whoever gave it signs out.

import { effect, signal } from '@preact/signals';
import { type Ask, Problem, ask, askText } from './client';
import { me } from './session';

const NAME = 'switchboard.operator';

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, token);
  } catch {
    // It counts for this page then.
  }
  operatorToken.value = token;
}

export const operatorToken = signal<string | undefined>(kept());

/** What tabs of this browser tell each other; `user` is who is signed in there, as somebody else must not get a token. */
type Told = { is: 'wanted'; user: string } | { is: 'token'; user: string; token: string } | { is: 'forgotten' };

const tabs = new BroadcastChannel(NAME);

tabs.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  const token = operatorToken.peek();
  if (data.is === 'forgotten') keep(undefined);
  else if (data.user !== me.peek()?.chat_id) return;
  else if (data.is === 'token') keep(data.token);
  else if (token !== undefined) tell({ is: 'token', user: data.user, token });
});

function tell(told: Told): void {
  tabs.postMessage(told);
}

effect(() => {
  const user = me.value?.chat_id;
  if (user !== undefined && operatorToken.peek() === undefined) tell({ is: 'wanted', user });
});

/** Takes a token after the service has; throws the service's problem otherwise. */
export async function becomeOperator(token: string): Promise<void> {
  await ask<unknown>('/admin/v1/channels', { bearer: token });
  keep(token);
  const user = me.peek()?.chat_id;
  if (user !== undefined) tell({ is: 'token', user, token });
}

export function forgetOperator(): void {
  keep(undefined);
  tell({ is: 'forgotten' });
}

/** Asks `/admin/v1` or `/dev/v1` as the operator. */
export function askAsOperator<T>(path: string, how: Ask = {}): Promise<T> {
  return withToken(() => ask<T>(path, asOperator(how)));
}

/** How many entries a page of a list has at most. */
const PAGE = 250;

/** All entries of a list of `/admin/v1`, which calls them `name`: page by page. */
export async function listAsOperator<T>(path: string, name: string, signal?: AbortSignal): Promise<T[]> {
  const entries: T[] = [];
  let cursor: string | undefined;
  do {
    const how: Ask = { query: { limit: PAGE, cursor }, ...(signal === undefined ? {} : { signal }) };
    const page = await askAsOperator<Record<string, T[]> & { next: string | null }>(path, how);
    entries.push(...(page[name] ?? []));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

/** As `askAsOperator`, for an answer that is no JSON. */
export function askTextAsOperator(path: string, how: Ask = {}): Promise<string> {
  return withToken(() => askText(path, asOperator(how)));
}

const asOperator = (how: Ask): Ask => ({ ...how, bearer: operatorToken.peek() ?? '' });

/** A token that is no longer good is forgotten, and the page asks for another. */
async function withToken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof Problem && failure.status === 401) forgetOperator();
    throw failure;
  }
}
