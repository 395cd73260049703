import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { operatorToken } from '../../../api/operator';
import { Field } from '../../../parts/field';
import { useLoad } from '../../../parts/load';
import { reference } from '../../../words/reference';
import { channels } from '../../operator/channels';
import type { Proof } from '../document';

/** The channel that the service signs as; empty: the page signs with the secret. Kept until the tab is left. */
export const channelId = signal('');
export const secret = signal('');
export const userToken = signal('');

/** What proves who asks, as far as the person has to give it. */
export function Credentials({ proof }: { proof: Proof }) {
  if (proof === 'signature') return <OfAnIntegration />;
  if (proof === 'user') return <OfAUser />;
  return null;
}

function OfAnIntegration() {
  const words = reference().try;
  return (
    <>
      {operatorToken.value !== undefined && <ChannelField />}
      {(operatorToken.value === undefined || channelId.value === '') && (
        <Field label={words.secret} hint={words.secretHint}>
          {(input) => (
            <input
              {...input}
              type="password"
              autocomplete="off"
              required
              value={secret.value}
              onInput={(event) => (secret.value = event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** Whether a channel was chosen in this tab, by the page or by somebody. */
let isChosen = false;

function ChannelField() {
  const words = reference().try;
  const loaded = useLoad('channels', channels).data.value;
  const all = loaded ?? [];
  // The service signs as a channel where it can: nobody copies a secret for that. The first time only.
  useEffect(() => {
    if (loaded !== undefined && !isChosen) channelId.value = loaded[0]?.id ?? '';
    isChosen ||= loaded !== undefined;
  }, [loaded]);
  return (
    <Field label={words.channel} hint={channelId.value === '' ? undefined : words.channelHint}>
      {(input) => (
        <select {...input} value={channelId.value} onChange={(event) => (channelId.value = event.currentTarget.value)}>
          <option value="">{words.noChannel}</option>
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function OfAUser() {
  const words = reference().try;
  return (
    <Field label={words.userToken} hint={words.userTokenHint}>
      {(input) => (
        <input
          {...input}
          type="password"
          autocomplete="off"
          value={userToken.value}
          onInput={(event) => (userToken.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
