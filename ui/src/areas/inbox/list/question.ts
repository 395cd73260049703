// How the list of conversations is asked for.

export const CONVERSATIONS = '/inbox/v1/conversations';

/** How many rows the first question asks for: two screens of them. */
export const FIRST = 30;
/** How many rows each further question asks for. */
export const FURTHER = 100;
