import { shell } from '../words/shell';
import { Button } from './button';
import { Dialog } from './dialog';
import type { IconName } from './icon';
import { ProblemNote } from './problem';
import { useWork } from './work';

interface Props {
  title: string;
  /** What follows from it. */
  text: string;
  action: string;
  icon: IconName;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, text, action, icon, onConfirm, onClose }: Props) {
  const task = useWork();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button look="danger" icon={icon} busy={task.busy} onClick={() => void task.run(onConfirm)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
