// The words of the frame and of the inbox in one language: a file of the build, fetched when that language is shown. Pages
// that are fetched later bring theirs along.

export { ru as inbox } from './inbox.ru';
export { ru as shell } from './shell.ru';
