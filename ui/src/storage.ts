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

/** The names of what is kept that begin so. */
export function keptNames(beginning: string): string[] {
  const names = [...passing.keys()];
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const name = localStorage.key(at) ?? '';
      if (name.startsWith(PREFIX)) names.push(name.slice(PREFIX.length));
    }
  } catch {
    // Nothing is kept here but for this visit.
  }
  return names.filter((name) => name.startsWith(beginning));
}

/** Hears the names of what another tab forgets. */
export function onForgotten(listener: (name: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue === null && key?.startsWith(PREFIX) === true) listener(key.slice(PREFIX.length));
  });
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
