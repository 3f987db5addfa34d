import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unexplainedFiles } from '../../scripts/vendored-driver.ts'
import { repositoryRoot } from './repository.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

test('the vendored PostgreSQL driver is the upstream release with upstream.patch applied', () => {
  expect(unexplainedFiles()).toEqual([])
})

test('the README of the vendored driver names the installed release', () => {
  const { version } = JSON.parse(read('node_modules/postgres/package.json')) as { version: string }
  expect(read('server/vendor/postgres/README.md')).toContain(`# postgres.js ${version} with changes`)
})
