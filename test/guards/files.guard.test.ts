import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { type FileRule, isCode, isTest, repositoryPaths } from './repository.ts'
import { testRules } from './rule-tests.ts'

const linesMaximum = { source: 400, test: 600 }

/** Conventional file names, which may repeat. All other names are unique, to find a file by its name. */
const conventionalNames = new Set([
  // Names given by the design: the resource in the contract, and the file that joins the server's parts.
  'app.ts',
  'README.md',
  'package.json',
  'tsconfig.json',
  'main.ts',
  'index.html',
  '.gitignore',
  '.gitkeep',
])

/** Third-party texts and generated files. */
const notOurs = new Set(['LICENSE', 'package-lock.json', 'docs/openapi.json'])
const isOurText = (path: string) => !notOurs.has(path) && !/\.(?:png|ico|woff2|gz)$/.test(path)

/** Returns a rule that no line matches any of the patterns. */
function forbidding(patterns: readonly RegExp[], phrase: string): FileRule['violations'] {
  return ({ text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = patterns.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined)
      return found === undefined ? [] : [`line ${index + 1}, ${JSON.stringify(found)}: ${phrase}`]
    })
}

/** Returns repeated file names with their paths. */
function repeatedNames(paths: readonly string[]): string[] {
  const byName = Map.groupBy(paths, (path) => posix.basename(path))
  return [...byName]
    .filter(([name, same]) => same.length > 1 && !conventionalNames.has(name))
    .map(([name, same]) => `${name}: ${same.join(', ')}`)
}

// The samples are assembled from pieces, otherwise this file would violate its own rules.
const rules: FileRule[] = [
  {
    guarantee: `no source file is longer than ${linesMaximum.source} lines, no test than ${linesMaximum.test}`,
    applies: isCode,
    violations: ({ path, text }) => {
      const lines = text.trimEnd().split('\n').length
      const maximum = isTest(path) ? linesMaximum.test : linesMaximum.source
      return lines > maximum ? [`has ${lines} lines, at most ${maximum} are allowed: split it by topic`] : []
    },
    bad: [
      { path: 'lib/long.ts', text: 'x\n'.repeat(linesMaximum.source + 1) },
      { path: 'lib/long.test.ts', text: 'x\n'.repeat(linesMaximum.test + 1) },
    ],
    good: [
      { path: 'lib/full.ts', text: 'x\n'.repeat(linesMaximum.source) },
      { path: 'lib/full.test.ts', text: 'x\n'.repeat(linesMaximum.test) },
    ],
    exceptions: {},
  },
  {
    guarantee: 'there are no default exports',
    // WXT finds its entry points by the default exports of that folder.
    applies: (path) => isCode(path) && !path.startsWith('agent/src/entrypoints/'),
    violations: forbidding([/^export default\b/, /\bas default\b.*\}/], 'export it by name'),
    bad: [
      { path: 'lib/one.ts', text: `${'export'} default 1\n` },
      { path: 'lib/two.ts', text: `export { one ${'as'} default }\n` },
    ],
    good: [{ path: 'lib/three.ts', text: 'export const one = 1\n' }],
    exceptions: {
      'vitest.config.ts': 'Vitest reads the default export',
      'vitest.fast.config.ts': 'Vitest reads the default export',
      'agent/wxt.config.ts': 'WXT reads the default export',
      'console/vite.config.ts': 'Vite reads the default export',
    },
  },
  {
    guarantee: 'tests start muster by musterProgram(), which lets warnings of the process fail the test',
    applies: (path) => isTest(path) || path.startsWith('test/'),
    violations: forbidding([/muster[.]mjs/], 'start it by test/support/muster-process.ts'),
    bad: [{ path: 'server/src/kernel/cli/x.test.ts', text: `spawn(execPath, ['../muster.${'mjs'}'])\n` }],
    good: [{ path: 'server/src/kernel/cli/y.test.ts', text: 'spawn(...musterProgram())\n' }],
    exceptions: { 'test/support/muster-process.ts': 'defines musterProgram()' },
  },
  {
    guarantee: 'only kernel/store/ depends on the name of a dialect',
    applies: (path) =>
      isCode(path) &&
      /^(?:server\/src|test|bench)\//.test(path) &&
      !path.startsWith('server/src/kernel/store/'),
    violations: forbidding([/\bdialect\??\.name\b/], 'make the difference a member of Dialect'),
    bad: [
      { path: 'server/src/modules/x/x.service.ts', text: `if (tx.dialect.${'name'} === 'sqlite') run()\n` },
      { path: 'server/src/kernel/query/y.ts', text: `const size = sizes[db.dialect.${'name'}]\n` },
    ],
    good: [{ path: 'server/src/modules/x/z.service.ts', text: 'if (tx.dialect.chainsAuditTrail) run()\n' }],
    exceptions: {
      'server/src/modules/audit/audit-chain.test.ts': 'tampers with keys, which differ between the stores',
      'test/robustness/fuzz.test.ts': 'lists the tables of the catalog',
      'test/support/query-plans.ts': 'reads query plans, which differ between the stores',
      'test/support/whole-rows.ts': 'lists columns by the catalog',
    },
  },
  {
    guarantee: 'no test is skipped, exclusive or postponed',
    applies: isTest,
    violations: forbidding(
      [
        /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf|runIf)\b/,
        /\b(?:xit|fit|xdescribe|xtest)\(/,
      ],
      'enable the test or remove it',
    ),
    bad: ['test.only', 'describe.skip', 'it.todo', 'test.concurrent.skip', 'test.runIf'].map((form) => ({
      path: `${form}.test.ts`,
      text: `${form}('x')\n`,
    })),
    good: [{ path: 'each.test.ts', text: `test.each([1])('x', () => {})\n` }],
    exceptions: { 'test/guards/files.guard.test.ts': 'contains the samples of this rule' },
  },
  {
    guarantee: 'no comment postpones work',
    applies: isOurText,
    violations: forbidding([/\b(?:TO(?:DO)|FIX(?:ME)|X(?:XX))\b/], 'do it now, or open an issue'),
    bad: [
      { path: 'one.ts', text: `// ${'TO'}DO: later\n` },
      { path: 'two.md', text: `${'FIX'}ME\n` },
    ],
    good: [{ path: 'three.ts', text: 'const todoList = []\n' }],
    exceptions: {},
  },
  {
    guarantee: 'no file contains a secret',
    applies: isOurText,
    violations: forbidding(
      [
        /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
        /\bmstr_[0-9A-Za-z]{38}\b/,
        /\bAKIA[0-9A-Z]{16}\b/,
        /\bgh[pousr]_[0-9A-Za-z]{36}\b/,
        /\bxox[abprs]-[0-9A-Za-z-]{10,}/,
      ],
      'looks like a key: generate it in the test that needs it',
    ),
    bad: [
      { path: 'key.ts', text: `const key = 'mstr_${'a1'.repeat(19)}'\n` },
      { path: 'tls.pem', text: `-----BEGIN ${'EC '}PRIVATE KEY-----\n` },
    ],
    good: [{ path: 'guide.md', text: 'a key looks like `mstr_…`; -----BEGIN CERTIFICATE-----\n' }],
    exceptions: {},
  },
  {
    guarantee: 'no file names a path of a specific machine or outside of the repository',
    applies: isOurText,
    violations: forbidding(
      [/(?<![\w.>}])\/(?:root|work|home\/[a-z]\w*|Users\/\w+)\/[\w.]/, /\.\.\/shared\b/],
      'write it relative to the repository root, or as a placeholder',
    ),
    bad: [
      { path: 'one.md', text: `see ${'/home'}/alice/muster\n` },
      { path: 'two.ts', text: `const folder = '${'/ro'}ot/.cache/x'\n` },
      { path: 'three.md', text: `see ..${'/shared'}/contract\n` },
    ],
    good: [
      { path: 'four.md', text: 'the API at https://example.com/work/items, the package at server/work/x\n' },
    ],
    exceptions: {},
  },
]

