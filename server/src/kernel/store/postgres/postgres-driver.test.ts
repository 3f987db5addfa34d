import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { patchDriver, patchedTexts } from './postgres-driver.ts'

const sourceOf = (file: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve('postgres')).replace(/[^/\\]+$/, file), 'utf8')

test.each(Object.keys(patchedTexts))(
  'each patched text of %s occurs exactly once in the installed driver',
  (file) => {
    const source = sourceOf(file)
    for (const text of patchedTexts[file] ?? []) expect(source.split(text)).toHaveLength(2)
  },
)

test('does not write to a closed socket, and keeps no unsent bytes for the next connection', () => {
  const changed = patchDriver('connection.js', sourceOf('connection.js'))
  expect(changed).toContain('socket ? socket.write(chunk, fn) : (error(')
  expect(changed).toContain('clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null')
})

test('takes the most recently used of the free connections', async () => {
  expect(patchDriver('index.js', sourceOf('index.js'))).not.toContain('open.shift()')
  const source = Buffer.from(patchDriver('queue.js', sourceOf('queue.js'))).toString('base64')
  const { default: Queue } = (await import(`data:text/javascript;base64,${source}`)) as {
    default: () => { push(x: string): string; pop(): string; shift(): string; readonly length: number }
  }
  const queue = Queue()
  for (const name of ['a', 'b', 'c']) queue.push(name)
  expect([queue.pop(), queue.shift(), queue.length, queue.pop(), queue.length]).toEqual(['c', 'a', 1, 'b', 0])
  queue.push('d')
  expect([queue.length, queue.shift(), queue.length]).toEqual([1, 'd', 0])
})
