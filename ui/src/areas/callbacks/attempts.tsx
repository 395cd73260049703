import { Fragment } from 'preact';
import { callbacks } from '../../words/callbacks';
import { moment, number } from '../../words/language';
import { Part } from '../operator/facts';
import type { Attempt } from '../operator/types';
import { answerOf, meaningOf } from './state';
import './attempts.css';

/** What was tried, and what came of it. */
export function Attempts({ log, omitted }: { log: readonly Attempt[]; omitted: number }) {
  const words = callbacks().attempts;
  return (
    <Part title={words.title}>
      {log.length === 0 ? (
        <p class="soft">{words.none}</p>
      ) : (
        <div class="scrolls" tabIndex={0}>
          <table class="attempts">
            <thead>
              <tr>
                <th scope="col">{words.number}</th>
                <th scope="col">{words.at}</th>
                <th scope="col">{words.answer}</th>
                <th scope="col">{words.took}</th>
                <th scope="col">{words.said}</th>
              </tr>
            </thead>
            <tbody>
              {log.map((attempt, at) => (
                <Fragment key={attempt.number}>
                  {at === log.length / 2 && omitted > 0 && (
                    <tr>
                      <td colSpan={5} class="soft">
                        {words.omitted(omitted)}
                      </td>
                    </tr>
                  )}
                  <tr>
                    <th scope="row">{number(attempt.number)}</th>
                    <td>
                      {moment(attempt.at)}
                      {attempt.address !== null && <div class="soft">{attempt.address}</div>}
                    </td>
                    <td>
                      <strong class={attempt.class === 'delivered' ? 'good' : 'bad'}>{answerOf(attempt)}</strong>
                      <div class="soft">{meaningOf(attempt)}</div>
                    </td>
                    <td>{number(attempt.took_ms)} ms</td>
                    <td>
                      {attempt.excerpt !== '' && <code class="excerpt" tabIndex={0}>{attempt.excerpt}</code>}
                      {attempt.next_attempt_at !== null && <div class="soft">{words.next(moment(attempt.next_attempt_at))}</div>}
                    </td>
                  </tr>
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}
