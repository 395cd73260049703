import type { Signal } from '@preact/signals';
import { Field } from '../../../parts/field';
import { Prose } from '../../../parts/prose';
import { reference } from '../../../words/reference';
import { type Document, type Operation, type Parameter, resolved } from '../document';
import { asked, keyOf } from './request';
import type { Scope } from './scopes';

interface Props {
  document: Document;
  operation: Operation;
  value: (parameter: Parameter) => string;
  onValue: (parameter: Parameter, value: string) => void;
  /** The scopes to choose from; none where one is typed. */
  scopes: readonly Scope[];
  body: Signal<string>;
  file: Signal<File | undefined>;
}

/** What a request takes: its parameters, and its body or its file. */
export function Inputs({ document, operation, value, onValue, scopes, body, file }: Props) {
  const words = reference();
  const isForm = operation.body?.mediaType.startsWith('multipart/') === true;
  return (
    <>
      {asked(operation).map((parameter) => (
        <Field
          key={keyOf(parameter)}
          label={`${parameter.name} (${words.places[parameter.in]})`}
          hint={<Prose text={resolved(document, parameter.schema).description ?? ''} lang="en" />}
        >
          {(input) => {
            const given = {
              ...input,
              required: parameter.required === true,
              value: value(parameter),
              onInput: (event: { currentTarget: { value: string } }) => onValue(parameter, event.currentTarget.value),
            };
            if (parameter.name === 'scope_id' && scopes.length > 0) {
              return (
                <select {...given}>
                  {scopes.map((scope) => (
                    <option key={scope.scope_id} value={scope.scope_id}>
                      {`${scope.title}: ${scope.account_id}`}
                    </option>
                  ))}
                </select>
              );
            }
            const choices = choicesOf(document, parameter);
            return choices === undefined ? (
              <input {...given} class="mono" spellcheck={false} />
            ) : (
              <select {...given}>
                <option value="">{words.try.choose}</option>
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice}
                  </option>
                ))}
              </select>
            );
          }}
        </Field>
      ))}
      {operation.body !== undefined && !isForm && (
        <Field label={words.try.body}>
          {(input) => (
            <textarea
              {...input}
              class="mono"
              rows={Math.min(16, Math.max(4, body.value.split('\n').length))}
              required={operation.body?.isRequired === true}
              spellcheck={false}
              value={body.value}
              onInput={(event) => (body.value = event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {isForm && (
        <Field label={words.try.file}>
          {(input) => (
            <input {...input} type="file" required onChange={(event) => (file.value = event.currentTarget.files?.[0] ?? undefined)} />
          )}
        </Field>
      )}
    </>
  );
}

/** The values of a parameter that takes no others. */
function choicesOf(document: Document, parameter: Parameter): readonly string[] | undefined {
  const schema = resolved(document, parameter.schema);
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.enum?.map(String);
}
