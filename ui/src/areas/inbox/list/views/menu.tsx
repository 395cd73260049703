import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../../../../keys';
import { on } from '../../../../live/events';
import { Button } from '../../../../parts/button';
import { type ChannelKind, Kind } from '../../../../parts/kind';
import { useLoad } from '../../../../parts/load';
import { views as words } from '../../../../words/views';
import { narrowing, ofView } from '../filters';
import { narrowTo, rows } from '../store';
import { ViewsDialog } from './dialog';
import './menu.css';
import { tagName } from './tags';
import { present, readViews } from './views';

/** The button that opens filters and views, and what is set there. */
export function Views() {
  const isOpen = useSignal(false);
  const loaded = useLoad('views', readViews);
  useEffect(() => on('view', loaded.reload), []);
  useShortcuts([{ keys: 'KeyV', says: words().menu, run: () => (isOpen.value = true) }]);
  const { channel, tag, view } = narrowing.value;
  const isSet = channel !== '' || tag !== '' || view !== '';
  const known = rows.value.find((row) => row.channel?.id === channel)?.channel;
  return (
    <>
      <Button look="quiet" icon="menu" label={words().menu} aria-pressed={isSet} aria-haspopup="dialog" onClick={() => (isOpen.value = true)} />
      {isSet && (
        <div class="view-now">
          {view !== '' && <Set says={words().now(present()?.name ?? view)} onLeave={() => narrowTo({ view: '' })} />}
          {channel !== '' && ofView.value.channel !== channel && <Set says={words().channelNow(known?.title ?? channel)} kind={known?.kind} onLeave={() => narrowTo({ channel: '' })} />}
          {tag !== '' && ofView.value.tag !== tag && <Set says={words().tagNow(tagName(tag))} onLeave={() => narrowTo({ tag: '' })} />}
        </div>
      )}
      {isOpen.value && <ViewsDialog onClose={() => (isOpen.value = false)} />}
    </>
  );
}

/** Something that is set, and the way to leave it. */
function Set({ says, kind, onLeave }: { says: string; kind?: ChannelKind | undefined; onLeave: () => void }) {
  return (
    <span class="badge">
      {kind !== undefined && <Kind kind={kind} />}
      <bdi>{says}</bdi>
      <Button look="quiet" icon="close" label={words().leave(says)} onClick={onLeave} />
    </span>
  );
}
