import { useSignal } from '@preact/signals';
import { Dialog } from '../../../parts/dialog';
import { Empty } from '../../../parts/empty';
import { useLoad } from '../../../parts/load';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { templates } from '../../../words/templates';
import type { Thread } from '../thread/store';
import { Choose } from './choose';
import { Preview } from './preview';
import { type SendableTemplate, outgoing, sendable } from './sendable';

interface Props {
  thread: Thread;
  onClose: () => void;
}

/** Asks which template of an integration to send, and shows it before it is sent. The draft of the reply stays as it is. */
export function TemplateDialog({ thread, onClose }: Props) {
  const { data, problem, reload } = useLoad(thread.id, (signal) => sendable(thread.id, signal));
  const chosen = useSignal<number | undefined>(undefined);
  const query = useSignal('');
  const all = data.value;
  const template = all?.find(({ id }) => id === chosen.value);
  const send = (it: SendableTemplate): void => {
    const message = outgoing(it);
    if (message !== undefined) void thread.write(message);
    onClose();
  };
  return (
    <Dialog title={templates().title} onClose={onClose}>
      {all === undefined ? (
        problem.value === undefined ? (
          <Skeleton />
        ) : (
          <ProblemNote problem={problem.value} retry={reload} />
        )
      ) : all.length === 0 ? (
        <None />
      ) : template === undefined ? (
        <Choose all={all} query={query} onChoose={({ id }) => (chosen.value = id)} />
      ) : (
        <Preview key={template.id} template={template} onSend={() => send(template)} onBack={() => (chosen.value = undefined)} />
      )}
    </Dialog>
  );
}

function None() {
  const words = templates();
  return (
    <Empty title={words.none}>
      <p>{words.noneText}</p>
      <p>
        <a href="/docs/templates.md" target="_blank" rel="noopener" data-leave="">
          {words.docs}
        </a>
      </p>
    </Empty>
  );
}
