import './initials.css';
import { ownPath } from './outside';
import { isVisible } from './visible';

/** The first letters of a name, where a picture would be: a picture is shown only if this service keeps a copy of it. */
export function Initials({ name, picture }: { name: string; picture?: string | null | undefined }) {
  const own = ownPath(picture);
  if (own !== undefined) return <img class="initials" src={own} alt="" width="30" height="30" loading="lazy" />;
  const words = name.trim().split(/\s+/u).slice(0, 2);
  const letters = words.map((word) => [...word].find(isVisible)?.toUpperCase() ?? '').join('');
  const tone = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 6, 0);
  return (
    <span class={`initials tone-${tone}`} aria-hidden="true">
      {letters === '' ? '?' : letters}
    </span>
  );
}
