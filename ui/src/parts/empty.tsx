import type { ComponentChildren } from 'preact';
import { command as called, isAdministrator } from '../api/session';
import { shell } from '../words/shell';
import './empty.css';
import { later } from './later';

// The first page of the console seldom needs it.
const Command = later(() => import('./copy').then((it) => it.Command));

interface Props {
  /** What is not there. */
  title: string;
  /** What would fill it. */
  children?: ComponentChildren;
  /** The command of the program that fills it, such as `send "Hello"`. */
  command?: string | undefined;
  /** What is listed depends on rights: whoever is no administrator is told of those, as the rest is nothing they could do. */
  byRights?: boolean;
}

/** What stands where nothing is: one sentence, one action, the same as a command. */
export function Empty({ title, children, command, byRights = false }: Props) {
  const words = shell();
  if (byRights && !isAdministrator.value) {
    return (
      <div class="empty">
        <p class="title">{words.rights.none}</p>
        <p>{words.rights.text}</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
      {command !== undefined && (
        <>
          <p class="soft">{words.command}</p>
          <Command text={called(command)} />
        </>
      )}
    </div>
  );
}
