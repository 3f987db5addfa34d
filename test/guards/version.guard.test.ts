import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  version: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(new URL(`../../${folder}package.json`, import.meta.url), 'utf8'))

const { version, workspaces = [] } = readManifest('')

test('every package has the version of the root package.json', () => {
  expect(workspaces.length).toBeGreaterThan(0)
  const versions = Object.fromEntries(
    workspaces.map((folder) => [folder, readManifest(`${folder}/`).version]),
  )
  expect(versions).toEqual(Object.fromEntries(workspaces.map((folder) => [folder, version])))
})

test('packages that share a dependency name the same version', () => {
  const manifests = ['', ...workspaces.map((folder) => `${folder}/`)].map(readManifest)
  const named = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  )
  expect(named.length).toBeGreaterThan(0)
  const first = new Map(named.toReversed())
  expect(named.filter(([name, wanted]) => first.get(name) !== wanted)).toEqual([])
})
