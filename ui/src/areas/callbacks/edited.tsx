import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { callbacks } from '../../words/callbacks';
import { shell } from '../../words/shell';
import { OutcomeNote } from '../operator/outcome';
import { laidOut, parsed } from '../operator/pretty';
import type { CallbackRequest, Outcome } from '../operator/types';

const LAYOUTS = ['lines', 'line'] as const;

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Another body in place of the callback, signed anew or wrongly on purpose, sent once to see what comes. */
export function Edited({ path, request, onClose }: { path: string; request: CallbackRequest; onClose: () => void }) {
  const words = callbacks().edited;
  const body = useSignal(isJson(request.body) ? laidOut(request.body, true) : request.body);
  const signs = useSignal(true);
  const signature = useSignal(request.signature);
  const outcome = useSignal<Outcome | undefined>(undefined);
  const task = useWork();
  const send = (): Promise<void> =>
    task.run(async () => {
      const given = signs.value ? {} : { signature: signature.value.trim() };
      const edited = { body: body.value, version: request.version, ...given };
      outcome.value = undefined;
      outcome.value = await askAsOperator<Outcome>(`${path}/edited-replay`, { method: 'POST', body: edited });
    });
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p class="soft">{words.text}</p>
        {isJson(body.value) && (
          <Choices<'lines' | 'line' | 'own'>
            label={words.layout}
            value={LAYOUTS.find((layout) => body.value === laidOut(body.value, layout === 'lines')) ?? 'own'}
            options={LAYOUTS.map((value) => ({ value, says: words.layouts[value] }))}
            onChoose={(chosen) => {
              body.value = laidOut(body.value, chosen === 'lines');
            }}
          />
        )}
        <Field label={words.body} error={task.problem?.about('body')}>
          {(input) => (
            <textarea
              {...input}
              class="mono"
              rows={12}
              spellcheck={false}
              value={body.value}
              onInput={(event) => {
                body.value = event.currentTarget.value;
              }}
            />
          )}
        </Field>
        <label class="check">
          <input type="checkbox" checked={signs.value} onChange={(event) => (signs.value = event.currentTarget.checked)} />
          {words.sign}
        </label>
        {!signs.value && (
          <Field label="X-Signature" hint={words.signatureHint} error={task.problem?.about('signature')}>
            {(input) => (
              <input
                {...input}
                class="mono"
                required
                spellcheck={false}
                value={signature.value}
                onInput={(event) => {
                  signature.value = event.currentTarget.value;
                }}
              />
            )}
          </Field>
        )}
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        {outcome.value !== undefined && <OutcomeNote outcome={outcome.value} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().close}</Button>
          <Button type="submit" look="primary" icon="send" busy={task.busy}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
