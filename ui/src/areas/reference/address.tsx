import { reference } from '../../words/reference';
import type { Operation } from './document';

/** The method and the path of an operation; a callback goes to an address that is not ours. */
export function Address({ operation }: { operation: Operation }) {
  const { method, path, id } = operation;
  return (
    <>
      <span class={`method ${path === undefined ? 'sent' : method.toLowerCase()}`}>{method}</span>{' '}
      <code>{path ?? `${reference().groups.callbacks}: ${id}`}</code>
    </>
  );
}
