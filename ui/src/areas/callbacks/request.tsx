import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Command } from '../../parts/copy';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { callbacks } from '../../words/callbacks';
import { Body } from '../operator/body';
import { curl } from '../operator/curl';
import { Fact, Facts, Part } from '../operator/facts';
import { Headers } from '../operator/headers';
import type { CallbackRequest, Version } from '../operator/types';
import { Edited } from './edited';

/** What is sent, as it would be now. */
export function Request({ path, attempts }: { path: string; attempts: number }) {
  const words = callbacks().request;
  const version = useSignal<Version | undefined>(undefined);
  /** What is being edited: it stays, though the callback is tried again meanwhile. */
  const editing = useSignal<CallbackRequest | undefined>(undefined);
  const query = { version: version.value };
  const loaded = useLoad(`${version.value ?? ''} ${attempts}`, (signal) =>
    askAsOperator<CallbackRequest>(`${path}/request`, { query, signal }),
  );
  const request = loaded.data.value;
  const shown = version.value ?? request?.version;
  const actions = (
    <div class="buttons">
      {shown !== undefined && (
        <Choices
          label={words.version}
          value={shown}
          options={[
            { value: 'v1', says: 'v1' },
            { value: 'v2', says: 'v2' },
          ]}
          onChoose={(chosen) => {
            version.value = chosen;
          }}
        />
      )}
      {request !== undefined && (
        <Button icon="edit" onClick={() => (editing.value = request)}>
          {words.edit}
        </Button>
      )}
    </div>
  );
  return (
    <Part title={words.title} actions={actions}>
      <p class="soft">{words.text}</p>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {request !== undefined && (
        <>
          <Facts>
            <Fact name={request.method} copy={request.url}>
              <code>{request.url}</code>
            </Fact>
            <Fact name="X-Signature" copy={request.signature}>
              <code>{request.signature}</code>
            </Fact>
          </Facts>
          <Headers headers={request.headers.filter(({ name }) => name !== 'X-Signature')} label={words.headers} />
          <Body text={request.body} label={words.body} />
          <h3>{words.again}</h3>
          <Command text={curl({ ...request, headers: request.headers.map(({ name, value }) => ({ name, value: value ?? '' })) })} />
        </>
      )}
      {editing.value !== undefined && <Edited path={path} request={editing.value} onClose={() => (editing.value = undefined)} />}
    </Part>
  );
}
