import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { inbox } from '../../../words/inbox';
import { templates } from '../../../words/templates';
import { LongText } from '../thread/content';
import { MessageButtons } from './buttons';
import type { SendableTemplate } from './sendable';
import './preview.css';

interface Props {
  template: SendableTemplate;
  onSend: () => void;
  onBack: () => void;
}

/** A template as it will be sent, and the ways to go on. Markers without a value are named, and asked about once. */
export function Preview({ template, onSend, onBack }: Props) {
  const words = templates();
  const id = useId();
  const isAsked = useSignal(false);
  const ways = useRef<HTMLDivElement>(null);
  const { name, content, text, empty, buttons, file_name: file } = template;
  // The list that had the focus is gone.
  useLayoutEffect(() => ways.current?.querySelector<HTMLElement>('.button:last-child')?.focus(), []);
  const send = (): void => {
    if (empty.length === 0 || isAsked.peek()) onSend();
    else isAsked.value = true;
  };
  return (
    <>
      <h3 class="template-name" dir="auto">{name}</h3>
      <div class="message out template-preview" id={id} role="group" aria-label={text === null ? name : words.preview}>
        <div class="bubble">
          {file !== null && (
            <p class="attachment">
              <Icon name="file" /> <bdi>{file}</bdi>
            </p>
          )}
          <LongText text={text ?? content} />
          <MessageButtons buttons={buttons} />
        </div>
      </div>
      {empty.length > 0 && <p class="template-gaps">{words.noValue(empty.join(', '))}</p>}
      {text === null && <p class="template-gaps">{words.noText}</p>}
      <p class={isAsked.value ? undefined : 'unseen'} role="status">
        {isAsked.value && words.ask}
      </p>
      <div class="actions" ref={ways}>
        <Button icon="back" onClick={onBack}>
          {words.back}
        </Button>
        {text !== null && (
          <Button
            look="primary"
            icon="send"
            aria-describedby={id}
            onKeyDown={(event) => {
              // Enter that is held down since it chose the template sends nothing.
              if (event.repeat) event.preventDefault();
            }}
            onClick={(event) => {
              // Nor does the second half of a double click.
              if (event.detail < 2) send();
            }}
          >
            {isAsked.value ? words.without : inbox().compose.send}
          </Button>
        )}
      </div>
    </>
  );
}
