// Conversations and messages as `/inbox/v1` tells them. Seconds since 1970 throughout.

import type { ChannelKind } from '../../parts/kind';
import { isVisible } from '../../parts/visible';
import { inbox } from '../../words/inbox';
import type { Reason } from '../../words/reasons';

/** The OAuth client that acted for a user. */
export interface ActingClient {
  id: string;
  name: string;
}

export type DeliveryStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'error';

export interface Delivery {
  status: DeliveryStatus;
  /** 901 to 905, with `error`. */
  error_code?: number;
  error?: string | null;
}

export type CallbackState = 'queued' | 'sending' | 'waiting' | 'held' | 'delivered' | 'dead' | 'cancelled';

/** With why it is not delivered. */
export interface Callback extends Reason {
  state: CallbackState;
  attempts: number;
  next_attempt_at: number | null;
}

/** What the service saw of a file that is elsewhere, and its own copy of it. */
export interface Check {
  state: 'not_checked' | 'pending' | 'reachable' | 'unreachable';
  reason?: string;
  copy?: { media: string; thumbnail: string | null; file_name: string } | null;
}

export type Kind = 'text' | 'picture' | 'video' | 'file' | 'voice' | 'audio' | 'sticker' | 'contact' | 'location';

export interface Quote {
  id?: string | null;
  client_id?: string | null;
  type?: string | null;
  text?: string | null;
  sender?: { name?: string | null; client?: ActingClient; is_bot?: boolean } | null;
}

/** A button below the message of a template; with an address, it opens that. */
export interface TemplateButton {
  text: string;
  url?: string;
}

/** The list below the text of a message, of which the customer chooses a row. */
export interface ListMessage {
  header: string | null;
  footer: string | null;
  /** The label of the button that opens it. */
  button: string;
  sections: readonly { title: string; rows: readonly { callback_data: string; title: string; description: string | null }[] }[];
}

export interface Message {
  id: string;
  client_id?: string | null;
  direction: 'in' | 'out';
  type: Kind;
  text: string;
  media?: string;
  thumbnail?: string | null;
  media_check?: Check;
  file_name?: string;
  file_size?: number;
  contact?: { name: string; phone?: string };
  location?: { lon: number; lat: number };
  timestamp: number;
  msec_timestamp: number;
  /** No lead came of it, and nobody was told: mostly imported history. */
  silent?: boolean;
  /** Written by an account user elsewhere, and imported. */
  imported?: boolean;
  /** The client only if it acted for the account user. */
  sender?: { id: string; name: string | null; client?: ActingClient; is_bot?: boolean };
  delivery?: Delivery;
  /** Only of what was written here. */
  callback?: Callback;
  edited_at?: number;
  reactions?: { sender_id: string; emoji: string; client?: ActingClient }[];
  reply_to?: Quote;
  forwards?: Quote[];
  /** The template that it was made of. */
  template?: { id: number; buttons: readonly TemplateButton[] };
  list_message?: ListMessage;
  /** The button that was pressed, and the other message: the one with the button, or the one that pressed it. */
  pressed?: { message_id: string; text: string };
}

export interface Customer {
  id: string;
  client_id: string | null;
  name: string;
  avatar: string | null;
  avatar_check?: Check | null;
  phone: string | null;
  email: string | null;
  profile_link: string | null;
}

export interface Lead {
  id: number;
  name: string;
  pipeline_id: number;
  status_id: number;
  responsible_user_id: number | null;
  tags: readonly { id: number; name: string }[];
}

/** A colleague who has a conversation open, until a time in seconds since 1970. */
export interface Viewer {
  id: number;
  name: string;
  until: number;
}

/** The turn in a conversation: the customer waits (`open`), or the account has answered (`waiting`). */
export type Status = 'open' | 'waiting' | 'snoozed' | 'closed';

/** The snooze of a conversation: until a time in seconds since 1970, or until the customer writes. */
export interface Snooze {
  until: number;
  wake_on_message: boolean;
  user_id: number;
}

export interface Conversation {
  id: string;
  client_id: string | null;
  scope_id: string | null;
  /** The title is what the integration calls the connection. */
  channel: { id: string; name: string; title: string; kind: ChannelKind } | null;
  customer: Customer | null;
  messages: number;
  unread: number;
  active_at: number;
  last_message: Message | null;
  status: Status;
  snooze: Snooze | null;
  /** The group to which it is assigned. */
  group_id: number | null;
  lead: Lead | null;
  /** Why there is no lead. */
  no_lead?: 'only_silent' | 'only_ours' | 'no_messages' | null;
  typing: { id: string; until: number } | null;
  viewers?: readonly Viewer[];
  /** What an account user wrote last did not arrive: the integration did not take it, or reported an error. */
  trouble?: 'undelivered' | 'error' | null;
  /** Until then users write more than templates; 0 when the customer has never written, null without such a limit. */
  window_closes_at: number | null;
  /** The newest message that a search found. */
  found?: Message;
}

export interface ConversationPage {
  conversations: Conversation[];
  next: string | null;
  /** How far a search went. */
  searched?: Searched;
}

export interface Searched {
  part: 'keys' | 'message_ids' | 'conversations' | 'messages';
  /** In this part, conversations were examined down to this time of activity. */
  back_to: number | null;
  is_complete: boolean;
}

export interface MessagePage {
  /** Newest first. */
  messages: Message[];
  next: string | null;
}

/** How a conversation is called: by its customer, else by its id. A name may be nothing that is seen. */
export function nameOf({ customer, client_id, id }: Conversation): string {
  return [customer?.name, client_id].find(isVisible) ?? id;
}

/** The service's own copy of a customer's picture: the only one that is shown, if browsers draw it. */
export function portrait(customer: Customer | null): string | undefined {
  return customer?.avatar_check?.copy?.thumbnail ?? undefined;
}

/** How an author is called: by the name, and by the client that acted for them. */
export function authorOf(sender: { name?: string | null; client?: ActingClient; is_bot?: boolean } | null | undefined): string {
  const name = sender?.name ?? '';
  if (sender?.is_bot === true) return inbox().thread.bot(name);
  return sender?.client === undefined ? name : inbox().thread.through(name, sender.client.name);
}
