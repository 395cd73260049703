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
  delivered: () => 'The integration accepted it',
  timed_out: () => 'The integration did not answer in time',
  unreachable: () => 'The endpoint refuses connections or cannot be reached',
  connection_broken: () => 'The connection was lost, or the response is not HTTP',
  head_too_large: () => 'The head of the response has more than 1,000 headers or 256 KiB; the integration may have accepted the message',
  outcome_unknown: () => 'The service stopped the attempt; its outcome is unknown',
  name_not_resolved: () => 'The host name of the endpoint does not resolve',
  tls_failed: () => 'The TLS handshake failed, or the certificate is not trusted',
  address_forbidden: () => 'The service may not send callbacks to this endpoint and sent nothing; see dispatch.allow_private_networks',
  no_channel: () => 'The channel does not exist any more, so the service sent nothing; create it again under the same id, or discard the callback',
  not_expressible: () =>
    'Version 1 of callbacks has no form for this message, so the service sent nothing: it is a reaction, or the integration has no id of the conversation; connect the account with hook_api_version v2 and replay the message',
  server_error: (it: Named) => `The integration ${answered(it)}`,
  too_many_requests: (it: Named) => `The integration ${answered(it)}: its rate limit is exceeded`,
  away: (it: Named) => `The integration ${answered(it)} with a Retry-After header`,
  redirected: (it: Named) => `The integration ${answered(it)}: the service does not follow redirects; correct the endpoint`,
  not_authorized: (it: Named) => `The integration ${answered(it)}: it refuses the authorization of callbacks`,
  wrong_address: (it: Named) => `The integration ${answered(it)}: the endpoint does not accept callbacks; correct the endpoint`,
  not_found: (it: Named) => `The integration ${answered(it)}: the endpoint does not exist, or the integration does not know the conversation`,
  gone: (it: Named) => `The integration ${answered(it)}: the endpoint is permanently gone`,
  message_refused: (it: Named) => `The integration ${answered(it)}: it rejects this message`,
  message_aborted: (it: Named) => `The integration ${answered(it)}: it rejects this message and asks for no further attempt`,
  attempt_in_progress: ({ attempt }: Named) => `Attempt ${attempt ?? ''} is in progress`,
  behind_earlier: () => 'The callback waits for an earlier message of its conversation',
  waits_for_turn: () => 'The callback waits in the delivery queue',
  attempts_used: ({ last }: Named) => `All retries failed; the last attempt: ${last}`,
  tried_too_long: ({ last }: Named) => `The time for retries ended; the last attempt: ${last}`,
  account_disconnected: () => 'The account was disconnected from the channel',
  withdrawn: () => 'A user decided not to send the message',
  discarded: () => 'An operator discarded the callback',
  address_failing: () => 'The endpoint failed too often; the service probes it and resumes when a probe succeeds',
  conversation_held: ({ conversation }: Named) =>
    `Held: only callbacks of conversation ${conversation} fail; the service retries them one at a time and sends those of other conversations`,
  pause_asked: () => 'The integration asked for a pause',
  address_gone: () => 'The integration answered that the endpoint is permanently gone; an operator must enable it again',
  address_given_up: () => 'The endpoint has not answered for days; an operator must enable it again',
  no_address: () => 'The channel has no endpoint for callbacks of this version',
  channel_paused: () => 'An operator paused the channel',
  callbacks_fail: () => 'The last callback failed; the service continues to send callbacks',
  conversation_fails: ({ conversation }: Named) => `Only callbacks of conversation ${conversation} fail; the service sends those of other conversations`,
  slow_start: () => 'The endpoint recovers: it accepts callbacks again, and the service raises their rate step by step',
  probed: () => 'The endpoint failed too often; the service probes it with one callback at a time',
};

export type ReasonsWords = Record<keyof typeof en, (it: Named) => string>;
