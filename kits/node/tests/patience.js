/** Milliseconds that a test waits for a state before it fails: far longer than any machine needs that is only slow. */
export const PATIENCE_MS = 120_000;