testRules(rules)

test('detects repeated file names', () => {
  expect(
    repeatedNames([
      'server/src/kernel/lib/secrets/id.ts',
      'contract/src/id.ts',
      'contract/README.md',
      'README.md',
    ]),
  ).toEqual(['id.ts: server/src/kernel/lib/secrets/id.ts, contract/src/id.ts'])
})

test('file names are unique in the repository', () => {
  expect(repeatedNames(repositoryPaths())).toEqual([])
})

/** Maximum number of source files in a folder, without subfolders, tests and data. */
const folderMaximum = 25

/** Returns the folders of product code with too many source files. */
function fullFoldersOf(paths: readonly string[]): string[] {
  const sources = paths.filter((path) => /^(?:server|agent|console|contract|sdk)\/.*\.tsx?$/.test(path))
  const byFolder = Map.groupBy(
    sources.filter((path) => !isTest(path)),
    (path) => posix.dirname(path),
  )
  return [...byFolder]
    .filter(([, files]) => files.length > folderMaximum)
    .map(([folder, files]) => `${folder}: ${files.length} files`)
}

test('detects a folder with too many source files', () => {
  const paths = Array.from({ length: folderMaximum + 1 }, (_, index) => `server/src/a/b${index}.ts`)
  expect(fullFoldersOf(paths)).toEqual(['server/src/a: 26 files'])
  expect(fullFoldersOf(paths.slice(1))).toEqual([])
})

test(`no folder has more than ${folderMaximum} source files`, () => {
  expect(fullFoldersOf(repositoryPaths())).toEqual([])
})
