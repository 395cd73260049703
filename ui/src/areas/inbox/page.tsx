import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { later } from '../../parts/later';
import { Page } from '../../parts/page';
import { keep, kept } from '../../storage';
import { inbox } from '../../words/inbox';
import { List } from './list/list';
import { find, isEmpty, told } from './list/store';
import './page.css';
import { nameOf } from './types';

/** Everything but the list: fetched once the list is there, as a conversation is mostly what is opened next. */
const work = () => import('../../work');
const ThreadPane = later(() => work().then((it) => it.ThreadPane));
const Details = later(() => work().then((it) => it.Details));
const WriteFirst = later(() => work().then((it) => it.WriteFirst));

/** Whether there is room for the details beside the thread. */
const isWide = (): boolean => matchMedia('(width >= 1280px)').matches;

/** The inbox: the conversations, and the one that the address names. */
export function InboxPage({ id }: { id?: string | undefined }) {
  const words = inbox();
  const writing = useSignal(false);
  const detailed = useSignal(isWide() && kept('details') !== 'off');
  useSignalEffect(() => {
    // Whoever opens something hears of a failure.
    if (told.value) work().catch(() => {});
  });
  const opener = useRef<HTMLSpanElement>(null);
  /** Whether somebody opened or closed the details here: then the focus goes along. */
  const touched = useSignal(false);
  const conversation = id === undefined ? undefined : find(id);
  const name = conversation === undefined ? '' : nameOf(conversation);
  const isDetailed = detailed.value && conversation !== undefined;
  const show = (on: boolean): void => {
    touched.value = true;
    detailed.value = on;
    if (isWide()) keep('details', on ? null : 'off');
  };
  useShortcuts(
    id === undefined ? [] : [{ keys: 'KeyI', says: words.thread.details, run: () => show(!detailed.value) }],
  );
  // On a narrow screen a new conversation shows its messages, not its details.
  useEffect(() => {
    touched.value = false;
    if (!isWide()) detailed.value = false;
  }, [id]);
  useEffect(() => {
    if (touched.value && !isDetailed) opener.current?.querySelector('button')?.focus();
  }, [isDetailed]);
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
      <div class={`inbox${id === undefined ? '' : ' chosen'}${isDetailed ? ' detailed' : ''}`}>
        <List selected={id} />
        <section class="thread" aria-label={name === '' ? words.title : words.thread.label(name)}>
          {id === undefined ? (
            !isEmpty.value && <Choose />
          ) : (
            <ThreadPane id={id} isDetailed={isDetailed} opener={opener} onDetails={() => show(true)} />
          )}
        </section>
        {isDetailed && (
          <Details conversation={conversation} takesFocus={touched.value} onClose={() => show(false)} />
        )}
      </div>
      {writing.value && <WriteFirst onClose={() => (writing.value = false)} />}
    </Page>
  );
}

function Choose() {
  const words = inbox().choose;
  return (
    <Empty title={words.title}>
      <p class="with-keys">
        <kbd>n</kbd> {words.newest}
      </p>
    </Empty>
  );
}
