import { kinds } from '../words/kinds';
import './kind.css';

/** The kinds of channels with their pictures, drawn here as those of `icon.tsx`. «Other» has none: it says nothing. */
const KINDS = {
  telegram: 'M21 4L3 11l6 2.5L11 20l4-4.5 4 3zM9 13.5L21 4',
  whatsapp: 'M6 4h4l1.5 5-2.5 1.5c1 2.5 2.5 4 5 5l1.5-2.5 4.5 1.5v4c0 1-.8 1.5-1.8 1.5C10.5 20 4 13.5 4 6c0-1 1-2 2-2z',
  viber: 'M3 4h12v9H8l-3 3v-3H3zM18 9h3v9h-2v3l-3-3h-6',
  instagram: 'M3 8h4l2-3h6l2 3h4v11H3zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  facebook: 'M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12.5h5',
  web: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  email: 'M3 6h18v12H3zM3 6l9 7 9-7',
  sms: 'M7 3h10v18H7zM7 17h10M12 19v.1',
  other: '',
} as const;

export type ChannelKind = keyof typeof KINDS;

/** Returns whether a text names a kind. */
const isKind = (text: string): text is ChannelKind => Object.hasOwn(KINDS, text);

/** All kinds, as a choice lists them. */
export const CHANNEL_KINDS = Object.keys(KINDS).filter(isKind);

/** The name of a kind. */
export const kindName = (kind: ChannelKind): string => kinds()[kind];

/** The picture of a kind, with its name for those who do not see it. */
export function Kind({ kind }: { kind: ChannelKind }) {
  if (KINDS[kind] === '') return null;
  const name = kindName(kind);
  return (
    <span class="kind" role="img" aria-label={name} title={name}>
      <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
        <path d={KINDS[kind]} />
      </svg>
    </span>
  );
}
