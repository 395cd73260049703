// The pages of this area.

export { ExplainPage } from './explain/page';
export { RolePage } from './roles/editor';
export { RolesPage } from './roles/list';
export { AddUsersPage } from './users/add';
export { UsersPage } from './users/list';
export { UserPage } from './users/user';
