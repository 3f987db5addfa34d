import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { leakedRangeFile, readLeakedRange } from './leaked-range.service.ts'
import { loadLeakedRange, RangeLineError } from './leaked-range-load.store.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-range-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

/** Many hashes with counts, unsorted, some with the same prefix. */
const hashes: [string, number][] = Array.from({ length: 20_000 }, (_, at) => {
  const hash = sha1(`password ${at}`)
  return [at % 5 === 0 ? `ABCDE${hash.slice(5)}` : hash, (at % 97) + 1]
})

/** Splits the text into chunks at any position, also within a line. */
async function* pieces(text: string, bytes = 977): AsyncGenerator<Buffer> {
  const all = Buffer.from(text)
  for (let from = 0; from < all.length; from += bytes) yield all.subarray(from, from + bytes)
}

const load = (lines: readonly string[], ending = '\n') =>
  loadLeakedRange(leakedRangeFile(folder), pieces(lines.join(ending)))
const lineOf = ([hash, count]: [string, number]) => `${hash}:${count}`
const expectedSuffixes = (prefix: string) =>
  hashes
    .filter(([hash]) => hash.startsWith(prefix))
    .map(([hash, count]) => ({ suffix: hash.slice(5), count }))
    .sort((a, b) => (a.suffix < b.suffix ? -1 : 1))

test.each(['in no order', 'in order'])('finds every hash of a file %s by its prefix', async (order) => {
  const lines = hashes.map(lineOf)
  expect(await load(order === 'in order' ? lines.sort() : lines)).toEqual({ passwords: 20_000, repeated: 0 })
  const prefixes = new Set(['00000', 'FFFFF', 'ABCDE', ...hashes.slice(0, 300).map(([h]) => h.slice(0, 5))])
  for (const prefix of prefixes)
    expect(await readLeakedRange(leakedRangeFile(folder), prefix)).toEqual(expectedSuffixes(prefix))
  expect(expectedSuffixes('ABCDE')).toHaveLength(4000)
})

test('keeps the higher count of a repeated hash, regardless of case', async () => {
  const hash = sha1('twice')
  const lines = [`${hash}:3`, `${hash.toLowerCase()}:7`, '', `${hash}:5`, '']
  expect(await load(lines, '\r\n')).toEqual({ passwords: 1, repeated: 2 })
  expect(await readLeakedRange(leakedRangeFile(folder), hash.slice(0, 5))).toEqual([
    { suffix: hash.slice(5), count: 7 },
  ])
})

test.each([
  ['that is no hash', 'no hash'],
  ['without a count', sha1('x')],
  ['with a count below 0', `${sha1('x')}:-1`],
  ['without end', 'x'.repeat(5000)],
])('rejects a line %s by its number and keeps the current list', async (_, wrong) => {
  await load([`${sha1('before')}:1`])
  await expect(load([`${sha1('a')}:1`, wrong, `${sha1('b')}:1`])).rejects.toThrow(
    new RangeLineError(
      'Line 2 must be a SHA-1 hash of 40 hexadecimal digits, a colon and a count, such as 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3.',
    ),
  )
  expect(await readLeakedRange(leakedRangeFile(folder), sha1('before').slice(0, 5))).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['leaked-range.bin'])
})

test('returns undefined without a file, and an error for a damaged one', async () => {
  const path = leakedRangeFile(folder)
  expect(await readLeakedRange(path, '00000')).toBeUndefined()
  writeFileSync(path, 'MUSTERR1 and no more')
  await expect(readLeakedRange(path, '00000')).rejects.toThrow('damaged')
  writeFileSync(path, 'something else altogether')
  await expect(readLeakedRange(path, '00000')).rejects.toThrow('damaged')
})
