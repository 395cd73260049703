import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';
import './badge.css';

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'info';

/** A state as a picture and a word: the colour only repeats it. */
export function Badge({ tone = 'plain', icon, children }: { tone?: Tone; icon?: IconName; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
