// JSON in lines that know what they show, so that what is wrong can be pointed at.

export interface Line {
  text: string;
  /** The field that begins in this line, as the service names it: `payload.message.text`; the whole is ``. */
  path: string | undefined;
}

/** The lines of a value. */
export function lines(value: unknown): Line[] {
  const out: Line[] = [];
  const print = (it: unknown, path: string, indent: string, before: string, after: string): void => {
    const isList = Array.isArray(it);
    if (typeof it !== 'object' || it === null || Object.keys(it).length === 0) {
      out.push({ text: indent + before + JSON.stringify(it) + after, path });
      return;
    }
    out.push({ text: indent + before + (isList ? '[' : '{'), path });
    const inner = Object.entries(it);
    for (const [at, [key, child]] of inner.entries()) {
      const name = isList ? '' : `${JSON.stringify(key)}: `;
      print(child, path === '' ? key : `${path}.${key}`, `${indent}  `, name, at + 1 < inner.length ? ',' : '');
    }
    out.push({ text: indent + (isList ? ']' : '}') + after, path: undefined });
  };
  print(value, '', '', '', '');
  return out;
}

/** The line in which a field begins; of one that is not there, that of what should hold it. */
export function lineOf(all: readonly Line[], path: string): number {
  const names = path === '(body)' ? [] : path.split(/[.[\]/]+/).filter((name) => name !== '');
  for (let length = names.length; length >= 0; length -= 1) {
    const wanted = names.slice(0, length).join('.');
    const found = all.findIndex((line) => line.path === wanted);
    if (found >= 0) return found;
  }
  return -1;
}

/** The value of a text, if it is JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same JSON in lines, or in one line. Only the blanks between its parts differ: a long number keeps its digits. */
export function laidOut(text: string, inLines: boolean): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  if (!inLines) return parts.join('');
  let out = '';
  let depth = 0;
  for (const [at, part] of parts.entries()) {
    const isEmpty = /^[{[]$/.test(parts[at - 1] ?? '');
    if (/^[}\]]$/.test(part)) {
      depth -= 1;
      out += isEmpty ? part : `\n${'  '.repeat(depth)}${part}`;
      continue;
    }
    if (isEmpty || parts[at - 1] === ',') out += `\n${'  '.repeat(depth)}`;
    out += part === ':' ? ': ' : part;
    if (/^[{[]$/.test(part)) depth += 1;
  }
  return out;
}

/** The beginning of a text, byte by byte: place, hexadecimal, characters. */
export function hexDump(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text).slice(0, limit);
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.slice(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const shown = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    rows.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${shown}`);
  }
  return rows.join('\n');
}
