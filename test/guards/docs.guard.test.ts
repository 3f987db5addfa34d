import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentName, settingNames } from '../../server/src/kernel/config/config-settings.ts'
import { missingNames, namedPaths, treePaths } from './docs.ts'
import { readRepositoryFile, repositoryPaths } from './repository.ts'

const paths = repositoryPaths()
const documents = paths.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
const decisions = paths.filter((path) => path.startsWith('docs/adr/'))

describe('the reader of documents', () => {
  test('finds paths in backticks and cuts them at placeholders', () => {
    const text =
      'See `server/src/main/main.ts`, `server/src/modules/<resource>/x.ts`, `/v1/apps` and `application/json`.'
    expect(namedPaths(text)).toEqual(['server/src/main/main.ts', 'server/src/modules/'])
  })

  test('reads the paths of a tree by indentation', () => {
    const text = '```tree\nserver/   the service\n  src/\n    main.ts   entry\ndocs/\n```\n'
    expect(treePaths(text)).toEqual(['server', 'server/src', 'server/src/main.ts', 'docs'])
  })

  test('detects missing paths, links, tree entries and file names', () => {
    const text =
      'A `docs/no.ts`, a [link](../gone.md#part), `no-such.ts`, `guards/no.ts`, `guards/docs.ts`.\n\n```tree\nscripts/\n  no.ts\n```\n'
    expect(missingNames({ path: 'docs/adr/x.md', text }, paths)).toEqual([
      'names docs/no.ts, which does not exist',
      'names scripts/no.ts, which does not exist',
      'names docs/gone.md, which does not exist',
      'names no-such.ts, but no file has this name',
      'names guards/no.ts, but no file has this name',
    ])
  })

  test('accepts URLs and existing files', () => {
    const text = 'A [site](https://example.com/x.md), [this](#part), `package.json`, `test/guards/docs.ts`.'
    expect(missingNames({ path: 'README.md', text }, paths)).toEqual([])
  })
})

test.each(documents)('%s names only existing files', (path) => {
  expect(missingNames(readRepositoryFile(path), paths)).toEqual([])
})

test('decisions are numbered without gaps or repeats, and each title starts with its number', () => {
  const numbers = decisions.map((path) => Number(posix.basename(path).slice(0, 4)))
  expect(numbers).toEqual(decisions.map((_, index) => index + 1))
  for (const path of decisions) {
    expect(path).toMatch(/\/\d{4}-[a-z0-9-]+\.md$/)
    expect(readRepositoryFile(path).text).toMatch(
      new RegExp(`^# ${posix.basename(path).slice(0, 4)}\\. .+\\n`),
    )
  }
})

test('the guide to settings names every setting and no others', () => {
  const named = new Set(readRepositoryFile('docs/guide/settings.md').text.match(/\bMUSTER_[A-Z_]+/g))
  expect([...named].sort()).toEqual(settingNames.map(environmentName).sort())
})

test('each changelog fragment has a valid name and starts with a known heading', () => {
  const heading = /^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)\n/
  const wrong = paths
    .filter((path) => path.startsWith('changes/') && path !== 'changes/README.md')
    .filter((path) => !/^changes\/[a-z0-9-]+\.md$/.test(path) || !heading.test(readRepositoryFile(path).text))
  expect(wrong).toEqual([])
})
