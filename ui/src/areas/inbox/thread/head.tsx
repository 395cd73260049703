import type { RefObject } from 'preact';
import { ask } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Kind } from '../../../parts/kind';
import { useWork } from '../../../parts/work';
import { open } from '../../../router';
import { inbox } from '../../../words/inbox';
import { Blocked } from '../blocked';
import { addressOf } from '../list/filters';
import { find } from '../list/store';
import { nameOf } from '../types';
import { Handling } from './handling';
import './head.css';
import { ThreadView } from './thread';

interface Props {
  id: string;
  isDetailed: boolean;
  /** The place of the button that opens the details. */
  opener: RefObject<HTMLSpanElement | null>;
  onDetails: () => void;
}

/** A conversation: its head, its messages, and the composer. */
export function ThreadPane(props: Props) {
  return (
    <>
      <Head {...props} />
      <ThreadView key={props.id} id={props.id} />
    </>
  );
}

function Head({ id, isDetailed, opener, onDetails }: Props) {
  const words = inbox().thread;
  const conversation = find(id);
  return (
    <header class="thread-head">
      <Button look="quiet" icon="back" label={words.back} onClick={() => open(addressOf())} />
      <h2>
        {conversation !== undefined && <bdi>{nameOf(conversation)}</bdi>}
        {conversation !== undefined && conversation.channel !== null && (
          <span class="soft">
            {' · '}
            <Kind kind={conversation.channel.kind} />
            {conversation.channel.title}
          </span>
        )}
      </h2>
      {conversation !== undefined && <Blocked conversation={conversation} />}
      {conversation !== undefined && conversation.unread === 0 && <Unread id={id} />}
      {!isDetailed && (
        <span ref={opener}>
          <Button aria-expanded={false} onClick={onDetails}>
            {words.details}
          </Button>
        </span>
      )}
      {conversation !== undefined && conversation.lead !== null && <Handling key={id} conversation={conversation} />}
    </header>
  );
}

/** Gives a conversation back to all users as unread, and leaves it. */
function Unread({ id }: { id: string }) {
  const { busy, run } = useWork();
  const mark = (): Promise<void> =>
    run(async () => {
      open(addressOf());
      await ask<void>(`/inbox/v1/conversations/${id}/unread`, { method: 'POST' });
    });
  const says = inbox().thread.markUnread;
  return <Button look="quiet" icon="unread" label={says} busy={busy} onClick={() => void mark()} />;
}
