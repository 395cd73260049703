export const en = {
  title: 'Set up the service',
  text: 'There is no account yet. Create one with its administrator. You need the operator token.',
  token: 'Operator token',
  tokenHint: 'The value of operator.token in config.toml, or the token that the first start printed.',
  wrong: 'The operator token is wrong.',
  account: 'Account',
  accountHint: 'The name of your team or company.',
  name: 'Your name',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'At least 6 characters, with a digit, a lower-case and an upper-case letter.',
  submit: 'Create account and sign in',
};

export type SetupWords = typeof en;
