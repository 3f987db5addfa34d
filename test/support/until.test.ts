import { expect, test } from 'vitest'
import { until } from './until.ts'

test('what is waited for is given as soon as it is there, whatever was answered or thrown before', async () => {
  const answers: (() => unknown)[] = [
    () => undefined,
    () => false,
    () => null,
    () => Promise.reject(new Error('not yet')),
    () => 0,
  ]
  expect(await until('a number', () => answers.shift()?.())).toBe(0)
})

test('what never comes is named, with the last error', async () => {
  const reason = new Error('not yet')
  const coming = until('a number', () => Promise.reject(reason), 50)
  await expect(coming).rejects.toThrow(
    expect.objectContaining({ message: 'in 50 ms there was no a number', cause: reason }),
  )
})

test('a probe that does not end is given up, and what was waited for is named', async () => {
  await expect(until('a number', () => new Promise(() => {}), 50)).rejects.toThrow('there was no a number')
})
