import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ask } from '../../../api/client';
import { isAdministrator, me } from '../../../api/session';
import { on } from '../../../live/events';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Dialog } from '../../../parts/dialog';
import { Icon } from '../../../parts/icon';
import { type Loaded, useLoad } from '../../../parts/load';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { canned as words } from '../../../words/canned';
import { type CannedReply, canned } from './canned';
import { CannedEditor } from './editor';
import './dialog.css';

/** The canned replies of the user, to be created, changed, shared and deleted. The draft of the reply stays as it is. */
export function CannedDialog({ onClose }: { onClose: () => void }) {
  const loaded = useLoad('canned replies', canned);
  /** The one that is changed; null for a new one. */
  const edited = useSignal<CannedReply | null | undefined>(undefined);
  const deleted = useSignal<CannedReply | undefined>(undefined);
  useEffect(() => on('canned_reply', loaded.reload), []);
  const title = edited.value === undefined ? words().manage : edited.value === null ? words().new : words().change;
  return (
    <>
      <Dialog title={title} onClose={onClose}>
        {edited.value === undefined ? (
          <CannedList
            loaded={loaded}
            onNew={() => (edited.value = null)}
            onEdit={(reply) => (edited.value = reply)}
            onDelete={(reply) => (deleted.value = reply)}
          />
        ) : (
          <CannedEditor
            reply={edited.value}
            onClose={() => {
              edited.value = undefined;
              loaded.reload();
            }}
          />
        )}
      </Dialog>
      {deleted.value !== undefined && (
        <Confirm
          title={words().confirm.title(deleted.value.name)}
          text={deleted.value.is_shared ? words().confirm.shared : words().confirm.own}
          action={words().confirm.action}
          icon="trash"
          onConfirm={async () => {
            await ask<unknown>(`/inbox/v1/canned-replies/${deleted.value?.id}`, { method: 'DELETE' });
            deleted.value = undefined;
            loaded.reload();
          }}
          onClose={() => (deleted.value = undefined)}
        />
      )}
    </>
  );
}

interface ListProps {
  loaded: Loaded<readonly CannedReply[]>;
  onNew: () => void;
  onEdit: (reply: CannedReply) => void;
  onDelete: (reply: CannedReply) => void;
}

function CannedList({ loaded, onNew, onEdit, onDelete }: ListProps) {
  const { data, problem, reload } = loaded;
  const create = useRef<HTMLDivElement>(null);
  const count = data.value?.length;
  // What had the focus may be gone: the form, or the entry that was deleted.
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (active === document.body || active === null || active.matches('dialog')) create.current?.querySelector('button')?.focus();
  }, [count]);
  const mayChange = (reply: CannedReply): boolean => reply.user_id === me.value?.user.id || (reply.is_shared && isAdministrator.value);
  const groups = [
    { label: words().mine, replies: data.value?.filter((it) => !it.is_shared) ?? [] },
    { label: words().shared, replies: data.value?.filter((it) => it.is_shared) ?? [] },
  ].filter(({ replies }) => replies.length > 0);
  return (
    <>
      <p class="soft">{words().explain}</p>
      <div ref={create}>
        <Button icon="plus" onClick={onNew}>
          {words().new}
        </Button>
      </div>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {data.value === undefined && problem.value === undefined && <Skeleton />}
      {count === 0 && <p>{words().none}</p>}
      {groups.map(({ label, replies }) => (
        <section key={label} aria-label={label}>
          <h3>{label}</h3>
          <ul class="canned-entries">
            {replies.map((reply) => (
              <li key={reply.id}>
                <div>
                  <strong dir="auto">{reply.name}</strong>
                  <p class="soft canned-beginning" dir="auto">
                    {reply.text?.slice(0, 300)}
                  </p>
                  {reply.file !== null && (
                    <p class="soft">
                      <Icon name={reply.file.type === 'picture' ? 'picture' : 'file'} /> <bdi>{reply.file.file_name}</bdi>
                    </p>
                  )}
                </div>
                {mayChange(reply) && (
                  <div class="canned-ways">
                    <Button look="quiet" icon="edit" label={words().edit(reply.name)} onClick={() => onEdit(reply)} />
                    <Button look="quiet" icon="trash" label={words().delete(reply.name)} onClick={() => onDelete(reply)} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
