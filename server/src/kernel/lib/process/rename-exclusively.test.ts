import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { renameExclusively } from './rename-exclusively.ts'

/** Error code for hard links; undefined: they are supported. */
let refusal: string | undefined
// Simulates a file system without hard links, such as that of a USB stick.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const linkSync: typeof real.linkSync = (from, to) => {
    if (refusal === undefined) return real.linkSync(from, to)
    throw Object.assign(new Error(refusal), { code: refusal })
  }
  return { ...real, linkSync }
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-place-'))
})
afterEach(() => {
  refusal = undefined
  rmSync(folder, { recursive: true })
})
const made = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const whatIsThere = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

describe.each([undefined, 'EPERM', 'ENOTSUP'])('if creating a hard link fails with %s', (answer) => {
  test('renames a file', () => {
    refusal = answer
    renameExclusively(made('draft', 'new'), join(folder, 'kept'))
    expect(whatIsThere()).toEqual({ kept: 'new' })
  })

  test('does not overwrite an existing file', () => {
    refusal = answer
    const draft = made('draft', 'new')
    const kept = made('kept', 'old')
    expect(() => renameExclusively(draft, kept)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    expect(whatIsThere()).toEqual({ draft: 'new', kept: 'old' })
  })

  test('creates nothing if there is no draft', () => {
    refusal = answer
    expect(() => renameExclusively(join(folder, 'draft'), join(folder, 'kept'))).toThrow('ENOENT')
    expect(whatIsThere()).toEqual({})
  })
})
