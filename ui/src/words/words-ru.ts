// All words in one language: one file of the build, fetched when the language is shown.

export { ru as contacts } from './contacts.ru';
export { ru as deals } from './deals.ru';
export { ru as inbox } from './inbox.ru';
export { ru as people } from './people.ru';
export { ru as shell } from './shell.ru';
export { ru as reasons } from './reasons.ru';
