import { spawn } from 'node:child_process';

/** Leads a group. When its input closes, the process of the test has ended, and the group ends too. */
const LEADER = `
trap : TERM
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ trap - TERM; cat <&3 >/dev/null; kill -s KILL 0; } 2>/dev/null &
exec 3<&-
while :; do wait "$program"; code=$?; kill -0 "$program" 2>/dev/null || exit "$code"; done
`;

/**
 * Starts a program in a group of its own: what it starts ends with it, and all of it with this process.
 * @param {string[]} command
 * @param {{ env: NodeJS.ProcessEnv, cwd: string | undefined, output: number, errors: number }} options files for what it writes
 */
export function startGroup(command, { env, cwd, output, errors }) {
  const words = ['-c', LEADER, 'sh', ...command];
  const leader = spawn('sh', words, { env, cwd, detached: true, stdio: ['pipe', output, errors] });
  // When the group has ended, closing its input fails.
  leader.stdin?.on('error', () => {});
  return leader;
}

/**
 * Sends a signal to a group.
 * @param {number} pid of its leader
 * @param {NodeJS.Signals} name
 */
export function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // Nothing of it is left.
  }
}
