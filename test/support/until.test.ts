import { expect, test } from 'vitest'
import { until } from './until.ts'

test('returns the first result, whatever the earlier probes returned or threw', async () => {
  const answers: (() => unknown)[] = [
    () => undefined,
    () => false,
    () => null,
    () => Promise.reject(new Error('not yet')),
    () => 0,
  ]
  expect(await until('a number', () => answers.shift()?.())).toBe(0)
})

test('a timeout names what was missing, with the last error', async () => {
  const reason = new Error('not yet')
  const coming = until('a number', () => Promise.reject(reason), 50)
  await expect(coming).rejects.toThrow(
    expect.objectContaining({ message: 'no a number within 50 ms', cause: reason }),
  )
})

test('a probe that never ends times out', async () => {
  await expect(until('a number', () => new Promise(() => {}), 50)).rejects.toThrow('no a number within')
})
