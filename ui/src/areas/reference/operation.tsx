import { Fragment } from 'preact';
import { Empty } from '../../parts/empty';
import { Prose } from '../../parts/prose';
import { reference } from '../../words/reference';
import { Body } from '../operator/body';
import { Part } from '../operator/facts';
import { Answers } from './answers';
import type { Document, Operation, Parameter } from './document';
import { Address } from './address';
import { Required, SchemaTree } from './schema';
import { shapeOf } from './shape';
import { Try } from './try/try';

/** One operation: what it takes, what it answers, and a form that sends it. */
export function OperationView({ document, operation }: { document: Document; operation: Operation | undefined }) {
  const words = reference();
  if (operation === undefined) return <Empty title={words.missing} />;
  const { body } = operation;
  return (
    <article class="operation">
      <header class="head">
        <h2>
          <Address operation={operation} />
        </h2>
      </header>
      <div lang="en">
        <p>
          <Prose text={operation.summary} />
        </p>
        {operation.description !== '' && (
          <p>
            <Prose text={operation.description} />
          </p>
        )}
      </div>
      <p class="soft">
        {operation.path === undefined ? words.proofs.callback : words.proofs[operation.proof]} <code>{operation.id}</code>
      </p>
      {operation.parameters.length > 0 && (
        <Part title={words.parameters}>
          <Parameters document={document} parameters={operation.parameters} />
        </Part>
      )}
      {body !== undefined && (
        <Part title={words.body}>
          <p class="soft">
            <code>{body.mediaType}</code>
            {!body.isRequired && ` · ${words.bodyOptional}`}
          </p>
          <SchemaTree shape={shapeOf(document, body.schema)} />
          {body.examples.map(({ name, value }) => (
            <Fragment key={name}>
              {name !== '' && <h3>{`${words.example}: ${name}`}</h3>}
              <Body text={JSON.stringify(value)} label={name === '' ? words.example : `${words.example}: ${name}`} />
            </Fragment>
          ))}
        </Part>
      )}
      {operation.path !== undefined && <Try operation={operation} document={document} />}
      <Answers document={document} answers={operation.answers} />
    </article>
  );
}

function Parameters({ document, parameters }: { document: Document; parameters: readonly Parameter[] }) {
  const words = reference();
  return (
    <table class="stacks">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.place}</th>
          <th scope="col">{words.type}</th>
          <th scope="col">{words.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map((parameter) => {
          const shape = shapeOf(document, parameter.schema);
          return (
            <tr key={`${parameter.in} ${parameter.name}`}>
              <th scope="row">
                <code class="field-name">{parameter.name}</code> {parameter.required === true && <Required />}
              </th>
              <td data-label={words.place}>{words.places[parameter.in]}</td>
              <td data-label={words.type} lang="en">
                {[shape.type, ...shape.limits].join(' · ')}
              </td>
              <td data-label={words.meaning} lang="en">
                <span>
                  <Prose text={shape.says} />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
