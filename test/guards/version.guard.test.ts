import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const manifestOf = (folder: string): { version: string; workspaces?: string[] } =>
  JSON.parse(readFileSync(new URL(`../../${folder}package.json`, import.meta.url), 'utf8'))

test('every package has the version of the root package.json', () => {
  const { version, workspaces = [] } = manifestOf('')
  expect(workspaces.length).toBeGreaterThan(0)
  const versions = Object.fromEntries(workspaces.map((folder) => [folder, manifestOf(`${folder}/`).version]))
  expect(versions).toEqual(Object.fromEntries(workspaces.map((folder) => [folder, version])))
})
