// The templates of integrations that can be sent in a conversation now.

import { ask } from '../../../api/client';
import { folded } from '../../../parts/folded';
import type { Outgoing } from '../compose/outbox';
import type { TemplateButton } from '../types';

export interface SendableTemplate {
  id: number;
  name: string;
  /** The text with its markers. */
  content: string;
  /** The text with the values of the markers; null when it would be empty or too long. */
  text: string | null;
  /** The markers without a value. */
  empty: readonly string[];
  buttons: readonly TemplateButton[];
  file_name: string | null;
}

/** Asks for the templates that can be sent in a conversation. */
export async function sendable(conversation: string, signal: AbortSignal): Promise<readonly SendableTemplate[]> {
  const address = `/inbox/v1/conversations/${conversation}/templates`;
  return (await ask<{ templates: SendableTemplate[] }>(address, { signal })).templates;
}

/** The templates whose name or text has these words. */
export function matching(all: readonly SendableTemplate[], words: string): readonly SendableTemplate[] {
  const wanted = folded(words.trim());
  return all.filter(({ name, content, text }) => [name, content, text ?? ''].some((it) => folded(it).includes(wanted)));
}

/** The message that a template becomes; undefined when there is none. */
export function outgoing({ id, text, buttons, file_name: file }: SendableTemplate): Outgoing | undefined {
  if (text === null) return undefined;
  return { type: 'template', template_id: id, text, buttons, ...(file === null ? {} : { name: file }) };
}
