import { useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Command } from '../../parts/copy';
import { requests } from '../../words/requests';
import { Fact, Facts, Part } from '../operator/facts';
import type { KeptRequest, Verdict as Judged } from '../operator/types';
import { Hint } from './hint';
import { SAMPLES, sample } from './samples';
import { Try } from './try';

/** What is to be said of the signature of a request, and how to make a right one. */
export function Doctor({ request, channel }: { request: KeptRequest; channel: string }) {
  const words = requests().doctor;
  const trying = useSignal(false);
  const verdict = request.signature;
  const actions = (
    <Button icon="edit" aria-expanded={trying.value} onClick={() => (trying.value = !trying.value)}>
      {words.try}
    </Button>
  );
  return (
    <Part title={words.title} actions={actions}>
      {verdict === null ? <p class="soft">{words.nothing}</p> : <Verdict verdict={verdict} />}
      {verdict !== null && !verdict.is_right && <Fix isCanonical={verdict.expected.canonical !== null} />}
      {trying.value && <Try request={request} channel={channel} />}
    </Part>
  );
}

/** Whether a signature is right; if not, what was given, what was expected, and what was probably done wrong. */
export function Verdict({ verdict }: { verdict: Judged }) {
  const words = requests().doctor;
  const { expected } = verdict;
  return (
    <>
      <div class={verdict.is_right ? 'note good' : 'note bad'} role="status">
        <Badge tone={verdict.is_right ? 'good' : 'bad'} icon={verdict.is_right ? 'check' : 'warning'}>
          {verdict.is_right ? words.right : words.wrong}
        </Badge>
        {verdict.generation !== null && <span> · {words.generation(verdict.generation)}</span>}
        {verdict.hint !== null && (
          <p>
            <strong>{words.cause}:</strong> <Hint text={verdict.hint} mistake={verdict.mistake} />
          </p>
        )}
      </div>
      <Facts>
        <Fact name={words.given} copy={verdict.given ?? undefined}>
          {verdict.given === null ? words.none : <code>{verdict.given}</code>}
        </Fact>
        <Fact name={words.ofBody} copy={expected.raw_body}>
          <code>{expected.raw_body}</code>
        </Fact>
        {expected.canonical !== null && (
          <Fact name={words.ofCanonical} copy={expected.canonical}>
            <code>{expected.canonical}</code>
          </Fact>
        )}
        <Fact name="Content-MD5" copy={expected.content_md5}>
          <code>{expected.content_md5}</code>
        </Fact>
      </Facts>
      {verdict.signed_text !== null && (
        <details>
          <summary>{words.signedText}</summary>
          <Command text={verdict.signed_text} />
        </details>
      )}
    </>
  );
}

function Fix({ isCanonical }: { isCanonical: boolean }) {
  const words = requests().doctor;
  const language = useSignal<(typeof SAMPLES)[number]>('Python');
  return (
    <>
      <h3>{words.fix}</h3>
      <Choices
        label={words.fix}
        value={language.value}
        options={SAMPLES.map((value) => ({ value, says: value }))}
        onChoose={(chosen) => {
          language.value = chosen;
        }}
      />
      <Command text={sample(language.value, isCanonical)} />
    </>
  );
}
