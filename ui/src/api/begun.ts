// Requests that begin before the code that needs their answers has arrived: see `start.ts`.

const begun = new Map<string, Promise<Response>>();
/** The id of the newest event before the answers. */
let lastEvent: Promise<string | undefined> | undefined;

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

/** Begins to read a list that live events keep true: they begin behind it. */
export function beginLive(address: string): void {
  lastEvent = begin(address).then(
    (answer) => answer.headers.get('Last-Event-ID') ?? undefined,
    () => undefined,
  );
}

/** The answer to a request that has begun, for the first who takes it. */
export function taken(address: string): Promise<Response> | undefined {
  const answer = begun.get(address);
  begun.delete(address);
  return answer;
}

/** Behind which event the first line begins; undefined when nothing was read before. */
export function takenLastEvent(): Promise<string | undefined> | undefined {
  const id = lastEvent;
  lastEvent = undefined;
  return id;
}

/** Nobody gets an answer of before any more. */
export function forgetBegun(): void {
  begun.clear();
  lastEvent = undefined;
}
