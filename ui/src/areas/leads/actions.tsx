import { useSignal } from '@preact/signals';
import { candidates, pipelines, useBook, userName } from '../../api/book';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { leads } from '../../words/leads';
import { shell } from '../../words/shell';
import * as store from './store';

/** The stage of leads that nobody has taken on. */
const UNSORTED = 1;

interface Props {
  lead: { id: number; pipeline_id: number; status_id: number };
}

/** What can be done with a lead that is unsorted; nothing is shown for others. */
export function LeadActions({ lead }: Props) {
  useBook();
  const words = leads();
  const asking = useSignal<'accept' | 'decline' | undefined>(undefined);
  const { busy, problem, run } = useWork();
  const pipeline = pipelines.value.find((known) => known.id === lead.pipeline_id);
  const stage = pipeline?._embedded.statuses.find((known) => known.id === lead.status_id);
  const isUnsorted = stage?.type === UNSORTED;
  const accept = (): void => void run(() => store.accept(lead.id));
  useShortcuts(isUnsorted ? [{ keys: 'KeyE', says: words.accept, run: accept }] : []);
  if (!isUnsorted) return null;
  const close = (): void => {
    asking.value = undefined;
  };
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div class="lead-actions">
        <Button look="primary" busy={busy} onClick={accept}>
          {words.accept}
        </Button>
        <Button onClick={() => (asking.value = 'accept')}>{words.acceptAs}</Button>
        <Button onClick={() => (asking.value = 'decline')}>{words.decline}</Button>
      </div>
      {asking.value === 'accept' && <AcceptAs ids={[lead.id]} pipeline={lead.pipeline_id} onClose={close} />}
      {asking.value === 'decline' && <Decline ids={[lead.id]} onClose={close} />}
    </>
  );
}

interface Several {
  /** The leads, of one pipeline. */
  ids: readonly number[];
  onClose: () => void;
}

export function AcceptAs({ ids, pipeline: id, onClose }: Several & { pipeline: number }) {
  const words = leads();
  const { busy, problem, run } = useWork();
  const pipeline = pipelines.value.find((known) => known.id === id);
  const stages = pipeline?._embedded.statuses.filter((stage) => stage.type !== UNSORTED) ?? [];
  return (
    <Dialog title={words.acceptTitle(ids)} onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const how = { status_id: Number(data.get('stage')), user_id: Number(data.get('user')) };
          void run(async () => {
            await store.each(ids, 'accepted', (lead) => store.accept(lead, how));
            onClose();
          });
        }}
      >
        <Field label={words.stage} error={problem?.about('status_id')}>
          {(input) => (
            <select {...input} name="stage">
              {stages.map((stage) => (
                <option key={stage.id} value={stage.id}>
                  {stage.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.responsible} error={problem?.about('user_id')}>
          {(input) => (
            <select {...input} name="user">
              {candidates().map((user) => (
                <option key={user} value={user}>
                  {userName(user)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {words.accept}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function Decline({ ids, onClose }: Several) {
  const words = leads();
  const { busy, problem, run } = useWork();
  return (
    <Dialog title={words.declineTitle(ids)} onClose={onClose}>
      <p>{words.declineText(ids.length)}</p>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button
          look="danger"
          busy={busy}
          onClick={() =>
            void run(async () => {
              await store.each(ids, 'declined', store.decline);
              onClose();
            })
          }
        >
          {words.decline}
        </Button>
      </div>
    </Dialog>
  );
}
