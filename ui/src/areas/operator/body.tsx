import { useSignal } from '@preact/signals';
import { Choices } from '../../parts/choices';
import { Copy } from '../../parts/copy';
import { number } from '../../words/language';
import { operator } from '../../words/operator';
import './body.css';
import { hexDump, lineOf, lines, parsed } from './pretty';

/** A field that is wrong, and why. */
export interface Mark {
  path: string;
  detail: string;
}

interface Props {
  text: string;
  /** What it is, for people who do not see what it stands beside. */
  label: string;
  marks?: readonly Mark[];
}

/** How many bytes are shown one by one. */
const BYTES = 2048;

/** A body: as it was sent, line by line if it is JSON, byte by byte. */
export function Body({ text, label, marks = [] }: Props) {
  const words = operator().body;
  const value = parsed(text);
  const isJson = typeof value === 'object' && value !== null;
  const view = useSignal<'pretty' | 'raw' | 'hex'>('pretty');
  const shown = view.value === 'pretty' && !isJson ? 'raw' : view.value;
  const all = shown === 'pretty' ? lines(value) : [];
  const wrong = new Map<number, string[]>();
  for (const { path, detail } of marks) {
    const at = lineOf(all, path);
    wrong.set(at, [...(wrong.get(at) ?? []), `${path}: ${detail}`]);
  }
  const length = new TextEncoder().encode(text).length;
  return (
    <div class="body">
      <div class="body-head">
        <Choices
          label={label}
          value={shown}
          options={[...(isJson ? [{ value: 'pretty' as const, says: words.pretty }] : []), { value: 'raw', says: words.raw }, { value: 'hex', says: words.hex }]}
          onChoose={(chosen) => {
            view.value = chosen;
          }}
        />
        <span class="soft">{words.length(length)}</span>
        <Copy text={text} of={label} />
      </div>
      <pre tabIndex={0} role="region" aria-label={label} class={shown === 'raw' ? 'wraps' : undefined}>
        <code>
          {shown === 'raw' && text}
          {shown === 'hex' && (
            <>
              {hexDump(text, BYTES)}
              {length > BYTES && `\n… ${words.more(number(length - BYTES))}`}
            </>
          )}
          {all.map((line, at) => {
            const why = wrong.get(at);
            return why === undefined ? (
              <span key={at}>{`${line.text}\n`}</span>
            ) : (
              <mark key={at}>
                {`${line.text}\n`}
                <strong>{`↑ ${why.join('\n↑ ')}`}</strong>
              </mark>
            );
          })}
        </code>
      </pre>
    </div>
  );
}
