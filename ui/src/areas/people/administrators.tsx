import type { ComponentChildren } from 'preact';
import { isAdministrator } from '../../api/session';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { people } from '../../words/people';
import './people.css';

/** A page for administrators of the account; everybody else is told what is missing, and who could give it. */
export function Administrators({ title, children }: { title: string; children: () => ComponentChildren }) {
  if (isAdministrator.value) return <>{children()}</>;
  const words = people().administrators;
  return (
    <Page title={title}>
      <Empty title={words.title}>
        <p>{words.text}</p>
      </Empty>
    </Page>
  );
}
