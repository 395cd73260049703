import { candidates, isNobody, userName } from '../../api/book';
import { Problem, ask } from '../../api/client';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { contacts } from '../../words/contacts';
import { shell } from '../../words/shell';
import { type Contact, fieldOf } from './page';

interface Props {
  id: string;
  /** With the contact when it was changed. */
  onClose: (changed?: Contact) => void;
}

/** One contact: its name and who answers for it can be changed, the rest is the customer's own. */
export function EditContact({ id, onClose }: Props) {
  const words = contacts();
  const address = `/api/v4/contacts/${encodeURIComponent(id)}`;
  const { data, problem, reload } = useLoad(id, async (signal) => {
    const found = await ask<Contact | undefined>(address, { signal });
    // A contact that is not there, or not for this user, has no body.
    if (found === undefined) throw new Problem(404, '');
    return found;
  });
  const work = useWork();
  const contact = data.value;
  const responsible = contact?.responsible_user_id;
  const save = (form: FormData): void => {
    const chosen = String(form.get('responsible'));
    const body = {
      name: String(form.get('name')).trim(),
      responsible_user_id: chosen === '' ? null : Number(chosen),
    };
    void work.run(async () => onClose(await ask<Contact>(address, { method: 'PATCH', body })));
  };
  return (
    <Dialog title={words.editTitle} onClose={() => onClose()}>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {contact === undefined && problem.value === undefined && <Skeleton rows={3} />}
      {contact !== undefined && (
        <form
          class="stacked"
          onSubmit={(event) => {
            event.preventDefault();
            save(new FormData(event.currentTarget));
          }}
        >
          <Field label={words.name} error={work.problem?.about('name')}>
            {(input) => <input {...input} name="name" defaultValue={contact.name} required maxLength={250} />}
          </Field>
          <Field label={words.responsible} error={work.problem?.about('responsible_user_id')}>
            {(input) => (
              <select {...input} name="responsible">
                <option value="" selected={isNobody(responsible)}>
                  {userName(null)}
                </option>
                {candidates(responsible).map((user) => (
                  <option key={user} value={user} selected={user === responsible}>
                    {userName(user)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <p>
            {words.phone}: {fieldOf(contact, 'PHONE') ?? words.untold}
            <br />
            {words.email}: {fieldOf(contact, 'EMAIL') ?? words.untold}
          </p>
          <p class="soft">{words.fromProfile}</p>
          {work.problem !== undefined && <ProblemNote problem={work.problem} />}
          <div class="actions">
            <Button onClick={() => onClose()}>{shell().cancel}</Button>
            <Button type="submit" look="primary" busy={work.busy}>
              {shell().save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
