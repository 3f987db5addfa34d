import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mend, mendedPlaces } from './postgres-driver.ts'

const sourceOf = (file: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve('postgres')).replace(/[^/\\]+$/, file), 'utf8')

test.each(Object.keys(mendedPlaces))(
  'every place of %s that is changed is in the driver that is installed, once',
  (file) => {
    const source = sourceOf(file)
    for (const place of mendedPlaces[file] ?? []) expect(source.split(place)).toHaveLength(2)
  },
)

test('the driver does not write to a socket that is gone, and keeps nothing to send for the next one', () => {
  const changed = mend('connection.js', sourceOf('connection.js'))
  expect(changed).toContain('socket ? socket.write(chunk, fn) : (error(')
  expect(changed).toContain('clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null')
})

test('of the free connections the driver takes the one that was used last', async () => {
  expect(mend('index.js', sourceOf('index.js'))).not.toContain('open.shift()')
  const source = Buffer.from(mend('queue.js', sourceOf('queue.js'))).toString('base64')
  const { default: Queue } = (await import(`data:text/javascript;base64,${source}`)) as {
    default: () => { push(x: string): string; pop(): string; shift(): string; readonly length: number }
  }
  const queue = Queue()
  for (const name of ['a', 'b', 'c']) queue.push(name)
  expect([queue.pop(), queue.shift(), queue.length, queue.pop(), queue.length]).toEqual(['c', 'a', 1, 'b', 0])
  queue.push('d')
  expect([queue.length, queue.shift(), queue.length]).toEqual([1, 'd', 0])
})
