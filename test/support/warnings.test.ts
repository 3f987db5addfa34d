import { execFileSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { until } from './until.ts'
import { checkNoWarnings, takeWarnings, warningOptions } from './warnings.ts'

const tooLong = 'setTimeout(() => {}, 2 ** 31).unref()'
const asModule = `data:text/javascript,${encodeURIComponent(tooLong)}`

const noted = () => until('warning', () => takeWarnings() || undefined)

test('records a warning of the test process', async () => {
  setTimeout(() => {}, 2 ** 31).unref()
  expect(await noted()).toMatch(/TimeoutOverflowWarning.*\n.*warnings\.test\.ts/s)
  process.emitWarning('old', 'DeprecationWarning')
  expect(await noted()).toContain('DeprecationWarning: old')
})

test('records a warning of a worker thread, also without an environment', async () => {
  const thread = new Worker(new URL(asModule), { env: {} })
  expect(await noted()).toContain('TimeoutOverflowWarning')
  await thread.terminate()
})

test.each([
  ['the process', tooLong],
  [
    'a thread of it',
    `new (require('node:worker_threads').Worker)(new URL(${JSON.stringify(asModule)}), { env: {} })`,
  ],
])('records a warning of a child process: %s', (_, code) => {
  execFileSync(process.execPath, [...warningOptions(process.pid), '--eval', code], {
    env: {},
    stdio: 'pipe',
  })
  expect(takeWarnings()).toContain('TimeoutOverflowWarning')
})

test('a warning fails the tests of its file, with its stack', async () => {
  await checkNoWarnings()
  setTimeout(() => {}, 2 ** 31).unref()
  await expect(checkNoWarnings()).rejects.toThrow(
    /Process warnings fail the tests.*TimeoutOverflowWarning.*warnings\.test\.ts/s,
  )
})
