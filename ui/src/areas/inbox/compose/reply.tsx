import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Problem, asProblem, ask } from '../../../api/client';
import { me } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import { team } from '../../../words/team';
import { templates } from '../../../words/templates';
import type { Thread } from '../thread/store';
import type { Draft, Upload } from './draft';
import { OtherVersion } from './other-version';
import type { Outgoing } from './outbox';

interface Props {
  thread: Thread;
  draft: Draft;
  area: RefObject<HTMLTextAreaElement | null>;
  /** Shows the templates of integrations, of which one may be sent instead. */
  onTemplates: () => void;
  /** Asks when the reply is to be sent. */
  onLater: () => void;
}

/** The form of a reply to the customer. A draft survives everything; what was not sent stays in the thread. */
export function ReplyComposer({ thread, draft, area, onTemplates, onLater }: Props) {
  const words = inbox().compose;
  const picker = useRef<HTMLInputElement>(null);
  const { text, file } = draft;
  const uploading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const tooLarge = useSignal<string | undefined>(undefined);
  useEffect(() => {
    tooLarge.value = undefined;
    problem.value = undefined;
  }, [draft]);
  const isEmpty = uploading.value || (text.value.trim() === '' && file.value === undefined);
  const write = (value: string): void => {
    draft.write(value);
    if (value !== '') thread.typing();
  };
  const send = (): void => {
    const said = text.value.trim();
    if (uploading.value || (said === '' && file.value === undefined)) return;
    const what = file.value;
    const number = draft.take();
    const version = number === undefined ? {} : { draft: number };
    const caption = said === '' ? {} : { text: said };
    const outgoing: Outgoing =
      what === undefined
        ? { type: 'text', text: said, ...version }
        : { type: what.type, media_id: what.id, name: what.file_name, ...caption, ...version };
    void thread.write(outgoing).then((isSent) => isSent && draft.arrived(number));
    area.current?.focus();
  };
  const attach = async (chosen: File): Promise<void> => {
    const most = me.peek()?.file_bytes_max ?? Number.MAX_SAFE_INTEGER;
    // Before the upload: nobody waits for a refusal that is known already.
    tooLarge.value = chosen.size > most ? words.tooLarge(bytes(chosen.size), bytes(most)) : undefined;
    if (chosen.size > most) return;
    uploading.value = true;
    problem.value = undefined;
    const body = new FormData();
    body.append('file', chosen, chosen.name);
    try {
      draft.attach(await ask<Upload>('/inbox/v1/media', { method: 'POST', body }));
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    uploading.value = false;
    area.current?.focus();
  };
  return (
    <form
      class="composer reply-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const dropped = event.dataTransfer?.files[0];
        if (dropped !== undefined) void attach(dropped);
      }}
    >
      {draft.other.value !== undefined && <OtherVersion draft={draft} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {tooLarge.value !== undefined && (
        <p class="too-large" role="alert">
          <Icon name="warning" /> {tooLarge.value}
        </p>
      )}
      {(file.value !== undefined || uploading.value) && (
        <p class="attached" role="status">
          <Icon name={file.value?.type === 'picture' ? 'picture' : 'file'} />
          {uploading.value ? words.uploading : `${file.value?.file_name ?? ''} · ${bytes(file.value?.file_size ?? 0)}`}
          {file.value !== undefined && (
            <Button look="quiet" icon="close" label={words.remove} onClick={() => draft.attach(undefined)} />
          )}
        </p>
      )}
      <textarea
        ref={area}
        dir="auto"
        rows={Math.min(8, Math.max(2, text.value.split('\n').length))}
        aria-label={words.label}
        placeholder={words.placeholder}
        value={text.value}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
            event.preventDefault();
            send();
          } else if (event.code === 'Escape') {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.files[0];
          if (pasted === undefined) return;
          event.preventDefault();
          void attach(pasted);
        }}
      />
      <div class="below">
        <input
          ref={picker}
          type="file"
          hidden
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen !== undefined) void attach(chosen);
            event.currentTarget.value = '';
          }}
        />
        <Button look="quiet" icon="attach" label={words.attach} onClick={() => picker.current?.click()} />
        <Button look="quiet" onClick={onTemplates}>
          {templates().open}
        </Button>
        <span class="soft hint">
          {draft.kept.value && words.draft}
          <span class="with-keys">
            {draft.kept.value && ' · '}
            {words.hint}
          </span>
        </span>
        <Button
          look="quiet"
          icon="clock"
          label={team().scheduled.later}
          aria-haspopup="dialog"
          aria-disabled={isEmpty || undefined}
          onClick={() => {
            if (isEmpty) area.current?.focus();
            else onLater();
          }}
        />
        <Button type="submit" look="primary" icon="send">
          {words.send}
        </Button>
      </div>
    </form>
  );
}
