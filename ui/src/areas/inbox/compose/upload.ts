// A file on its way to the service, for a message or for a canned reply.

import { ask } from '../../../api/client';
import { me } from '../../../api/session';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import type { Upload } from './draft';

/** Says that a file is too large, before it is uploaded: nobody waits for a refusal that is known already. */
export function tooLarge(file: File): string | undefined {
  const most = me.peek()?.file_bytes_max ?? Number.MAX_SAFE_INTEGER;
  return file.size > most ? inbox().compose.tooLarge(bytes(file.size), bytes(most)) : undefined;
}

export function upload(file: File): Promise<Upload> {
  const body = new FormData();
  body.append('file', file, file.name);
  return ask<Upload>('/inbox/v1/media', { method: 'POST', body });
}
