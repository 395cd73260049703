import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Problem, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { ProblemNote } from '../../../parts/problem';
import { canned } from '../../../words/canned';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import { team } from '../../../words/team';
import { templates } from '../../../words/templates';
import { BlockedNote } from '../blocked';
import { type CannedReply, gapsIn } from '../canned/canned';
import { WithSuggestions } from '../canned/suggestions';
import type { Thread } from '../thread/store';
import type { Draft } from './draft';
import { OtherVersion } from './other-version';
import type { Outgoing } from './outbox';
import { tooLarge as sizeOf, upload } from './upload';
import { useIsClosed, WindowNote } from './window';

interface Props {
  thread: Thread;
  draft: Draft;
  area: RefObject<HTMLTextAreaElement | null>;
  /** Shows the templates of integrations, of which one may be sent instead. */
  onTemplates: () => void;
  /** Shows the canned replies, to change them. */
  onManage: () => void;
  /** Asks when the reply is to be sent. */
  onLater: () => void;
}

/** The form of a reply to the customer. A draft survives everything; what was not sent stays in the thread. */
export function ReplyComposer({ thread, draft, area, onTemplates, onManage, onLater }: Props) {
  const words = inbox().compose;
  const picker = useRef<HTMLInputElement>(null);
  const { text, file } = draft;
  const uploading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const isClosed = useIsClosed(thread).value;
  const tooLarge = useSignal<string | undefined>(undefined);
  /** The text about whose gaps was asked: it is sent as it is when somebody sends it again. */
  const asked = useSignal<string | undefined>(undefined);
  /** A file of a canned reply that was not attached, as there is another one. */
  const leftOut = useSignal<string | undefined>(undefined);
  const gaps = gapsIn(text.value);
  const isAsked = gaps.length > 0 && asked.value === text.value;
  useEffect(() => {
    tooLarge.value = undefined;
    leftOut.value = undefined;
    problem.value = undefined;
  }, [draft]);
  const isEmpty = uploading.value || (text.value.trim() === '' && file.value === undefined);
  const write = (value: string): void => {
    draft.write(value);
    if (value !== '') thread.typing();
  };
  const send = (): void => {
    const said = text.value.trim();
    if (isClosed || uploading.value || (said === '' && file.value === undefined)) return;
    const [gap] = gapsIn(said);
    if (gap !== undefined && asked.peek() !== text.value) {
      asked.value = text.value;
      const begin = text.value.indexOf(gap);
      area.current?.focus();
      area.current?.setSelectionRange(begin, begin + gap.length);
      return;
    }
    leftOut.value = undefined;
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
    tooLarge.value = sizeOf(chosen);
    if (tooLarge.value !== undefined) return;
    uploading.value = true;
    problem.value = undefined;
    try {
      draft.attach(await upload(chosen));
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    uploading.value = false;
    area.current?.focus();
  };
  const chose = ({ file: own }: CannedReply): void => {
    const isFree = file.peek() === undefined && !uploading.peek();
    leftOut.value = own !== null && !isFree ? own.file_name : undefined;
    if (own !== null && isFree) draft.attach(own);
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
        if (dropped !== undefined && !isClosed) void attach(dropped);
      }}
    >
      <BlockedNote conversation={thread.conversation.value} />
      <WindowNote thread={thread} isClosed={isClosed} />
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
      <WithSuggestions conversation={thread.id} area={area} text={text} onChoose={chose} onManage={onManage}>
        {(combobox, hear) => (
          <textarea
            ref={area}
            {...(combobox as object)}
            dir="auto"
            rows={Math.min(8, Math.max(2, text.value.split('\n').length))}
            aria-label={words.label}
            placeholder={isClosed ? templates().window.placeholder : words.placeholder}
            readOnly={isClosed}
            value={text.value}
            onInput={(event) => {
              write(event.currentTarget.value);
              hear.onInput();
            }}
            onKeyDown={(event) => {
              if (hear.onKeyDown(event)) return;
              if (event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
                event.preventDefault();
                // A key that is held down does not answer what it asked.
                if (!event.repeat) send();
              } else if (event.code === 'Escape') {
                event.preventDefault();
                event.currentTarget.blur();
              }
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData?.files[0];
              if (pasted === undefined || isClosed) return;
              event.preventDefault();
              void attach(pasted);
            }}
          />
        )}
      </WithSuggestions>
      <p class={gaps.length > 0 || leftOut.value !== undefined ? 'canned-gaps' : 'unseen'} role="status">
        {gaps.length > 0 && <>{canned().noValue(gaps.join(', '))} </>}
        {isAsked && <>{canned().ask} </>}
        {leftOut.value !== undefined && canned().leftOut(leftOut.value)}
      </p>
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
        {!isClosed && <Button look="quiet" icon="attach" label={words.attach} onClick={() => picker.current?.click()} />}
        <Button look={isClosed ? 'primary' : 'quiet'} onClick={onTemplates}>
          {templates().open}
        </Button>
        {!isAsked && (
          <span class="soft hint">
            {draft.kept.value && words.draft}
            <span class="with-keys">
              {draft.kept.value && !isClosed && ' · '}
              {!isClosed && words.hint}
            </span>
          </span>
        )}
        {!isClosed && (
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
        )}
        {!isClosed && (
          <Button
            type="submit"
            look="primary"
            icon="send"
            onClick={(event) => {
              // The second half of a double click does not answer what the first one asked.
              if (event.detail > 1 && gaps.length > 0) event.preventDefault();
            }}
          >
            {isAsked ? canned().asItIs : words.send}
          </Button>
        )}
      </div>
    </form>
  );
}
