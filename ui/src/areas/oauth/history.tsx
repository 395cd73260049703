import { userName } from '../../api/book';
import { Badge } from '../../parts/badge';
import { oauth } from '../../words/oauth';
import { day, exactClock } from '../../words/language';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { CallerNote, Moment } from '../operator/program';
import type { Grant, Issued } from './types';

interface Row extends Issued {
  kind: 'code' | 'refresh';
}

/** All that was issued, newest first. A refresh token follows from a code of the same second. */
function rowsOf({ codes, refresh_tokens: tokens }: Grant): Row[] {
  const rows = [
    ...tokens.map((token): Row => ({ ...token, kind: 'refresh' })),
    ...codes.map((code): Row => ({ ...code, kind: 'code' })),
  ];
  return rows.sort((one, other) => other.issued_at - one.issued_at);
}

/** When each code and refresh token was issued, and which request used it. */
export function History({ grant }: { grant: Grant }) {
  const words = oauth().history;
  const rows = rowsOf(grant);
  return (
    <Part title={words.title}>
      <p class="soft">{words.text}</p>
      {rows.length === 0 && <p class="soft">{words.none}</p>}
      {rows.length > 0 && (
        <Listed name="token-history" columns={[words.kind, words.issued, words.expires, words.used]}>
          {rows.map((row, at) => (
            // The list grows at its top: a place counted from its end stays.
            <tr key={rows.length - at}>
              <th scope="row">
                <div class="caller">
                  <span>{words[row.kind]}</span>
                  <span class="soft">{userName(row.user_id)}</span>
                </div>
              </th>
              <td data-label={words.issued}>
                <Moment at={row.issued_at} />
              </td>
              <td data-label={words.expires}>{row.kind === 'code' ? exactClock(row.expires_at) : day(row.expires_at)}</td>
              <td data-label={words.used}>
                <Use issued={row} />
              </td>
            </tr>
          ))}
        </Listed>
      )}
    </Part>
  );
}

/** The request that used it, else whether one still can. */
function Use({ issued }: { issued: Issued }) {
  const words = oauth().history;
  if (issued.used_by !== null) return <CallerNote caller={issued.used_by} />;
  if (issued.expires_at * 1000 <= Date.now()) {
    return (
      <Badge tone="warn" icon="clock">
        {words.expired}
      </Badge>
    );
  }
  return (
    <Badge tone="good" icon="check">
      {words.valid}
    </Badge>
  );
}
