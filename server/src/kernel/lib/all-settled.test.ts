import { expect, test } from 'vitest'
import { allSettledOrThrow } from './all-settled.ts'

test('returns all values in order', async () => {
  expect(await allSettledOrThrow([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two'])
})

test('throws the first error after all promises have settled', async () => {
  const steps: string[] = []
  const slow = async () => {
    for (const step of ['one', 'two', 'three']) {
      await Promise.resolve()
      steps.push(step)
    }
  }
  const work = allSettledOrThrow([
    slow(),
    Promise.reject(new Error('first')),
    Promise.reject(new Error('second')),
  ])
  await expect(work).rejects.toThrow('first')
  expect(steps).toEqual(['one', 'two', 'three'])
})
