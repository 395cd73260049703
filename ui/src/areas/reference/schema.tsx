import { reference } from '../../words/reference';
import { Prose } from '../../parts/prose';
import type { Shape } from './shape';
import './schema.css';

/** How deep the fields of fields are open at first. */
const OPEN = 2;

/** What a body consists of: names, types and limits, level by level. */
export function SchemaTree({ shape }: { shape: Shape }) {
  return (
    <div class="schema" lang="en">
      <About shape={shape} />
      {shape.children.length > 0 && <Fields shapes={shape.children} depth={0} />}
    </div>
  );
}

function Fields({ shapes, depth }: { shapes: readonly Shape[]; depth: number }) {
  return (
    <ul>
      {shapes.map((shape, at) => (
        <li key={at}>
          {shape.children.length === 0 ? (
            <About shape={shape} />
          ) : (
            <details open={depth < OPEN}>
              <summary>
                <About shape={shape} />
              </summary>
              <Fields shapes={shape.children} depth={depth + 1} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function About({ shape }: { shape: Shape }) {
  const words = reference();
  const { name, isRequired, type, limits, says, needs, repeats } = shape;
  return (
    <span class="field-line">
      {name !== undefined && <code class="field-name">{name}</code>} <span class="soft">{[type, ...limits].join(' · ')}</span>{' '}
      {isRequired && <Required />}
      {says !== '' && (
        <span class="says">
          <Prose text={says} />
        </span>
      )}
      {needs.map((names, at) => (
        <span key={at} class="says">
          {words.oneOf(names.join(', '))}
        </span>
      ))}
      {repeats && <span class="says">{words.repeats}</span>}
    </span>
  );
}

export function Required() {
  return <strong class="required">{reference().required}</strong>;
}
