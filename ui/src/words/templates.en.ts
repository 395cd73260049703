export const en = {
  open: 'Templates',
  title: 'Send a template',
  search: 'Search by name and text',
  list: 'Templates to choose from',
  none: 'No templates for this conversation',
  noneText: 'Integrations create templates. Those that can be sent here appear in this list.',
  docs: 'About templates',
  noMatch: 'No templates found.',
  preview: 'The message as it will be sent',
  back: 'Other templates',
  noValue: (markers: string) => `No value for: ${markers}`,
  ask: 'The text of the message has gaps there. Send it nevertheless?',
  without: 'Send without these values',
  noText: 'This template cannot be sent here: its text would be empty or too long. Write the message by hand.',
  buttons: 'Buttons of the message',
  listOf: (button: string) => `List: ${button}`,
  pressed: (text: string) => `Pressed: ${text}`,
  window: {
    open: (time: string) => `You can write freely until ${time}.`,
    closed: (time: string) => `The time to write freely ended on ${time}. Send a template, or wait until the customer writes.`,
    never: 'The customer has not written yet. Send a template, or wait until the customer writes.',
    placeholder: 'Only templates for now',
  },
};

export type TemplateWords = typeof en;
