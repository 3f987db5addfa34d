import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runMuster, type Settings, startMuster } from '../../../../../test/support/muster-process.ts'

/** Written by a process at its end: the parts of Node that it had loaded, and the names in its environment. */
interface Left {
  parts: string[]
  names: string[]
}

const leave = `
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread)
  process.on('exit', () => {
    const left = { parts: process.moduleLoadList, names: Object.keys(process.env) }
    writeFileSync(new URL('left.json', import.meta.url), JSON.stringify(left))
  })
`

const compilerOfTypeScript = 'NativeModule internal/deps/amaro/dist/index'

describe('with an empty compile cache', () => {
  let folder = ''
  let settings: Settings = {}
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-cold-'))
    const script = join(folder, 'leave.mjs')
    writeFileSync(script, leave)
    const cache = join(folder, 'cache')
    settings = { MUSTER_DATA: folder, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: `--import=${script}` }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const left = () => JSON.parse(readFileSync(join(folder, 'left.json'), 'utf8')) as Left

  test('a short command compiles the files that it runs', async () => {
    expect((await runMuster(['version'], settings)).code).toBe(0)
    expect(left().parts).toContain(compilerOfTypeScript)
  })

  test('a server on Linux does not keep the TypeScript compiler in memory', async () => {
    const server = await startMuster(settings)
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
    const { parts, names } = left()
    expect(parts.includes(compilerOfTypeScript)).toBe(process.platform !== 'linux')
    expect(names).toContain('MUSTER_DATA')
    expect(names).not.toContain('MUSTER_REPLACE_WHEN_COLD')
  })

  test('a server runs if the cache is not writable', async () => {
    // A file stands where the folder of the cache would be.
    writeFileSync(join(folder, 'cache'), '')
    const server = await startMuster(settings)
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})
