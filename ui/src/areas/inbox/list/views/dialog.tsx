import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ask } from '../../../../api/client';
import { isAdministrator } from '../../../../api/session';
import { Button } from '../../../../parts/button';
import { Confirm } from '../../../../parts/confirm';
import { Dialog } from '../../../../parts/dialog';
import { Field } from '../../../../parts/field';
import { Kind, kindName } from '../../../../parts/kind';
import { useLoad } from '../../../../parts/load';
import { Outside } from '../../../../parts/outside';
import { ProblemNote } from '../../../../parts/problem';
import { useWork } from '../../../../parts/work';
import { shell } from '../../../../words/shell';
import { views as words } from '../../../../words/views';
import { type Channel, readChannels } from '../../channels';
import { shown, WHOLE } from '../filters';
import { narrowTo } from '../store';
import { readTags } from './tags';
import { filtersNow, present, readViews, type View, views, VIEWS } from './views';

/** The views to choose from, the filters by channel and by tag, and the way to save what is set as a view. */
export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const deleted = useSignal<View | undefined>(undefined);
  return (
    <>
      <Dialog title={words().menu} onClose={onClose}>
        <Groups
          onChoose={(view) => {
            narrowTo({ ...WHOLE, view: String(view.id) });
            onClose();
          }}
          onDelete={(view) => (deleted.value = view)}
        />
        <Filters />
        <Save />
      </Dialog>
      {deleted.value !== undefined && (
        <Confirm
          title={words().confirm.title(deleted.value.name)}
          text={deleted.value.is_shared ? words().confirm.shared : words().confirm.own}
          action={words().confirm.action}
          icon="trash"
          onConfirm={async () => {
            await ask<unknown>(`${VIEWS}/${deleted.value?.id}`, { method: 'DELETE' });
            await readViews();
            deleted.value = undefined;
          }}
          onClose={() => (deleted.value = undefined)}
        />
      )}
    </>
  );
}

interface GroupsProps {
  onChoose: (view: View) => void;
  onDelete: (view: View) => void;
}

