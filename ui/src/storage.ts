// What this browser keeps. Where it may keep nothing (private windows, full storage), everything works for this visit.

const PREFIX = 'switchboard.';
const passing = new Map<string, string>();

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name) ?? passing.get(name) ?? null;
  } catch {
    return passing.get(name) ?? null;
  }
}

/** Keeps a text, or forgets it. Says whether it will be there after this visit. */
export function keep(name: string, value: string | null): boolean {
  try {
    if (value === null) {
      passing.delete(name);
      localStorage.removeItem(PREFIX + name);
    } else {
      localStorage.setItem(PREFIX + name, value);
    }
    return true;
  } catch {
    if (value !== null) passing.set(name, value);
    return false;
  }
}
