import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { open } from '../../router';
import { keep, kept } from '../../storage';
import { inbox } from '../../words/inbox';
import { Details } from './details/details';
import { WriteFirst } from './first/write-first';
import { List } from './list/list';
import { find } from './list/store';
import './page.css';
import { ThreadView } from './thread/thread';

/** The inbox: the conversations, and the one that the address names. */
export function InboxPage({ id }: { id?: string | undefined }) {
  const words = inbox();
  const writing = useSignal(false);
  const wide = matchMedia('(width >= 1280px)').matches;
  const detailed = useSignal(wide && kept('details') !== 'off');
  const conversation = id === undefined ? undefined : find(id);
  const name = conversation?.customer?.name ?? conversation?.client_id ?? '';
  const show = (on: boolean): void => {
    detailed.value = on;
    if (wide) keep('details', on ? null : 'off');
  };
  useShortcuts(
    id === undefined ? [] : [{ keys: 'KeyI', says: words.thread.details, run: () => show(!detailed.value) }],
  );
  // On a narrow screen a new conversation shows its messages, not its details.
  useEffect(() => {
    if (!matchMedia('(width >= 1280px)').matches) detailed.value = false;
  }, [id]);
  return (
    <Page
      title={words.title}
      about={name}
      fills
      actions={
        <Button icon="plus" onClick={() => (writing.value = true)}>
          {words.first.open}
        </Button>
      }
    >
      <div class={`inbox${id === undefined ? '' : ' chosen'}${detailed.value ? ' detailed' : ''}`}>
        <List selected={id} />
        <section class="thread" aria-label={name === '' ? words.title : words.thread.label(name)}>
          {id === undefined ? (
            <Empty title={words.choose} />
          ) : (
            <>
              <header class="thread-head">
                <Button look="quiet" icon="back" label={words.thread.back} onClick={() => open('/conversations')} />
                <h2>
                  {name}
                  {conversation?.channel !== null && conversation !== undefined && (
                    <span class="soft"> · {conversation.channel.name}</span>
                  )}
                </h2>
                <Button aria-expanded={detailed.value} onClick={() => show(!detailed.value)}>
                  {words.thread.details}
                </Button>
              </header>
              <ThreadView key={id} id={id} />
            </>
          )}
        </section>
        {conversation !== undefined && detailed.value && <Details conversation={conversation} onClose={() => show(false)} />}
      </div>
      {writing.value && <WriteFirst onClose={() => (writing.value = false)} />}
    </Page>
  );
}
