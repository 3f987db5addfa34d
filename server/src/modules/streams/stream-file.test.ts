import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleEventId, sampleEvents, sampleIdsIn } from '../../../../test/support/sample-events.ts'
import { smallDisks } from '../../../../test/support/small-disk.ts'
import { streamFormats, streamLine } from './formats/stream-line.ts'
import { type FileStreamOptions, fileStream } from './stream-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
  path = join(folder, 'events', 'events.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const into = (more: Partial<FileStreamOptions> = {}) =>
  fileStream({ path, format: 'json', maxBytes: 1_000_000, keep: 3, ...more })
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const ids = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sampleEventId(from + index))
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test.each(streamFormats)('writes one line per event as %s, with file mode 0600', async (format) => {
  const stream = into({ format })
  const events = sampleEvents(0, 60)
  await stream.deliver(events.slice(0, 10))
  await stream.deliver(events.slice(10))
  await stream.close()
  expect(readFileSync(path, 'utf8')).toBe(events.map((event) => `${streamLine(event, format)}\n`).join(''))
  expect([modeOf(path), modeOf(join(folder, 'events'))]).toEqual(['600', '700'])
})

describe('a full file', () => {
  const batch = 10
  const batches = 40
  async function fill(keep: number): Promise<string[]> {
    const stream = into({ maxBytes: 20_000, keep })
    for (let number = 0; number < batches; number += 1)
      await stream.deliver(sampleEvents(number * batch, batch))
    await stream.close()
    const order = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0)
    return readdirSync(join(folder, 'events')).sort((one, other) => order(other) - order(one))
  }

  test('is rotated without losing lines', async () => {
    const files = await fill(100)
    expect(files.length).toBeGreaterThan(5)
    expect(files.at(-1)).toBe('events.jsonl')
    const paths = files.map((name) => join(folder, 'events', name))
    expect(sampleIdsIn(paths.flatMap(linesOf))).toEqual(ids(0, batch * batches))
    expect(new Set(paths.map(modeOf))).toEqual(new Set(['600']))
    expect(Math.max(...paths.map((file) => statSync(file).size))).toBeLessThanOrEqual(20_000)
  })

  test('is kept up to the configured number of files', async () => {
    const files = await fill(2)
    expect(files).toEqual(['events.jsonl.2', 'events.jsonl.1', 'events.jsonl'])
    const kept = sampleIdsIn(files.flatMap((name) => linesOf(join(folder, 'events', name))))
    expect(kept).toEqual(ids(batch * batches - kept.length, kept.length))
  })
})

describe('a file that another program', () => {
  test.each([
    ['moved is created again without a signal', () => renameSync(path, `${path}.old`)],
    ['removed is created again', () => rmSync(path)],
    [
      'replaced is reopened',
      () => {
        renameSync(path, `${path}.old`)
        writeFileSync(path, '')
      },
    ],
  ])('%s', async (_, change) => {
    const stream = into()
    await stream.deliver(sampleEvents(0, 5))
    change()
    await stream.deliver(sampleEvents(5, 5))
    await stream.close()
    expect(sampleIdsIn(linesOf(path))).toEqual(ids(5, 5))
  })

  test('truncated is written from its beginning', async () => {
    const stream = into()
    await stream.deliver(sampleEvents(0, 5))
    writeFileSync(path, '')
    stream.reopen?.()
    await stream.deliver(sampleEvents(5, 5))
    await stream.close()
    expect(sampleIdsIn(linesOf(path))).toEqual(ids(5, 5))
  })
})

test('keeps existing lines and completes a partial last line', async () => {
  mkdirSync(join(folder, 'events'))
  appendFileSync(path, '{"whole":1}\n{"par')
  const stream = into()
  await stream.deliver(sampleEvents(0, 1))
  await stream.close()
  expect(linesOf(path).slice(0, 2)).toEqual(['{"whole":1}', '{"par'])
  expect(sampleIdsIn(linesOf(path).slice(2))).toEqual(ids(0, 1))
})

test('creates the folder but not its parents', async () => {
  const stream = into({ path: join(folder, 'a', 'b', 'events.jsonl') })
  await expect(stream.deliver(sampleEvents(0, 1))).rejects.toThrow('ENOENT')
  expect(existsSync(join(folder, 'a'))).toBe(false)
})

test('delivers events after a failed write', async () => {
  mkdirSync(path, { recursive: true })
  const stream = into()
  await expect(stream.deliver(sampleEvents(0, 1))).rejects.toThrow('is not a file')
  rmSync(path, { recursive: true })
  await stream.deliver(sampleEvents(0, 1))
  await stream.close()
  expect(existsSync(path)).toBe(true)
  expect(sampleIdsIn(linesOf(path))).toEqual(ids(0, 1))
})

test.each(smallDisks)('writes whole lines after the disk was full', async (mount) => {
  const disk = mount(1)
  const file = join(disk.folder, 'events.jsonl')
  const stream = into({ path: file })
  const events = sampleEvents(0, 300)
  await stream.deliver(events.slice(0, 10))
  disk.fill()
  await expect(stream.deliver(events.slice(10))).rejects.toThrow('ENOSPC')
  disk.free()
  await stream.deliver(events.slice(10))
  await stream.close()
  const found = linesOf(file).flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
  disk.remove()
  const whole = found.map((event) => JSON.stringify(event))
  for (const event of events) expect(whole).toContain(streamLine(event, 'json'))
})
