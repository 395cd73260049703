import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Problem, asProblem, ask } from '../../../api/client';
import { me } from '../../../api/session';
import { keepWriting, writing } from '../../../api/writings';
import { useShortcuts } from '../../../keys';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import type { Thread } from '../thread/store';
import './composer.css';

interface Upload {
  id: string;
  type: 'picture' | 'file';
  file_name: string;
  file_size: number;
}

/** The file that belongs to a draft, if it has one. */
function attachedTo(thread: Thread): Upload | undefined {
  try {
    return (JSON.parse(writing('draft', `${thread.id} file`) ?? 'null') as Upload | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where an account user writes. A draft survives everything; what was not sent stays in the thread. */
export function Composer({ thread }: { thread: Thread }) {
  const words = inbox().compose;
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const text = useSignal(writing('draft', thread.id) ?? '');
  const drafted = useSignal(text.peek() !== '');
  const file = useSignal<Upload | undefined>(attachedTo(thread));
  const uploading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const tooLarge = useSignal<string | undefined>(undefined);
  useEffect(() => {
    tooLarge.value = undefined;
    text.value = writing('draft', thread.id) ?? '';
    drafted.value = text.value !== '';
    file.value = attachedTo(thread);
    problem.value = undefined;
  }, [thread]);
  const write = (value: string): void => {
    text.value = value;
    drafted.value = keepWriting('draft', thread.id, value === '' ? null : value) && value !== '';
    if (value !== '') thread.typing();
  };
  const put = (upload: Upload | undefined): void => {
    file.value = upload;
    keepWriting('draft', `${thread.id} file`, upload === undefined ? null : JSON.stringify(upload));
  };
  const send = (): void => {
    const said = text.value.trim();
    if (uploading.value || (said === '' && file.value === undefined)) return;
    const what = file.value;
    if (what === undefined) void thread.send({ type: 'text', text: said });
    else {
      const caption = said === '' ? {} : { text: said };
      void thread.send({ type: what.type, media_id: what.id, name: what.file_name, ...caption });
    }
    put(undefined);
    write('');
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
      put(await ask<Upload>('/inbox/v1/media', { method: 'POST', body }));
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    uploading.value = false;
    area.current?.focus();
  };
  const focus = (): void => area.current?.focus();
  useShortcuts([
    { keys: 'KeyR', says: words.focus, run: focus },
    { keys: 'Enter', says: words.focus, run: focus },
  ]);
  return (
    <form
      class="composer"
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
            <Button look="quiet" icon="close" label={words.remove} onClick={() => put(undefined)} />
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
        <span class="soft hint">
          {drafted.value && words.draft}
          <span class="with-keys">
            {drafted.value && ' · '}
            {words.hint}
          </span>
        </span>
        <Button type="submit" look="primary" icon="send">
          {words.send}
        </Button>
      </div>
    </form>
  );
}