function Groups({ onChoose, onDelete }: GroupsProps) {
  const renamed = useSignal<number | undefined>(undefined);
  const all = views.value;
  const byName = (one: View, other: View): number => one.name.localeCompare(other.name);
  const groups = [
    { label: words().mine, some: all?.filter((it) => !it.is_shared) ?? [], mayWrite: true },
    { label: words().shared, some: all?.filter((it) => it.is_shared) ?? [], mayWrite: isAdministrator.value },
  ].filter(({ some }) => some.length > 0);
  if (all?.length === 0) return <p class="soft">{words().none}</p>;
  return (
    <>
      {groups.map(({ label, some, mayWrite }) => (
        <section key={label} aria-label={label}>
          <h3>{label}</h3>
          <ul class="views-entries">
            {[...some].sort(byName).map((view) => (
              <li key={view.id}>
                {renamed.value === view.id ? (
                  <Rename view={view} onClose={() => (renamed.value = undefined)} />
                ) : (
                  <>
                    <Button look="quiet" aria-pressed={present()?.id === view.id} onClick={() => onChoose(view)}>
                      <bdi>{view.name}</bdi>
                    </Button>
                    {mayWrite && (
                      <div class="views-ways">
                        <Button look="quiet" icon="edit" label={words().rename(view.name)} onClick={() => (renamed.value = view.id)} />
                        <Button look="quiet" icon="trash" label={words().delete(view.name)} onClick={() => onDelete(view)} />
                      </div>
                    )}
                    {view.missing.length > 0 && <p class="soft">{words().missing}</p>}
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Rename({ view, onClose }: { view: View; onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const name = useSignal(view.name);
  const { busy, problem, run } = useWork();
  useLayoutEffect(() => input.current?.select(), []);
  const save = async (): Promise<void> => {
    await ask<unknown>(`${VIEWS}/${view.id}`, { method: 'PATCH', body: { name: name.peek(), based_on: view.version } });
    await readViews();
    onClose();
  };
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <Field label={words().name} error={problem?.about('name')}>
        {(field) => <input {...field} ref={input} dir="auto" maxLength={100} required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />}
      </Field>
      {problem !== undefined && problem.about('name') === undefined && <ProblemNote problem={problem} />}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button type="submit" look="primary" icon="check" busy={busy}>
          {words().submit}
        </Button>
      </div>
    </form>
  );
}

/** The filters by channel and by tag. What they filter by stays a choice while the others are read. */
function Filters() {
  const channels = useLoad('channels of the account', readChannels);
  const tags = useLoad('tags of leads', readTags);
  const { channel, tag } = shown.value;
  const problem = channels.problem.value ?? tags.problem.value;
  return (
    <>
      {problem !== undefined && (
        <ProblemNote
          problem={problem}
          retry={() => {
            channels.reload();
            tags.reload();
          }}
        />
      )}
      <Choice
        label={words().channel}
        any={words().anyChannel}
        value={channel}
        options={(channels.data.value ?? []).map((it) => ({ id: it.id, name: nameOf(it) }))}
        onChoose={(id) => narrowTo({ channel: id })}
      />
      <Chosen channel={channels.data.value?.find(({ id }) => id === channel)} />
      <Choice
        label={words().tag}
        any={words().anyTag}
        value={tag}
        options={(tags.data.value ?? []).map(({ id, name }) => ({ id: String(id), name }))}
        onChoose={(id) => narrowTo({ tag: id })}
      />
    </>
  );
}

/** The name of a channel as a choice lists it: the title, and the kind where that says something. */
const nameOf = ({ title, kind }: Channel): string => (kind === 'other' ? title : `${title} · ${kindName(kind)}`);

/** The kind of the channel that is chosen, and the page of its integration. */
function Chosen({ channel }: { channel: Channel | undefined }) {
  if (channel === undefined) return null;
  return (
    <p class="view-channel">
      <Kind kind={channel.kind} />
      {channel.page !== null && <Outside to={channel.page}>{words().page}</Outside>}
    </p>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string;
  options: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
}

function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  const isKnown = value === '' || options.some(({ id }) => id === value);
  const all = [{ id: '', name: any }, ...(isKnown ? [] : [{ id: value, name: value }]), ...options];
  return (
    <Field label={label}>
      {(field) => (
        <select {...field} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          {all.map(({ id, name }) => (
            <option key={id} value={id} selected={id === value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Saves the filters that are set as a view, and shows it. */
function Save() {
  const name = useSignal('');
  const isShared = useSignal(false);
  const saved = useSignal('');
  const { busy, problem, run } = useWork();
  const save = async (): Promise<void> => {
    const body = { name: name.peek(), is_shared: isShared.peek(), filters: filtersNow() };
    const view = await ask<View>(VIEWS, { method: 'POST', body });
    await readViews();
    narrowTo({ ...WHOLE, view: String(view.id) });
    saved.value = view.name;
    name.value = '';
  };
  return (
    <form
      class="stacked"
      aria-label={words().save}
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <h3>{words().save}</h3>
      <Field label={words().name} hint={words().saveHint} error={problem?.about('name')}>
        {(field) => <input {...field} dir="auto" maxLength={100} required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />}
      </Field>
      {isAdministrator.value && (
        <label>
          <input type="checkbox" checked={isShared.value} onChange={(event) => (isShared.value = event.currentTarget.checked)} />
          {words().share}
        </label>
      )}
      {problem !== undefined && problem.about('name') === undefined && <ProblemNote problem={problem} />}
      <p role="status">{saved.value !== '' && words().saved(saved.value)}</p>
      <div class="actions">
        <Button type="submit" look="primary" icon="check" busy={busy}>
          {words().submit}
        </Button>
      </div>
    </form>
  );
}
