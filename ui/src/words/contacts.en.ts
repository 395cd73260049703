export const en = {
  title: 'Contacts',
  filter: 'Name, phone or e-mail',
  name: 'Name',
  phone: 'Phone',
  email: 'E-mail',
  responsible: 'Responsible',
  nobody: 'nobody',
  created: 'Since',
  untold: 'not told',
  edit: (name: string) => `Edit: ${name}`,
  editTitle: 'Contact',
  fromProfile: 'Phone and e-mail come from the customer’s profile, as the integration told it.',
  empty: 'No contacts yet',
  emptyText: 'The first message of a customer makes one.',
  nothing: 'No contact fits the filter.',
  more: 'There are more: the filter looks through what is loaded.',
};

export type ContactWords = typeof en;
