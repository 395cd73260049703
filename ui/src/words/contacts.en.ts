export const en = {
  title: 'Contacts',
  filter: 'Name, phone or e-mail',
  name: 'Name',
  nameless: 'No name',
  phone: 'Phone',
  email: 'E-mail',
  responsible: 'Responsible user',
  created: 'Created',
  untold: 'Not given',
  edit: (name: string) => `Edit: ${name}`,
  editTitle: 'Contact',
  fromProfile: 'The integration sends phone and e-mail with the customer’s profile; what users enter stays.',
  empty: 'No contacts yet',
  emptyText: 'The first message of a customer creates a contact, unless the message is silent, as imported history is.',
  nothing: 'No contacts match the filter.',
  more: 'The search has not reached the last contact. Show more to search further.',
  nothingSoFar: 'Nothing found so far.',
};

export type ContactWords = typeof en;
