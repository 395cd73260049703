import { Badge, type Tone } from '../../parts/badge';
import type { IconName } from '../../parts/icon';
import { age } from '../../words/language';
import { relays } from '../../words/relays';
import type { Relay, Target } from './types';

/** The state of a target: that of its address, or that nothing has been sent to it since the start. */
type Health = NonNullable<Target['state']>['health'] | 'untried';

const LOOKS: Record<Health, readonly [Tone, IconName]> = {
  healthy: ['good', 'check'],
  untried: ['plain', 'clock'],
  failing: ['warn', 'warning'],
  slow_start: ['info', 'clock'],
  open: ['bad', 'warning'],
  paused: ['warn', 'paused'],
  disabled: ['bad', 'stopped'],
  switched_off: ['plain', 'paused'],
  no_address: ['plain', 'stopped'],
};

/** A hook that waits for longer than this waits for somebody, in seconds: the limit that `docs/relay.md` names. */
const LATE = 900;
/** The bridge is the first of the targets. */
const BRIDGE = 0;

/** After a start the first hook is a probe, of a target that has not failed. */
function healthOf({ state, failing_since, last_answer }: Target): Health {
  if (state === null) return 'untried';
  return state.health === 'open' && failing_since === null && last_answer === null ? 'untried' : state.health;
}

const isDown = (target: Target): boolean => ['open', 'disabled'].includes(healthOf(target));

/** Whether the oldest hook waits for too long. */
export const isLate = ({ oldest_queued_at: oldest }: Target): boolean => oldest !== null && Date.now() / 1000 - oldest > LATE;

export function TargetBadge({ target }: { target: Target }) {
  const health = healthOf(target);
  const [tone, icon] = LOOKS[health];
  return (
    <Badge tone={tone} icon={icon}>
      {relays().states[health]}
    </Badge>
  );
}

/** The name of a target. */
export function targetOf(place: number): string {
  const words = relays();
  if (place === BRIDGE) return words.bridge;
  return place === ACCOUNT ? words.account : words.copy(place);
}

/** The place of the program that gets the hooks of the account. */
const ACCOUNT = 64;

export interface Trouble {
  tone: Tone;
  icon: IconName;
  says: string;
}

/** What needs somebody: the relay is paused, a target is down, a hook waits for too long. Copies count for nothing. */
export function troublesOf(relay: Relay): Trouble[] {
  const words = relays().troubles;
  const counted = relay.targets.filter(({ place }) => place === BRIDGE || place === ACCOUNT);
  const ofTarget = (target: Target): Trouble[] => [
    ...(isDown(target) ? [{ tone: 'bad', icon: 'warning', says: words.down(targetOf(target.place)) } as const] : []),
    ...(isLate(target) ? [{ tone: 'bad', icon: 'clock', says: relays().oldest(age(target.oldest_queued_at ?? 0)) } as const] : []),
  ];
  return [...(relay.paused ? [{ tone: 'warn', icon: 'paused', says: words.paused } as const] : []), ...counted.flatMap(ofTarget)];
}

/** The troubles of a relay, or that there are none. */
export function Troubles({ relay }: { relay: Relay }) {
  const troubles = troublesOf(relay);
  if (troubles.length === 0) {
    return (
      <Badge tone="good" icon="check">
        {relays().troubles.none}
      </Badge>
    );
  }
  return (
    <span class="troubles">
      {troubles.map(({ tone, icon, says }) => (
        <Badge key={says} tone={tone} icon={icon}>
          {says}
        </Badge>
      ))}
    </span>
  );
}
