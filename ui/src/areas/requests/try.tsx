import { type Signal, useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { requests } from '../../words/requests';
import type { KeptRequest, Verdict as Judged } from '../operator/types';
import { Verdict } from './doctor';

/** The headers that count in the canonical form, as `check-signature` names them. */
const CANONICAL = { content_md5: 'content-md5', content_type: 'content-type', date: 'date' } as const;

/** Another body and another signature, compared by the service. Nothing is sent anywhere else, and nothing is stored. */
export function Try({ request, channel }: { request: KeptRequest; channel: string }) {
  const words = requests().doctor;
  const body = useSignal(request.body.text ?? '');
  const signature = useSignal(request.signature?.given ?? '');
  const header = (name: string): string => request.headers.find((it) => it.name === name)?.value ?? '';
  const parts = {
    content_md5: useSignal(header(CANONICAL.content_md5)),
    content_type: useSignal(header(CANONICAL.content_type)),
    date: useSignal(header(CANONICAL.date)),
  };
  const verdict = useSignal<Judged | undefined>(undefined);
  const task = useWork();
  const compare = (): Promise<void> =>
    task.run(async () => {
      const given = Object.entries(parts).filter(([, value]) => value.value !== '');
      const asked = {
        signature: signature.value.trim(),
        body: body.value,
        method: request.method,
        path: request.path,
        ...Object.fromEntries(given.map(([name, value]) => [name, value.value])),
      };
      const address = `/admin/v1/channels/${encodeURIComponent(channel)}/check-signature`;
      verdict.value = await askAsOperator<Judged>(address, { method: 'POST', body: asked });
    });
  const text = (value: Signal<string>) => ({
    class: 'mono',
    spellcheck: false,
    value: value.value,
    onInput: (event: { currentTarget: { value: string } }) => {
      value.value = event.currentTarget.value;
    },
  });
  return (
    <form
      class="form note"
      onSubmit={(event) => {
        event.preventDefault();
        void compare();
      }}
    >
      <p class="soft">{words.tryText}</p>
      <Field label={words.tryBody}>{(input) => <textarea {...input} rows={6} {...text(body)} />}</Field>
      <Field label="X-Signature" error={task.problem?.about('signature')}>
        {(input) => <input {...input} {...text(signature)} />}
      </Field>
      <details>
        <summary>{words.tryCanonical}</summary>
        <Field label="Date">{(input) => <input {...input} {...text(parts.date)} />}</Field>
        <Field label="Content-Type">{(input) => <input {...input} {...text(parts.content_type)} />}</Field>
        <Field label="Content-MD5">{(input) => <input {...input} {...text(parts.content_md5)} />}</Field>
      </details>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <div class="buttons">
        <Button type="submit" look="primary" icon="check" busy={task.busy}>
          {words.compare}
        </Button>
      </div>
      {verdict.value !== undefined && <Verdict verdict={verdict.value} />}
    </form>
  );
}
