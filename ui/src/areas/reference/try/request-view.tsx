import { Command } from '../../../parts/copy';
import { reference } from '../../../words/reference';
import { Headers } from '../../operator/headers';
import { type Prepared, masked } from './prepare';

/** What is sent: its head, what was signed, and the command that does the same. The body is above. */
export function RequestView({ prepared }: { prepared: Prepared }) {
  const words = reference().try;
  const { sent, text, command, hasSession } = prepared;
  const shown = masked(command);
  return (
    <>
      <h3>{words.request}</h3>
      <p class="request-line">
        <strong>{sent.method}</strong> <code>{sent.url}</code>
      </p>
      {sent.headers.length > 0 && (
        <Headers headers={sent.headers.map(({ name, value }) => ({ name, value: masked(value) }))} label={words.request} />
      )}
      {text !== undefined && (
        <>
          <h3>{words.signedText}</h3>
          <Command text={text} of={words.signedText} />
        </>
      )}
      <h3>{words.command}</h3>
      {hasSession && <p class="soft">{words.sessionless}</p>}
      {shown !== command && <p class="soft">{words.masked}</p>}
      <Command text={command} shown={shown} of={words.command} />
    </>
  );
}
