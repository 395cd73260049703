// A process as a test runner starts it: takes the process of Switchboard that the environment names, prints its pid, and
// holds it until standard input ends. The argument is the name of a shared process; without it, it starts its own.

import { Switchboard } from '../../src/index.js';

const name = process.argv[2];
try {
  const switchboard = await (name === undefined ? Switchboard.start() : Switchboard.shared(name));
  console.log(switchboard.pid);
  for await (const _ of process.stdin);
  console.log((await switchboard.worlds()).length);
} catch (error) {
  console.log(String(error));
}
