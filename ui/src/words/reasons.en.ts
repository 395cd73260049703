/** What a reason names: the status of the answer, the number of an attempt, why the last one failed, a conversation. */
export interface Named {
  status?: number | undefined;
  attempt?: number | undefined;
  last: string;
  conversation: string;
}

const answered = ({ status }: Named): string => (status === undefined ? 'answered with an error' : `answered ${status}`);

/** Why a callback or its address stands where it does, by `reason_code`. */
export const en = {
  delivered: () => 'The integration has it',
  timed_out: () => 'The integration did not answer in time',
  unreachable: () => 'Nothing listens at the address, or it cannot be reached',
  connection_broken: () => 'The connection broke off, or the answer is not HTTP',
  outcome_unknown: () => 'The attempt was given up, and its outcome is not known',
  name_not_resolved: () => 'The name of the address does not resolve',
  tls_failed: () => 'No TLS session could be agreed on, or the certificate is not trusted',
  address_forbidden: () => 'Callbacks may not go to this address, and nothing was sent; see dispatch.allow_private_networks',
  server_error: (it: Named) => `The integration ${answered(it)}`,
  too_many_requests: (it: Named) => `The integration ${answered(it)}: it asks for fewer requests`,
  away: (it: Named) => `The integration ${answered(it)} with a Retry-After header`,
  redirected: (it: Named) => `The integration ${answered(it)}: redirects are not followed, so the address must be corrected`,
  not_authorized: (it: Named) => `The integration ${answered(it)}: it refuses the authorization of callbacks`,
  wrong_address: (it: Named) => `The integration ${answered(it)}: the address does not accept callbacks`,
  gone: (it: Named) => `The integration ${answered(it)}: the endpoint is permanently gone`,
  message_refused: (it: Named) => `The integration ${answered(it)}: it rejects this message`,
  message_aborted: (it: Named) => `The integration ${answered(it)}: it rejects this message and asks for no further attempt`,
  attempt_under_way: ({ attempt }: Named) => `Attempt ${attempt ?? ''} is under way`,
  behind_earlier: () => 'It waits for an earlier message of its conversation',
  waits_for_turn: () => 'It waits for its turn',
  attempts_used: ({ last }: Named) => `All attempts are used; the last one: ${last}`,
  tried_too_long: ({ last }: Named) => `It was tried for too long; the last attempt: ${last}`,
  account_disconnected: () => 'The account was disconnected from the channel',
  discarded: () => 'An operator discarded it',
  address_failing: () => 'The integration failed too often; it is probed, and this goes out when it answers',
  conversation_held: ({ conversation }: Named) =>
    `Held because of conversation ${conversation}: only its callbacks fail; they are tried again one at a time, and those of other conversations are sent`,
  pause_asked: () => 'The integration asked for a pause',
  address_gone: () => 'The integration answered that the endpoint is permanently gone; an operator must enable it again',
  address_given_up: () => 'The integration has not answered for days; an operator must enable it again',
  no_address: () => 'The channel has no address for callbacks of this version',
  channel_paused: () => 'An operator paused the channel',
  callbacks_fail: () => 'The last callback failed; callbacks are sent on',
  conversation_fails: ({ conversation }: Named) =>
    `Only callbacks of conversation ${conversation} fail; those of other conversations are sent`,
  slow_start: () => 'The endpoint recovers: it accepts callbacks again, and their rate rises step by step',
  probed: () => 'It failed too often; one callback at a time is sent to see whether it is back',
};

export type ReasonsWords = Record<keyof typeof en, (it: Named) => string>;
