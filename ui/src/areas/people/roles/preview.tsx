import { Command, Copy } from '../../../parts/copy';
import { people } from '../../../words/people';

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What will be sent, to the byte: the same call that sends it makes this text. */
export function Preview({ method, path, body }: { method: string; path: string; body: object | undefined }) {
  const words = people().roles;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return (
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">{words.preview}</h2>
      <p class="soft">
        <code>
          {method} {path}
        </code>
      </p>
      {text === undefined ? (
        <p class="soft">{words.unchanged}</p>
      ) : (
        <>
          <div class="command">
            <pre tabIndex={0} data-preview>
              {text}
            </pre>
            <Copy text={text} of="JSON" />
          </div>
          <details>
            <summary>curl</summary>
            <Command
              text={`curl -X ${method} ${quoted(location.origin + path)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data-raw ${quoted(text)}`}
            />
          </details>
        </>
      )}
    </section>
  );
}
