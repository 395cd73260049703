// Times as fields of a form have them.

/** The seconds since 1970 of a local time such as `2026-11-30T21:55`. */
export const secondsOf = (local: string): number => Math.floor(new Date(local).getTime() / 1000);
