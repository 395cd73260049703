// Asking the service: JSON in, JSON or a `Problem` out.

import { AS_USER, taken } from './begun';
import { csrf, signedOut } from './session';

/** One wrong field of a request. */
export interface Wrong {
  code: string;
  path: string;
  detail: string;
}

/** What is wrong with one item of a request; a request of one object has the item `0`. */
export interface WrongItem {
  request_id: string;
  errors: Wrong[];
}

/** Why something was not done, as the service says it. `status` 0: the service was not reached. */
export class Problem extends Error {
  readonly status: number;
  readonly detail: string;
  readonly items: readonly WrongItem[];
  /** In how many seconds another attempt has a chance; undefined when that is not told. */
  readonly retryAfter: number | undefined;
  /** What only some problems have, by the name of its field. */
  readonly parts: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    items: readonly WrongItem[] = [],
    retryAfter?: number,
    parts: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.parts = parts;
    this.status = status;
    this.detail = detail;
    this.items = items;
    this.retryAfter = retryAfter;
  }

  /** What is wrong with the field of this path, if something is. */
  about(path: string): string | undefined {
    const all = this.items.flatMap((item) => item.errors);
    return all.find((wrong) => wrong.path === path)?.detail;
  }
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON, or as it is when it is a form. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A bearer token instead of the session, for the operator's side. */
  bearer?: string;
}

/** Where a path with these parameters is; those without a value are left out. */
export function address(path: string, query: Ask['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Asks. What is not 2xx is thrown as a `Problem`; an aborted request as the browser throws it. */
export async function ask<T>(path: string, how: Ask = {}): Promise<T> {
  const text = await askText(path, how);
  // A 202 may have nothing to say either.
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** As `ask`, for an answer that is no JSON: gives it as it is. */
export async function askText(path: string, how: Ask = {}): Promise<string> {
  const method = how.method ?? 'GET';
  const headers: Record<string, string> = { ...AS_USER.headers, ...how.headers };
  if (how.bearer !== undefined) headers.Authorization = `Bearer ${how.bearer}`;
  else if (method !== 'GET' && csrf.value !== undefined) headers['X-CSRF-Token'] = csrf.value;
  let body: BodyInit | undefined;
  if (how.body instanceof FormData) {
    body = how.body;
  } else if (how.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(how.body);
  }
  const init: RequestInit = { ...AS_USER, method, headers };
  if (body !== undefined) init.body = body;
  if (how.signal !== undefined) init.signal = how.signal;
  let response: Response;
  let text = '';
  try {
    const where = address(path, how.query);
    const isPlain = method === 'GET' && how.bearer === undefined;
    response = await ((isPlain ? taken(where) : undefined) ?? fetch(where, init));
    // The line may break within an answer, too.
    if (response.ok) text = await response.text();
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new Problem(0, '');
  }
  if (response.ok) return text;
  const problem = await told(response);
  if (response.status === 401 && how.bearer === undefined && path !== '/inbox/v1/session') signedOut();
  throw problem;
}

async function told(response: Response): Promise<Problem> {
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? wait : undefined;
  try {
    const body = (await response.json()) as { detail?: string; 'validation-errors'?: WrongItem[] };
    const { detail = response.statusText, 'validation-errors': items = [], ...parts } = body;
    return new Problem(response.status, detail, items, retryAfter, parts);
  } catch {
    return new Problem(response.status, response.statusText, [], retryAfter);
  }
}

/** Whether something thrown is the end of a request that nobody waits for any more. */
export function isAborted(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'AbortError';
}

/** Whatever was thrown, as a problem that can be shown. */
export function asProblem(failure: unknown): Problem {
  if (failure instanceof Problem) return failure;
  return new Problem(-1, failure instanceof Error ? failure.message : String(failure));
}
