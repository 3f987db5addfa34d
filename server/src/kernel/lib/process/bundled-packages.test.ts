import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const hook = join(import.meta.dirname, 'bundled-packages.mjs')
const entries = [
  'typebox',
  'typebox/format',
  'typebox/schema',
  'typebox/system',
  'typebox/type',
  'typebox/value',
]

/** Runs a script as a module in a folder and parses its output as JSON. */
const printed = (script: string, cwd: string, options: readonly string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [...options, '--input-type=module', '-e', script], { cwd }).toString(),
  )

test('the bundle exports everything that typebox exports', () => {
  const script = `
    const exported = async (entry) => [entry, Object.keys(await import(entry)).sort()]
    const address = import.meta.resolve('typebox')
    console.log(JSON.stringify({ address, all: await Promise.all(${JSON.stringify(entries)}.map(exported)) }))`
  const itself = printed(script, import.meta.dirname, [])
  const bundled = printed(script, import.meta.dirname, ['--import', hook])
  expect(bundled.address).toMatch(/\/node_modules\/\.cache\/muster\/typebox-[\d.]+\/build\/index\.mjs$/)
  expect(itself.address).toMatch(/\/node_modules\/typebox\/build\/index\.mjs$/)
  expect(bundled.all).toEqual(itself.all)
})

test('the package is loaded if there is no bundle of its version', () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-bundle-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const ownHook = join(root, 'server/src/kernel/lib/process/bundled-packages.mjs')
  mkdirSync(dirname(ownHook), { recursive: true })
  copyFileSync(hook, ownHook)
  const exports = { '.': './build/index.mjs' }
  write('node_modules/typebox/package.json', JSON.stringify({ version: '2.0.0', type: 'module', exports }))
  write('node_modules/typebox/build/index.mjs', 'export const from = "package"')
  write('node_modules/.cache/muster/typebox-1.9.9/build/index.mjs', 'export const from = "another version"')
  const script = `console.log(JSON.stringify((await import('typebox')).from))`
  expect(printed(script, root, ['--import', ownHook])).toBe('package')
  write('node_modules/.cache/muster/typebox-2.0.0/build/index.mjs', 'export const from = "bundle"')
  expect(printed(script, root, ['--import', ownHook])).toBe('bundle')
})
