import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** Work that records its start and ends on request. */
function noted() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

test('parties take turns, each in its own order, whatever the amount of work of one', async () => {
  const inTurn = fairQueue<string>(2)
  const { begun, work, end } = noted()
  const brought = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']
  const done = new Map(brought.map((name) => [name, inTurn(name.slice(0, 1), work(name))]))
  for (const [at, name] of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'].entries()) {
    expect(begun[at]).toBe(name)
    expect(begun).toHaveLength(Math.min(at + 2, brought.length))
    end(name)
    await done.get(name)
  }
})

test('the next task starts after one fails', async () => {
  const inTurn = fairQueue<string>(1)
  const failing = inTurn('a', () => Promise.reject(new Error('in vain')))
  const next = inTurn('a', async () => 'done')
  await expect(failing).rejects.toThrow('in vain')
  expect(await next).toBe('done')
  expect(await inTurn('b', async () => 'done, too')).toBe('done, too')
})
