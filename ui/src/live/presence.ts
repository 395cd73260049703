// Who is here: read with the names of users, and kept by the feed.

import { type Presence, people } from '../api/book';
import { presence as words } from '../words/presence';
import { on } from './events';

on<{ user_id: number; presence: Presence }>('presence', (event) => {
  people.value = people.peek().map((user) => (user.id === event.user_id ? { ...user, presence: event.presence } : user));
});

/** The name of a user in a choice, with a mark when they are here. */
export function withPresence(id: number, name: string): string {
  const isHere = people.value.some((user) => user.id === id && user.presence === 'here');
  return isHere ? words().isHere(name) : name;
}
