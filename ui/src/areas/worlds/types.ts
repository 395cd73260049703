// What `/dev/v1/worlds` tells.

export const MODES = ['skip', 'frozen', 'real'] as const;
export type Mode = (typeof MODES)[number];

export interface Fault {
  id: number;
  /** What it strikes: `answers`, `callbacks`, `hooks`, `questions` or `engine`. */
  on: string;
  do: string;
  /** A text that must be in what it strikes. */
  match: string | null;
  /** How often it strikes yet; null: until it is ended. */
  left: number | null;
}

export interface World {
  id: string;
  name: string | null;
  seed: number;
  clock: { mode: Mode; now: string; now_ms: number };
  base_url: string;
  account: { id: string };
  channel: { id: string; secret: string };
  scope_id: string;
  users: { name: string; token: string }[];
  /** Null: the world receives its callbacks itself. */
  webhook: string | null;
  /** By the clock of the machine. */
  ends_at: string;
  faults: Fault[];
}

interface Happened {
  cursor: number;
  /** By the clock of the world. */
  at: string;
}

export interface RequestEntry extends Happened {
  kind: 'request';
  what: string;
  /** Null: no answer was sent, or not yet. */
  status: number | null;
  request: string;
  answer: string;
}

export interface CallbackEntry extends Happened {
  kind: 'callback';
  message_id: string;
  attempt: number;
  /** Where it went. */
  what: string;
  outcome: string;
  fault?: string;
  body: string;
}

export interface HookEntry extends Happened {
  kind: 'hook';
  request_id: string;
  /** The number of the webhook in the account. */
  webhook: number;
  hook: number;
  code: string;
  attempt: number;
  /** Where it went, without the query. */
  what: string;
  outcome: string;
  fault?: string;
  form: string;
}

export interface QuestionEntry extends Happened {
  kind: 'question';
  /** The number of the salesbot. */
  bot: number;
  run: number;
  attempt: number;
  /** Where it went, without the query. */
  what: string;
  outcome: string;
  fault?: string;
  body: string;
}

export interface NoteEntry extends Happened {
  kind: 'note';
  who: string;
  what: string;
}

export const KINDS = ['request', 'callback', 'hook', 'question', 'note'] as const;
/** Something that happened in a world. */
export type Entry = RequestEntry | CallbackEntry | HookEntry | QuestionEntry | NoteEntry;

/** When a world ended, by the clock of the machine, and why. */
export interface Ended {
  at: string;
  why: string;
}

/** A piece of a journal; `cursor` is where the next one begins. */
export interface Piece {
  cursor: number;
  ended: Ended | null;
  /** Oldest first. */
  entries: Entry[];
}
