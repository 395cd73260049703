import { Prose } from '../../parts/prose';
import { reference } from '../../words/reference';
import { Part } from '../operator/facts';
import type { Document } from './document';

/** The address of the page that is no operation: `/reference/overview`. */
export const OVERVIEW = 'overview';

/** What holds for all operations, and how each kind of request says who asks. */
export function Overview({ document }: { document: Document }) {
  const words = reference();
  const schemes: Readonly<Record<string, string>> = words.schemes;
  return (
    <article class="overview">
      <header class="head">
        <h2>
          {document.info.title} {document.info.version}
        </h2>
        <a href="/openapi.json" data-leave="">
          {words.document}
        </a>
        <a href="/llms.txt" data-leave="">
          {words.pages}
        </a>
      </header>
      {words.language !== '' && <p class="soft">{words.language}</p>}
      <div lang="en">
        {document.info.description.split('\n\n').map((text, at) => (
          <p key={at}>
            <Prose text={text} />
          </p>
        ))}
      </div>
      <Part title={words.authentication}>
        <dl class="schemes">
          {Object.entries(document.components.securitySchemes).map(([name, { description = '' }]) => (
            <div key={name}>
              <dt>{schemes[name] ?? name}</dt>
              <dd lang="en">
                <Prose text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </Part>
    </article>
  );
}
