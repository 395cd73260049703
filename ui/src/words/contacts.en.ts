export const en = {
  title: 'Contacts',
  filter: 'Name, phone or e-mail',
  name: 'Name',
  nameless: 'No name',
  phone: 'Phone',
  email: 'E-mail',
  responsible: 'Responsible',
  nobody: 'Nobody',
  created: 'Since',
  untold: 'Not given',
  edit: (name: string) => `Edit: ${name}`,
  editTitle: 'Contact',
  fromProfile: 'Phone and e-mail come from the customer’s profile. The integration sends it.',
  empty: 'No contacts yet',
  emptyText: 'The first message of a customer makes one.',
  nothing: 'No contact fits the filter.',
  more: 'There are more: the filter looks through what is loaded.',
};

export type ContactWords = typeof en;
