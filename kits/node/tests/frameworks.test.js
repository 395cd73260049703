import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { PATIENCE_MS } from './patience.js';
import { isRunning, run, temporary, until } from './support.js';

/** The time limit of each test of a sample; 5 seconds unless it is set. */
const LIMIT = `--testTimeout=${PATIENCE_MS}`;

/** How each framework runs files of its samples, by two workers. */
const FRAMEWORKS = {
  node: ['--test', '--test-concurrency=2', '--test-reporter=spec'],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root=tests/samples/vitest', '--maxWorkers=2', LIMIT],
  'vitest with threads': ['node_modules/vitest/vitest.mjs', 'run', '--root=tests/samples/vitest', '--maxWorkers=2', LIMIT, '--pool=threads'],
  jest: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir=tests/samples/jest', '--maxWorkers=2', LIMIT],
};

for (const [framework, args] of Object.entries(FRAMEWORKS)) {
  /** @param {string[]} files */
  const paths = (...files) => files.map((file) => path.join('tests/samples', framework.split(' ')[0] ?? '', `${file}.spec.js`));

  test(`two workers of ${framework} share a process`, async (t) => {
    const [folder, meeting] = [temporary(t), temporary(t)];
    const env = { MEETING: meeting, TMPDIR: folder };
    const { code, output } = await run(process.execPath, [...args, ...paths('one', 'two')], { env });
    assert.equal(code, 0, output);
    const [one, two] = ['one', 'two'].map((worker) => Number(fs.readFileSync(path.join(meeting, worker), 'utf8')));
    assert.equal(one, two, output);
    await until('the process has ended', () => !isRunning(Number(one)));
  });

  test(`a failed test of ${framework} shows the journal`, async (t) => {
    const { code, output } = await run(process.execPath, [...args, ...paths('failing')], { env: { TMPDIR: temporary(t) } });
    assert.equal(code, 1, output);
    assert.match(output, /Journal of world "an assertion fails" \(w\d+, seed \d+\):\n.*makes the world.*\n.*bo writes "Hello from a failing test"/, output);
    assert.match(output, /Journal of world "a wait fails"/, output);
    assert.match(output, /wait\('callback\.delivered'\) was not met: \w+/, output);
    assert.match(output, /failing\.spec\.js:\d+/, output);
  });
}
