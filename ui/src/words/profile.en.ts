export const en = {
  title: 'Profile and notifications',
  name: 'Name',
  saveName: 'Save the name',
  named: 'The name is saved. Colleagues see it from now on.',
  current: 'Current password',
  password: 'New password',
  passwordHint: 'At least 6 characters, with a digit, a lower-case and an upper-case letter.',
  save: 'Change the password',
  changed: 'The password is changed. All other sessions of yours have ended.',
  wrong: 'The current password is wrong.',
};

export type ProfileWords = typeof en;
