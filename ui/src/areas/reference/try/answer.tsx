import { bytes, number } from '../../../words/language';
import { reference } from '../../../words/reference';
import { Body } from '../../operator/body';
import { Headers } from '../../operator/headers';
import { Status } from '../../operator/status';
import type { Told } from './send';

/** What was answered, as far as it has come. */
export function AnswerView({ told }: { told: Told }) {
  const words = reference().try;
  const type = told.headers.find((it) => it.name === 'content-type')?.value ?? '';
  return (
    <section class="note" aria-label={words.answer}>
      <div role="status">
        <h3>
          {words.answer} <Status status={told.status} /> <span class="soft">{words.took(number(told.took))}</span>
        </h3>
      </div>
      {told.state === 'coming' && <p class="soft">{words.coming}</p>}
      {told.state === 'cut' && <p class="soft">{words.cut}</p>}
      {told.state !== 'coming' && told.length === 0 && <p class="soft">{words.noBody}</p>}
      {told.text !== undefined && told.text !== '' && <Body text={told.text} label={words.answerBody} />}
      {told.text === undefined && <p>{words.binary(type, bytes(told.length))}</p>}
      <details>
        <summary>{reference().headers}</summary>
        <Headers headers={told.headers} label={reference().headers} />
      </details>
    </section>
  );
}
