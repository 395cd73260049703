// The words of the frame and of the inbox in one language: a file of the build, fetched when that language is shown. Pages
// that are fetched later bring theirs along.

export { es as inbox } from './inbox.es';
export { es as shell } from './shell.es';
