import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon';
import './button.css';

interface Props extends Omit<JSX.IntrinsicElements['button'], 'icon' | 'label'> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  /** The only words of a button that shows its picture alone. */
  label?: string;
  busy?: boolean;
  children?: ComponentChildren;
}

/** A button. While it is busy it can be focused and does nothing. */
export function Button({ look = 'plain', icon, label, busy = false, children, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${look}${children === undefined ? ' bare' : ''}`}
      aria-label={label ?? rest['aria-label']}
      title={label}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else if (typeof onClick === 'function') onClick(event);
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
