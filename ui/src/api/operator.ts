// The operator's side: a bearer token instead of a session, kept by this tab only and gone when it is closed.

import { signal } from '@preact/signals';
import { type Ask, Problem, ask } from './client';

const NAME = 'switchboard.operator';

function kept(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

export const operatorToken = signal<string | undefined>(kept());

/** Takes a token after the service has; throws the service's problem otherwise. */
export async function becomeOperator(token: string): Promise<void> {
  await ask<unknown>('/admin/v1/channels', { bearer: token });
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // It counts for this page then.
  }
  operatorToken.value = token;
}

export function forgetOperator(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was kept.
  }
  operatorToken.value = undefined;
}

/** Asks `/admin/v1` as the operator. A token that is no longer good is forgotten, and the page asks for another. */
export async function askAsOperator<T>(path: string, how: Ask = {}): Promise<T> {
  try {
    return await ask<T>(path, { ...how, bearer: operatorToken.peek() ?? '' });
  } catch (failure) {
    if (failure instanceof Problem && failure.status === 401) forgetOperator();
    throw failure;
  }
}
