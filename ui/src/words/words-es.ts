// All words in one language: one file of the build, fetched when the language is shown.

export { es as contacts } from './contacts.es';
export { es as deals } from './deals.es';
export { es as inbox } from './inbox.es';
export { es as people } from './people.es';
export { es as shell } from './shell.es';
export { es as reasons } from './reasons.es';
