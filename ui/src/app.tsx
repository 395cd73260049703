// Which page is shown, to whom.

import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { me, recall, unknown } from './api/session';
import { AREAS } from './areas';
import { connect, disconnect } from './live/events';
import { Empty } from './parts/empty';
import { Page } from './parts/page';
import { ProblemNote } from './parts/problem';
import { match, place, redirect } from './router';
import { Entrance } from './shell/entrance';
import { Frame } from './shell/frame';
import { shell } from './words/shell';

/** How long the service is left alone that could not say who is signed in, in milliseconds. */
const AGAIN = 3_000;
/** The page that `/` is. */
const HOME = '/conversations';

export function App() {
  useSignalEffect(() => {
    if (me.value === null) disconnect();
    else if (me.value !== undefined) connect();
  });
  // As long as nobody can tell who is signed in, there is no feed that would say when the service is back.
  useSignalEffect(() => {
    if (me.value !== undefined || unknown.value === undefined) return undefined;
    const timer = setTimeout(() => void recall(), AGAIN);
    return () => clearTimeout(timer);
  });
  if (me.value === undefined) {
    return unknown.value === undefined ? null : <ProblemNote problem={unknown.value} retry={() => void recall()} />;
  }
  if (me.value === null) return <Entrance />;
  const { path } = place.value;
  const isAlone = AREAS.some((area) => area.pages.some((page) => page.isAlone === true && match(page.at, path) !== undefined));
  if (isAlone) return <Shown />;
  return (
    <Frame>
      <Shown />
    </Frame>
  );
}

function Shown() {
  const { path } = place.value;
  const isHome = path === '/' || path === '/sign-in';
  useEffect(() => {
    if (isHome) redirect(HOME);
  }, [isHome]);
  if (isHome) return null;
  for (const { at, shows: Shows } of AREAS.flatMap((area) => area.pages)) {
    const found = match(at, path);
    // A page is the same for all addresses of its pattern: what it shows follows the parameters.
    if (found !== undefined) return <Shows key={at} {...found} />;
  }
  const words = shell().page;
  return (
    <Page title={words.missing}>
      <Empty title={words.missingText}>
        <a href={HOME}>{words.home}</a>
      </Empty>
    </Page>
  );
}
