/** The forms of callbacks, as the bridge reads them: nothing has to be there, and anything may be of another type. */

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listFrom = (value) => (Array.isArray(value) ? value : []);

/** Returns the object of a JSON text; `undefined` when it is something else. */
export function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the object of this name; without one, an empty object: absent, `null` and `""` are the same. */
export const partOf = (value, name) => (isObject(value[name]) ? value[name] : {});

/** Returns a text without halves of surrogate pairs, which are in no UTF-8; anything else is no text. */
export const textFrom = (value) => (typeof value === 'string' ? value.toWellFormed() : '');

const editOf = ({ action }) => [action?.edit_message, action?.edit].find(isObject);

export const isEdit = (event) => event.event_type === 'edit_message' || editOf(event) !== undefined;

/** Returns the event of a message, also that of an edit, or an empty object. */
export const messageOf = (event) => editOf(event) ?? partOf(event, 'message');

export const contentOf = (event) => partOf(messageOf(event), 'message');

/** Returns the time when a message was written, in milliseconds. */
export function timeOf(event) {
  const { msec_timestamp: milliseconds, timestamp: seconds } = messageOf(event);
  return [milliseconds, seconds * 1000].find((time) => Number.isSafeInteger(time) && time > 0) ?? Date.now();
}

/** Returns what the customer reads, as plain text: nothing in it is a command, a page or a path. */
export function plainText(content) {
  const lines = [
    textFrom(content.text) || textFrom(partOf(content, 'template').content),
    textFrom(content.file_name),
    ...Object.values(partOf(content, 'contact')).map(textFrom),
    ...Object.values(partOf(content, 'location')).filter(Number.isFinite).map(String),
    ...buttonLines(partOf(content, 'markup')),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Returns a line for each button and each row of a list: the customer answers with the text of one. */
function buttonLines(markup) {
  const list = partOf(markup, 'list_message');
  const sections = listFrom(list.sections).filter(isObject);
  const buttons = listFrom(markup.buttons).flatMap(listFrom).filter(isObject);
  return [
    ...[list.header, list.body, list.footer].map(textFrom),
    ...sections.flatMap(({ title, rows }) => [textFrom(title), ...listFrom(rows).map((row) => `- ${textFrom(row?.title)}`)]),
    ...buttons.map(({ text, url }) => [text, url].map(textFrom).filter(Boolean).join(': ')),
  ];
}
