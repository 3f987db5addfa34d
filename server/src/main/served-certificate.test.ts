import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificateWatch } from './served-certificate.ts'

let folder = ''
let changes = 0
beforeEach(() => {
  changes = 0
  folder = mkdtempSync(join(tmpdir(), 'muster-certificate-'))
  for (const name of ['cert.pem', 'key.pem']) writeFileSync(join(folder, name), 'old')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const watchIn = (path: string) => {
  const files = ['cert.pem', 'key.pem'].map((name) => join(path, name))
  const { run } = certificateWatch(files, async () => {
    changes += 1
  })
  return () => run(new AbortController().signal)
}

test('files are loaded once after a change, when they have stayed the same for an interval', async () => {
  const check = watchIn(folder)
  await check()
  await check()
  expect(changes).toBe(0)
  writeFileSync(join(folder, 'cert.pem'), 'newer')
  await check()
  writeFileSync(join(folder, 'key.pem'), 'newer')
  await check()
  expect(changes).toBe(0)
  await check()
  await check()
  expect(changes).toBe(1)
})

test('a swapped link to a folder is a change, as in Kubernetes', async () => {
  for (const version of ['one', 'two']) {
    mkdirSync(join(folder, version))
    for (const name of ['cert.pem', 'key.pem']) writeFileSync(join(folder, version, name), version)
  }
  const link = join(folder, 'current')
  symlinkSync('one', link)
  const check = watchIn(link)
  rmSync(link)
  symlinkSync('two', link)
  await check()
  await check()
  expect(changes).toBe(1)
})

test('a missing file is not loaded before it is there again', async () => {
  const check = watchIn(folder)
  rmSync(join(folder, 'key.pem'))
  await check()
  writeFileSync(join(folder, 'key.pem'), 'newer')
  await check()
  expect(changes).toBe(0)
  await check()
  expect(changes).toBe(1)
})
