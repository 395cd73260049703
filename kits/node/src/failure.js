import { inspect, types } from 'node:util';

/** The greatest number of lines of a journal that an error contains. */
const LINES_MAX = 200;

/**
 * Runs a test in a world and ends the world. When the test fails, its error contains the journal of the world.
 * @template T
 * @param {import('./world.js').World} world
 * @param {(world: import('./world.js').World) => T | Promise<T>} body
 * @returns {Promise<T>}
 */
export async function runIn(world, body) {
  let result;
  try {
    result = await body(world);
  } catch (thrown) {
    const programs = (world.programs ?? []).map((program) => `\n\n${program.shown()}`);
    const failure = withText(thrown, (await journalOf(world)) + programs.join(''));
    // The failure of the test says more than that of its end, for example when the process has ended.
    await world.end().catch(() => {});
    throw failure;
  }
  await world.end();
  return result;
}

/** @param {import('./world.js').World} world */
async function journalOf(world) {
  const { id, name, seed } = world;
  const title = name === null ? `Journal of world ${id} (seed ${seed})` : `Journal of world "${name}" (${id}, seed ${seed})`;
  try {
    const text = (await world.journalText()).trimEnd();
    if (text === '') return `${title}: it is empty`;
    const lines = text.split('\n');
    const left = lines.length - LINES_MAX;
    const shown = left > 0 ? [`(${left} earlier lines)`, ...lines.slice(left)] : lines;
    return `${title}:\n${shown.map((line) => `  ${line}`).join('\n')}`;
  } catch (error) {
    return `${title} cannot be read: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * The same error with a text after its message. Some test frameworks print the message, some the stack, which begins with it.
 * @param {unknown} thrown
 * @param {string} text
 */
export function withText(thrown, text) {
  // An error of another realm, as of Jest, is no instance of this one's `Error`.
  if (!types.isNativeError(thrown)) {
    return new Error(`The test threw ${inspect(thrown)}\n\n${text}`, { cause: thrown });
  }
  const { message, stack = '' } = thrown;
  const longer = `${message}\n\n${text}\n`;
  const at = message === '' ? -1 : stack.indexOf(message);
  const [head, frames] = at < 0 ? splitBeforeFrames(stack) : [stack.slice(0, at), stack.slice(at + message.length)];
  thrown.message = longer;
  thrown.stack = at < 0 ? `${head}\n\n${text}\n${frames}` : head + longer + frames;
  return thrown;
}

/** @param {string} stack */
function splitBeforeFrames(stack) {
  const at = stack.indexOf('\n    at ');
  return at < 0 ? [stack, ''] : [stack.slice(0, at), stack.slice(at)];
}
