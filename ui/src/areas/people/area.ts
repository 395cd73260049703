import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

/** The pages: one file of the build, `people.js`, fetched when one of them is first opened. */
const pages = () => import('./people');

export const people: Area = {
  pages: [
    { at: '/users', shows: later(() => pages().then((it) => it.UsersPage)) },
    { at: '/users/add', shows: later(() => pages().then((it) => it.AddUsersPage)) },
    { at: '/users/:id', shows: later(() => pages().then((it) => it.UserPage)) },
    { at: '/roles', shows: later(() => pages().then((it) => it.RolesPage)) },
    { at: '/roles/:id', shows: later(() => pages().then((it) => it.RolePage)) },
    { at: '/rights', shows: later(() => pages().then((it) => it.ExplainPage)) },
  ],
  entries: [
    { to: '/users', icon: 'users', says: () => shell().nav.users, group: 'people', key: 'KeyU', administratorsOnly: true },
    { to: '/roles', icon: 'roles', says: () => shell().nav.roles, group: 'people', key: 'KeyO', administratorsOnly: true },
    { to: '/rights', icon: 'rights', says: () => shell().nav.rights, group: 'people', key: 'KeyM' },
  ],
};
