// What stands around every page: where one can go, whose account it is, whether what is shown is still true.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { me } from '../api/session';
import { connection, on, pause, paused } from '../live/events';
import { useShortcuts } from '../keys';
import { Icon } from '../parts/icon';
import { later } from '../parts/later';
import { target } from '../parts/skip';
import { open } from '../router';
import { shell } from '../words/shell';
import { ConnectionState } from './connection';
import './frame.css';
import { entries, Navigation } from './navigation';
import { UserMenu } from './user-menu';

const Profile = later(() => import('../work').then((it) => it.Profile));
const Shortcuts = later(() => import('../work').then((it) => it.Shortcuts));
/** How long a page has for itself before the code of notifications is fetched, in milliseconds. */
const AT_FIRST = 2_000;

export function Frame({ children }: { children: ComponentChildren }) {
  const helping = useSignal(false);
  const editing = useSignal(false);
  const words = shell();
  useShortcuts([
    { keys: 'Shift+Slash', says: words.shortcuts.help, run: () => (helping.value = true) },
    { keys: 'Period', says: words.shortcuts.pause, run: () => pause(!paused.peek()) },
    ...entries().flatMap((entry) =>
      entry.key === undefined
        ? []
        : [{ keys: `KeyG ${entry.key}`, says: words.shortcuts.goto(entry.says()), run: () => open(entry.to) }],
    ),
  ]);
  // Whoever opens something hears of a failure.
  useEffect(() => on('ready', () => void setTimeout(() => import('../work').catch(() => {}), AT_FIRST)), []);
  const account = me.value?.account?.name ?? '';
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      {target.value !== undefined && (
        <a class="skip" href={`#${target.value.id}`}>
          {target.value.says()}
        </a>
      )}
      <header class="top">
        <a class="brand" href="/" aria-label={words.product}>
          <Icon name="callbacks" />
          <span>{words.product}</span>
        </a>
        <span class="account-name" title={account}>
          {account}
        </span>
        <ConnectionState state={connection.value} />
        <UserMenu onProfile={() => (editing.value = true)} onShortcuts={() => (helping.value = true)} />
      </header>
      <Navigation />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {editing.value && <Profile onClose={() => (editing.value = false)} />}
      {helping.value && <Shortcuts onClose={() => (helping.value = false)} />}
    </div>
  );
}
