import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import { worlds } from '../../words/worlds';
import { Fact, Facts, Part } from '../operator/facts';
import { secondsOf } from './address';
import './facts.css';
import type { World } from './types';

/** How a world is reached, and as whom. */
export function WorldFacts({ world }: { world: World }) {
  const words = worlds().facts;
  return (
    <Part title={words.title}>
      <Facts>
        <Fact name={words.base} copy={world.base_url}>
          <code>{world.base_url}</code>
        </Fact>
        <Fact name={words.webhook} copy={world.webhook ?? undefined}>
          {world.webhook ?? words.inMemory}
        </Fact>
        <Fact name={words.ends}>
          <time dateTime={world.ends_at}>{moment(secondsOf(world.ends_at))}</time>
        </Fact>
      </Facts>
      <details class="credentials">
        <summary>{words.credentials}</summary>
        <Credentials world={world} />
      </details>
    </Part>
  );
}

/** Who may do what there. */
function Credentials({ world }: { world: World }) {
  const words = worlds().facts;
  const isShown = useSignal(false);
  return (
    <>
      <Facts>
        <Fact name={operator().account} copy={world.account.id}>
          <code>{world.account.id}</code>
        </Fact>
        <Fact name={operator().channel} copy={world.channel.id}>
          <code>{world.channel.id}</code>
        </Fact>
        <Secret name={words.secret} text={world.channel.secret} isShown={isShown.value} />
        <Fact name={operator().scope} copy={world.scope_id}>
          <code>{world.scope_id}</code>
        </Fact>
        {world.users.map((user) => (
          <Secret key={user.name} name={words.token(user.name)} text={user.token} isShown={isShown.value} />
        ))}
      </Facts>
      <Button icon="key" aria-pressed={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
        {isShown.value ? words.hide : words.show}
      </Button>
    </>
  );
}

/** Can be copied at once, and is read by whoever asks for it. */
function Secret({ name, text, isShown }: { name: string; text: string; isShown: boolean }) {
  return (
    <Fact name={name} copy={text}>
      {isShown ? <code>{text}</code> : <span class="soft">{worlds().facts.hidden}</span>}
    </Fact>
  );
}
