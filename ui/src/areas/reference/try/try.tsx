import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { operatorToken } from '../../../api/operator';
import { me, recall } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Choices } from '../../../parts/choices';
import { OperatorToken } from '../../../parts/operator-gate';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { reference } from '../../../words/reference';
import { Part } from '../../operator/facts';
import type { Document, Operation, Signature } from '../document';
import { AnswerView } from './answer';
import { Credentials, channelId, secret, userToken } from './credentials';
import { example, renewed } from './example';
import { Inputs } from './inputs';
import { prepare, usePrepared } from './prepare';
import { type Filled, keyOf } from './request';
import { RequestView } from './request-view';
import { type Scope, useScopes } from './scopes';
import { type Told, send } from './send';

/** A form that sends the operation's request, and shows what is sent and what is answered. */
export function Try({ document, operation }: { document: Document; operation: Operation }) {
  const needsToken = operation.proof === 'operator' && operatorToken.value === undefined;
  return (
    <Part title={reference().try.title}>
      {needsToken ? <OperatorToken /> : <Form document={document} operation={operation} />}
    </Part>
  );
}

/** What follows from the channel that is chosen: its id, and the scope of one's own account, else the first one. */
function known(scopes: readonly Scope[]): Record<string, string> {
  const account = me.value?.account?.id;
  const channel = operatorToken.value === undefined ? '' : channelId.value;
  if (channel === '') return {};
  const scope = scopes.find((it) => it.account_id === account) ?? scopes[0];
  return { 'path channel_id': channel, ...(scope === undefined ? {} : { 'path scope_id': scope.scope_id }) };
}

function Form({ document, operation }: { document: Document; operation: Operation }) {
  const words = reference().try;
  const values = useSignal<Record<string, string>>({});
  const body = useSignal(example(operation));
  const file = useSignal<File | undefined>(undefined);
  const signature = useSignal<Signature>(operation.signatures[0] ?? 'bodySignature');
  const told = useSignal<Told | undefined>(undefined);
  const under = useRef<AbortController | undefined>(undefined);
  const task = useWork();
  useEffect(() => () => under.current?.abort(), []);
  const scopes = useScopes(operation.proof === 'signature' && operatorToken.value !== undefined ? channelId.value : '');
  const filled: Filled = { values: { ...known(scopes), ...values.value }, body: body.value, file: file.value };
  const proofs = [secret.value, channelId.value, userToken.value, operatorToken.value, signature.value];
  const key = JSON.stringify([filled.values, filled.body, filled.file?.name, proofs]);
  /** The body that was sent last. */
  const sent = useRef<string | undefined>(undefined);
  const make = () => prepare(operation, { ...filled, body: body.peek() }, signature.value);
  const { prepared, problem } = usePrepared(key, make);
  const submit = (): Promise<void> =>
    task.run(async () => {
      // Sent again as it is, it would be the same request, which is answered from memory.
      if (operation.proof === 'signature' && sent.current === body.peek()) body.value = renewed(body.peek());
      // Anew: its date is that of this moment.
      const now = await make();
      if (now === undefined || !now.isSendable) return;
      told.value = undefined;
      under.current = new AbortController();
      await send(now.sent, file.value, now.hasSession, under.current.signal, (it) => (told.value = it));
      sent.current = body.peek();
      if (now.hasSession && operation.path === '/inbox/v1/session') await recall();
    });
  return (
    <form
      class="form try"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {operation.method !== 'GET' && <p class="note warn">{words.real}</p>}
      <Credentials proof={operation.proof} />
      {operation.signatures.length > 1 && (
        <div class="field">
          <span>{words.generation}</span>
          <Choices
            label={words.generation}
            value={signature.value}
            options={operation.signatures.map((value) => ({ value, says: words[value] }))}
            onChoose={(chosen) => (signature.value = chosen)}
          />
        </div>
      )}
      <Inputs
        document={document}
        operation={operation}
        value={(parameter) => filled.values[keyOf(parameter)] ?? ''}
        onValue={(parameter, value) => (values.value = { ...values.value, [keyOf(parameter)]: value })}
        scopes={scopes}
        body={body}
        file={file}
      />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {prepared?.isSendable === false ? (
        <p class="note warn">{words.noDate}</p>
      ) : (
        <div class="buttons">
          <Button type="submit" look="primary" icon="send" busy={task.busy}>
            {words.send}
          </Button>
          {task.busy && (
            <Button icon="stopped" onClick={() => under.current?.abort()}>
              {words.stop}
            </Button>
          )}
        </div>
      )}
      {told.value !== undefined && <AnswerView told={told.value} />}
      {prepared === undefined ? <p class="soft">{problem === undefined && words.unsigned}</p> : <RequestView prepared={prepared} />}
    </form>
  );
}
