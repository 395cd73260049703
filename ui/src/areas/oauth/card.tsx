import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { me, signOut } from '../../api/session';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { nameWindow } from '../../title';
import { oauth } from '../../words/oauth';
import { shell } from '../../words/shell';
import './consent.css';

/** Why there is nothing to decide, for good. */
export function Refused({ children }: { children: ComponentChildren }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{oauth().consent.refused}</strong>
        <p>{children}</p>
      </div>
    </div>
  );
}

/** The card, and below it a way for people who meant another account. A card without a title does not say who is signed in. */
export function Card({ title, children }: { title?: string | undefined; children: ComponentChildren }) {
  const words = oauth().consent;
  const task = useWork();
  const heading = title ?? words.untitled;
  useEffect(() => {
    nameWindow([heading, shell().product]);
  }, [heading]);
  return (
    <main class="consent">
      <div class="card">
        <p class="brand">
          <Icon name="callbacks" />
          {shell().product}
        </p>
        <h1>{heading}</h1>
        {children}
      </div>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <p class="signed-in">
        {title === undefined && <span>{words.signedIn(me.value?.user.name ?? '', me.value?.account?.name ?? '')}</span>}
        <Button look="quiet" icon="users" busy={task.busy} onClick={() => void task.run(signOut)}>
          {words.another}
        </Button>
      </p>
    </main>
  );
}
