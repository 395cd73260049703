import { Prose } from '../../parts/prose';
import { reference } from '../../words/reference';
import { Part } from '../operator/facts';
import type { Answer, Document } from './document';
import { SchemaTree } from './schema';
import { shapeOf } from './shape';

type Told = Answer & { status: string };

/** What may be answered: what went well in full, refusals in a table with the body that they share. */
export function Answers({ document, answers }: { document: Document; answers: readonly Told[] }) {
  const words = reference();
  const isRefusal = ({ status }: Told): boolean => /^[45]/.test(status);
  const refusals = answers.filter(isRefusal);
  const [shared] = refusals.flatMap((it) => Object.entries(it.content ?? {}));
  return (
    <>
      <Part title={words.answers}>
        {answers
          .filter((it) => !isRefusal(it))
          .map((answer) => (
            <div key={answer.status} class="operation-answer">
              <p>
                <strong>{answer.status}</strong>{' '}
                <Prose text={answer.description} lang="en" />
              </p>
              <HeaderLines answer={answer} />
              {Object.entries(answer.content ?? {}).map(([type, content]) => (
                <Content key={type} document={document} type={type} schema={content.schema} />
              ))}
            </div>
          ))}
      </Part>
      {refusals.length > 0 && (
        <Part title={words.refusals}>
          <ul class="refusals">
            {refusals.map((answer) => (
              <li key={answer.status}>
                <strong>{answer.status}</strong>{' '}
                <Prose text={answer.description} lang="en" />
                <HeaderLines answer={answer} />
              </li>
            ))}
          </ul>
          {shared !== undefined && <Content document={document} type={shared[0]} schema={shared[1].schema} />}
        </Part>
      )}
    </>
  );
}

function Content({ document, type, schema }: { document: Document; type: string; schema: Parameters<typeof shapeOf>[1] | undefined }) {
  return (
    <>
      <p class="soft">
        <code>{type}</code>
      </p>
      {schema !== undefined && <SchemaTree shape={shapeOf(document, schema)} />}
    </>
  );
}

function HeaderLines({ answer }: { answer: Answer }) {
  const headers = Object.entries(answer.headers ?? {});
  return (
    <>
      {headers.map(([name, { description = '' }]) => (
        <p key={name} class="soft">
          <code>{name}</code>{' '}
          <Prose text={description} lang="en" />
        </p>
      ))}
    </>
  );
}
