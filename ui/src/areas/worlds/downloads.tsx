import { askTextAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { worlds } from '../../words/worlds';
import { pathOf } from './address';

/** The forms of a journal, each with the ending and the type of its file. */
const FORMS = [
  { form: 'text', ending: 'txt', type: 'text/plain' },
  { form: 'har', ending: 'har', type: 'application/json' },
  { form: 'html', ending: 'html', type: 'text/html' },
] as const;

/** The whole journal as a file. A link would carry no token, so the page asks, and hands the answer to the browser. */
export function Downloads({ id }: { id: string }) {
  const words = worlds().journal;
  const task = useWork();
  const download = ({ form, ending, type }: (typeof FORMS)[number]): Promise<void> =>
    task.run(async () => {
      const text = await askTextAsOperator(`${pathOf(id)}/journal`, { query: { form } });
      const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
      const link = document.createElement('a');
      link.href = address;
      link.download = `journal-${id}.${ending}`;
      link.click();
      // The browser has what it needs once the click is over.
      setTimeout(() => URL.revokeObjectURL(address));
    });
  return (
    <div class="buttons" role="group" aria-label={words.download}>
      {FORMS.map((it) => (
        <Button key={it.form} icon="requests" label={`${words.download}: ${words.forms[it.form]}`} busy={task.busy} onClick={() => void download(it)}>
          {words.forms[it.form]}
        </Button>
      ))}
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
    </div>
  );
}
