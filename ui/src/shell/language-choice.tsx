import { choose, language } from '../words/language';
import { shell } from '../words/shell';
import { LANGUAGES, LANGUAGE_NAMES } from '../words/wanted';

/** The choice of a language before anybody is signed in. */
export function LanguageChoice() {
  return (
    <label class="language">
      {shell().language}
      <select value={language.value} onChange={(event) => choose(event.currentTarget.value as (typeof LANGUAGES)[number])}>
        {LANGUAGES.map((name) => (
          <option key={name} value={name} lang={name}>
            {LANGUAGE_NAMES[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
