import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Problem, asProblem } from '../api/client';
import { forgetOperator, operatorToken } from '../api/operator';
import { me, signOut } from '../api/session';
import { Button } from '../parts/button';
import { Initials } from '../parts/initials';
import { later } from '../parts/later';
import { ProblemNote } from '../parts/problem';
import { THEMES, chooseTheme, theme } from '../theme';
import { choose, language } from '../words/language';
import { shell } from '../words/shell';
import { LANGUAGES, LANGUAGE_NAMES } from '../words/wanted';
import './user-menu.css';

const PresenceChoice = later(() => import('../work').then((it) => it.PresenceChoice));

/** Who is signed in, and how they want the console: language, theme, keys. */
export function UserMenu({ onProfile, onShortcuts }: { onProfile: () => void; onShortcuts: () => void }) {
  const words = shell();
  const open = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open.value) return;
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node) || menu.current?.contains(event.target) !== true) open.value = false;
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open.value]);
  const user = me.value?.user;
  return (
    <div
      class="user-menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.code !== 'Escape' || !open.value) return;
        event.stopPropagation();
        open.value = false;
        button.current?.focus();
      }}
    >
      <button
        type="button"
        ref={button}
        class="user"
        aria-expanded={open.value}
        aria-controls={id}
        title={words.account}
        onClick={() => (open.value = !open.value)}
      >
        <Initials name={user?.name ?? ''} />
        <span class="name">{user?.name}</span>
      </button>
      {open.value && (
        <div class="sheet" id={id} role="group" aria-label={words.account}>
          <p>
            <strong>{user?.name}</strong>
            <br />
            <span class="soft">{user?.email}</span>
            {user?.rights.is_admin === true && <span class="soft"> · {words.administrator}</span>}
          </p>
          <PresenceChoice />
          <label>
            {words.language}
            <select value={language.value} onChange={(event) => choose(event.currentTarget.value as (typeof LANGUAGES)[number])}>
              {LANGUAGES.map((name) => (
                <option key={name} value={name} lang={name}>
                  {LANGUAGE_NAMES[name]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {words.theme.label}
            <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as (typeof THEMES)[number])}>
              {THEMES.map((name) => (
                <option key={name} value={name}>
                  {words.theme[name]}
                </option>
              ))}
            </select>
          </label>
          <Button
            icon="key"
            onClick={() => {
              open.value = false;
              onProfile();
            }}
          >
            {words.profile}
          </Button>
          <Button
            icon="keyboard"
            onClick={() => {
              open.value = false;
              onShortcuts();
            }}
          >
            {words.shortcuts.open}
          </Button>
          {operatorToken.value !== undefined && <Button onClick={forgetOperator}>{words.operator.leave}</Button>}
          {problem.value !== undefined && <ProblemNote problem={problem.value} />}
          <Button
            onClick={() => {
              signOut().catch((failure: unknown) => {
                problem.value = asProblem(failure);
              });
            }}
          >
            {words.signOut}
          </Button>
        </div>
      )}
    </div>
  );
}
