import type { ComponentChildren } from 'preact';
import { isAdministrator } from '../api/session';
import { shell } from '../words/shell';
import { Command } from './copy';
import './empty.css';

interface Props {
  /** What is not there. */
  title: string;
  /** What would fill it. */
  children?: ComponentChildren;
  /** The command that fills it. */
  command?: string | undefined;
  /** What is listed depends on rights, so there may be more than the reader sees. */
  byRights?: boolean;
}

/** What stands where nothing is: one sentence, one action, the same as a command. */
export function Empty({ title, children, command, byRights = false }: Props) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children}
      {byRights && !isAdministrator.value && <p class="soft">{shell().rights}</p>}
      {command !== undefined && (
        <>
          <p class="soft">{shell().command}</p>
          <Command text={command} />
        </>
      )}
    </div>
  );
}
