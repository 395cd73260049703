import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import * as kit from '../src/index.js';
import { KIT, run, temporary } from './support.js';

const README = fs.readFileSync(path.join(KIT, 'README.md'), 'utf8');

test('the first test of the README runs in a project that has the package', async (t) => {
  const [, first = ''] = /```js\n(.*?)```/s.exec(README) ?? [];
  assert.ok(first.trimEnd().split('\n').length <= 10, first);

  const project = temporary(t);
  fs.writeFileSync(path.join(project, 'package.json'), '{"private":true}');
  fs.writeFileSync(path.join(project, 'first.test.mjs'), first);
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', project]);
  assert.equal(packed.code, 0, packed.output);
  const archive = path.join(project, packed.output.trim());
  const installed = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: project });
  assert.equal(installed.code, 0, installed.output);

  const tested = await run(process.execPath, ['--test', '--test-reporter=spec', 'first.test.mjs'], { cwd: project });
  assert.equal(tested.code, 0, tested.output);
  assert.match(tested.output, /pass 1\n/);
});

test('the README names every function', () => {
  const names = Object.entries(kit).flatMap(([name, item]) => {
    const methods = 'prototype' in item ? Object.getOwnPropertyNames(item.prototype) : [];
    const statics = Object.getOwnPropertyNames(item).filter((it) => !['length', 'name', 'prototype'].includes(it));
    return [name, ...methods, ...statics].filter((it) => it !== 'constructor');
  });
  assert.ok(names.length > 30, names.join(' '));
  assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(README)), []);
});
