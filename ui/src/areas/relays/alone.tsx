import { forgetOperator, operatorToken } from '../../api/operator';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { match, place } from '../../router';
import { LanguageChoice } from '../../shell/language-choice';
import { shell } from '../../words/shell';
import { RelaysPage } from './page';

/** The console of a service that only relays: its relays, for the operator. */
export function RelaysAlone() {
  const words = shell();
  return (
    <div class="frame relays-alone">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top">
        <a class="brand" href="/relays" aria-label={words.product}>
          <Icon name="callbacks" />
          <span>{words.product}</span>
        </a>
        <LanguageChoice />
        {operatorToken.value !== undefined && <Button look="quiet" icon="key" label={words.operator.leave} onClick={forgetOperator} />}
      </header>
      <main id="content" tabIndex={-1}>
        <RelaysPage id={match('/relays/:id?', place.value.path)?.['id']} />
      </main>
    </div>
  );
}
