// Requests that begin before the code that needs their answers has arrived: see `start.ts`.

const begun = new Map<string, Promise<Response>>();

/** How the service is asked: as the user who signed in, and without a copy in the browser. */
export const AS_USER = {
  headers: { Accept: 'application/json' },
  credentials: 'same-origin',
  cache: 'no-store',
} satisfies RequestInit;

/** Begins to read this address; `taken` hands on the answer. */
export function begin(address: string): Promise<Response> {
  const answer = fetch(address, AS_USER);
  // Whoever takes the answer hears of a failure.
  answer.catch(() => {});
  begun.set(address, answer);
  return answer;
}

/** Nobody gets an answer of before any more. */
export function forgetBegun(): void {
  begun.clear();
}

/** The answer to a request that has begun, for the first who takes it. */
export function taken(address: string): Promise<Response> | undefined {
  const answer = begun.get(address);
  begun.delete(address);
  return answer;
}
