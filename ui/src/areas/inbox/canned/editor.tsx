import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Problem, asProblem, ask } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { Icon } from '../../../parts/icon';
import { ProblemNote } from '../../../parts/problem';
import { canned as words } from '../../../words/canned';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import { shell } from '../../../words/shell';
import type { Upload } from '../compose/draft';
import { tooLarge, upload } from '../compose/upload';
import type { CannedReply } from './canned';

interface Props {
  /** The one that is changed; null for a new one. */
  reply: CannedReply | null;
  onClose: () => void;
}

/** The form of a canned reply. What was refused stays, with the reason. */
export function CannedEditor({ reply, onClose }: Props) {
  const first = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const name = useSignal(reply?.name ?? '');
  const text = useSignal(reply?.text ?? '');
  const isShared = useSignal(reply?.is_shared ?? false);
  const file = useSignal<Upload | null>(reply?.file ?? null);
  const busy = useSignal<'saving' | 'uploading' | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const refusal = useSignal<string | undefined>(undefined);
  /** The key of the request: a repeat of one without an answer creates nothing twice. */
  const attempt = useRef({ body: '', key: '' });
  useLayoutEffect(() => first.current?.focus(), []);
  const work = async (what: 'saving' | 'uploading', run: () => Promise<void>): Promise<void> => {
    if (busy.peek() !== undefined) return;
    busy.value = what;
    problem.value = undefined;
    try {
      await run();
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = undefined;
  };
  const save = async (): Promise<void> => {
    const body = { name: name.peek(), text: text.peek(), is_shared: isShared.peek(), media_id: file.peek()?.id ?? null };
    if (reply === null) {
      const told = JSON.stringify(body);
      if (attempt.current.body !== told) attempt.current = { body: told, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
      await ask<unknown>('/inbox/v1/canned-replies', { method: 'POST', body, headers: { 'Idempotency-Key': attempt.current.key } });
    } else {
      // An upload that stays is not named again: the service may have no more of it than the canned reply.
      const { media_id: media, ...others } = body;
      const changed = media === (reply.file?.id ?? null) ? others : body;
      await ask<unknown>(`/inbox/v1/canned-replies/${reply.id}`, { method: 'PATCH', body: changed });
    }
    onClose();
  };
  const attach = (chosen: File): void => {
    refusal.value = tooLarge(chosen);
    if (refusal.value !== undefined) return;
    void work('uploading', async () => {
      file.value = await upload(chosen);
    });
  };
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        void work('saving', save);
      }}
    >
      <Field label={words().name} error={problem.value?.about('name')}>
        {(field) => <input {...field} ref={first} dir="auto" maxLength={255} required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />}
      </Field>
      <Field label={words().text} hint={words().markers} error={problem.value?.about('text')}>
        {(field) => (
          <textarea {...field} dir="auto" rows={6} required value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        )}
      </Field>
      <label>
        <input type="checkbox" checked={isShared.value} onChange={(event) => (isShared.value = event.currentTarget.checked)} />
        {words().share}
      </label>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen !== undefined) attach(chosen);
          event.currentTarget.value = '';
        }}
      />
      <p class="canned-file" role="status">
        {file.value !== null && (
          <>
            <Icon name={file.value.type === 'picture' ? 'picture' : 'file'} /> <bdi>{file.value.file_name}</bdi> · {bytes(file.value.file_size)}
            <Button look="quiet" icon="close" label={inbox().compose.remove} onClick={() => (file.value = null)} />
          </>
        )}
        {busy.value === 'uploading' && inbox().compose.uploading}
      </p>
      <div>
        <Button icon="attach" onClick={() => picker.current?.click()}>
          {inbox().compose.attach}
        </Button>
      </div>
      {refusal.value !== undefined && <p role="alert">{refusal.value}</p>}
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button type="submit" look="primary" icon="check" busy={busy.value !== undefined}>
          {words().save}
        </Button>
      </div>
    </form>
  );
}
