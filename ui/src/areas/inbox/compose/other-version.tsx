import { Button } from '../../../parts/button';
import { exactClock } from '../../../words/language';
import { team } from '../../../words/team';
import { Notice } from '../thread/notice';
import type { Draft } from './draft';

/** Another page has stored another version of the draft: both are there, and the writer chooses. */
export function OtherVersion({ draft }: { draft: Draft }) {
  const words = team();
  const other = draft.other.value;
  if (other === undefined) return null;
  const text = other.text === '' ? (other.file?.file_name ?? '') : other.text;
  const title = <strong>{words.otherVersion(exactClock(other.updated_at ?? 0))}</strong>;
  return (
    <Notice name="other-version" title={title} quotes={[{ text }]}>
      <Button onClick={() => draft.useOther()}>{words.useOther}</Button>
      <Button look="quiet" onClick={() => draft.keepThis()}>
        {words.keepThis}
      </Button>
    </Notice>
  );
}
