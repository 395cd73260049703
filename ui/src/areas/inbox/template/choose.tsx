import { type Signal, useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Field } from '../../../parts/field';
import { templates } from '../../../words/templates';
import { type SendableTemplate, matching } from './sendable';
import './choose.css';

/** The number of letters of a text that its entry has: more than its two lines show. */
const BEGINNING = 300;

interface Props {
  all: readonly SendableTemplate[];
  query: Signal<string>;
  onChoose: (template: SendableTemplate) => void;
}

/** A search, and the templates that it finds: arrows move among them, Enter chooses one. */
export function Choose({ all, query, onChoose }: Props) {
  const words = templates();
  const id = useId();
  const at = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const found = matching(all, query.value);
  const place = Math.min(at.value, found.length - 1);
  const nameOf = (template: SendableTemplate): string => `${id}-${template.id}`;
  const marked = found[place];
  useLayoutEffect(() => input.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [marked?.id]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || found.length === 0) return;
    const steps: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1 };
    const next = steps[event.code];
    if (next !== undefined) at.value = (next + found.length) % found.length;
    else if (event.code === 'Enter' && marked !== undefined && !event.repeat) onChoose(marked);
    else return;
    event.preventDefault();
  };
  return (
    <div class="template-choice">
      <Field label={words.search}>
        {(field) => (
          <input
            {...field}
            ref={input}
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            aria-autocomplete="list"
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={marked === undefined ? undefined : nameOf(marked)}
            value={query.value}
            onInput={(event) => {
              query.value = event.currentTarget.value;
              at.value = 0;
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <p class={found.length > 0 ? 'unseen' : 'soft'} role="status">
        {found.length > 0 ? '' : words.noMatch}
      </p>
      <ul class="template-list" id={`${id}-list`} ref={list} role="listbox" aria-label={words.list} hidden={found.length === 0}>
        {found.map((template) => (
          <li key={template.id} id={nameOf(template)} role="option" aria-selected={template === marked} onClick={() => onChoose(template)}>
            <strong dir="auto">{template.name}</strong>
            <span class="soft" dir="auto">
              {(template.text ?? template.content).slice(0, BEGINNING)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
