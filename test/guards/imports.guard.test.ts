import { importsOf, resolveImport } from './imports.ts'
import { type FileRule, isTest, type RepositoryFile } from './repository.ts'
import { testRules } from './rule-tests.ts'

/** Folders of the kernel, with the other kernel folders that each may import. */
const kernelLayers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  config: ['lib'],
  store: ['lib'],
  query: ['lib', 'store'],
  events: ['lib', 'store'],
  jobs: ['lib', 'store'],
  http: ['lib'],
  organizations: ['lib', 'store', 'events'],
  actions: ['lib', 'store', 'query', 'events', 'http'],
  cli: ['lib', 'config', 'store', 'events', 'http', 'organizations', 'actions'],
}

/** Returns the place of a file in the server: `kernel/store`, `modules/apps`, `main`; empty for other files. */
function placeOf(path: string): string {
  const [, area = '', folder = ''] = /^server\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  return area === 'main' ? area : [area, folder].filter(Boolean).join('/')
}

/** Returns why a file may not import another file of the server; false if it may. */
function importFault(path: string, target: string): string | false {
  const [from, to] = [placeOf(path), placeOf(target)]
  if (to === '' || from === to || from === 'main') return false
  const [area, folder = ''] = from.split('/')
  const [otherArea, otherFolder = ''] = to.split('/')
  if (area === 'kernel') {
    const allowed = kernelLayers[folder] ?? []
    if (otherArea === 'kernel' && allowed.includes(otherFolder)) return false
    return `${from} may import only ${[...allowed, 'itself'].join(', ')}`
  }
  if (otherArea === 'kernel') return false
  if (otherArea === 'main') return 'only main/ may import main/'
  return /\.(?:store|routes|command)\.ts$/.test(target)
    ? 'a module may import services and rules of another module, not its store, routes or commands'
    : false
}

/** Modules that the reader thread behind `Db.slow` loads. */
const readerThread = [
  'server/src/kernel/store/sqlite/sqlite-reader-worker.ts',
  'server/src/kernel/store/sqlite/sqlite-connection.ts',
  'server/src/kernel/store/sqlite/sqlite-errors.ts',
  'server/src/kernel/store/sqlite/sqlite-numbers.ts',
  'server/src/kernel/store/sqlite/sqlite-cache-version.ts',
  'server/src/kernel/store/sql.ts',
  'server/src/kernel/store/subscription-changes.ts',
  'server/src/kernel/store/lifecycle/writer-note.ts',
]

const drivers = [
  'node:sqlite',
  'server/vendor/postgres/src/index.js',
  'postgres',
  'pg',
  'better-sqlite3',
  'kysely',
]

const isServerSource = (path: string) =>
  path.startsWith('server/src/') && path.endsWith('.ts') && !isTest(path)
const isContractSource = (path: string) =>
  path.startsWith('contract/src/') && path.endsWith('.ts') && !isTest(path)
const isSdkSource = (path: string) => path.startsWith('sdk/src/') && path.endsWith('.ts') && !isTest(path)
const isPure = (path: string) =>
  isServerSource(path) &&
  (path.endsWith('.rules.ts') || /\/(?:findings\/types|detections\/sources)\//.test(path))

/** Creates a rule from a check of single imports, which returns a phrase for a violation. */
function checkImports(check: (path: string, target: string) => string | false): FileRule['violations'] {
  return ({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      const phrase = check(path, resolveImport(path, specifier))
      return phrase ? [`imports ${specifier}: ${phrase}`] : []
    })
}

const sample = (path: string, ...targets: string[]): RepositoryFile => ({
  path,
  text: targets.map((target) => `import { x } from '${target}'\n`).join(''),
})

const rules: FileRule[] = [
  {
    guarantee: 'imports inside the server point one way: kernel, modules, main',
    applies: isServerSource,
    violations: (file) => {
      const [area, folder = ''] = placeOf(file.path).split('/')
      const isKnown = area === 'main' || area === 'modules' || (area === 'kernel' && folder in kernelLayers)
      if (!isKnown) return [`is in no known folder of the server: add ${area}/${folder} to this guard`]
      return checkImports(importFault)(file)
    },
    bad: [
      sample('server/src/kernel/lib/clock.ts', '../store/records.ts'),
      sample('server/src/kernel/store/records.ts', '../../modules/apps/apps.rules.ts'),
      sample('server/src/kernel/http/validate.ts', '../store/records.ts'),
      sample('server/src/modules/apps/apps.routes.ts', '../../main/app.ts'),
      sample('server/src/modules/apps/apps.routes.ts', '../webhooks/purge-deliveries.store.ts'),
      sample('server/src/modules/apps/apps.routes.ts', '../webhooks/webhooks.routes.ts'),
      sample('server/src/helpers/things.ts'),
      {
        path: 'server/src/kernel/lib/a.ts',
        text: `import {\n  type One,\n  two,\n} from '../store/records.ts'\n`,
      },
      { path: 'server/src/kernel/lib/b.ts', text: `export type { One } from '../store/records.ts'\n` },
      { path: 'server/src/kernel/lib/c.ts', text: `const late = await import('../store/records.ts')\n` },
      { path: 'server/src/kernel/lib/d.ts', text: `import '../store/records.ts'\n` },
    ],
    good: [
      sample(
        'server/src/kernel/store/records.ts',
        '../lib/clock.ts',
        '@muster/contract/records/app',
        'node:sqlite',
      ),
      sample('server/src/modules/apps/apps.routes.ts', './apps.store.ts', '../../kernel/store/records.ts'),
      sample('server/src/modules/apps/apps.routes.ts', '../findings/findings.service.ts'),
      sample('server/src/main/app.ts', '../modules/apps/apps.routes.ts', './server.ts'),
      { path: 'server/src/kernel/lib/e.ts', text: `// It was taken from '../store/records.ts'.\n` },
    ],
    exceptions: {
      'server/src/kernel/store/records.ts': 'writes the events of a change in its transaction',
      'server/src/kernel/store/lifecycle/open.ts': 'adds events and audit trail to the store',
      'server/src/kernel/store/sql.ts': 'names the predicates of a dialect and the unit of work',
      'server/src/kernel/store/extension-names.ts': 'writes predicates',
      'server/src/kernel/store/sqlite/sqlite-substrings.ts': 'writes predicates',
      'server/src/kernel/store/postgres/postgres-dialect.ts': 'writes predicates',
      'server/src/modules/demo/demo.command.ts': 'starts the server for the demo',
      'server/src/modules/demo/demo-service.ts': 'runs the server for the demo',
    },
  },
  {
    guarantee: 'the reader thread of the SQLite store loads no schemas, which would cost 16 MiB',
    applies: (path) => readerThread.includes(path),
    violations: ({ path, text }) =>
      checkImports(
        (_, target) =>
          !target.startsWith('node:') &&
          !readerThread.includes(target) &&
          'the reader thread would load it, too',
      )({ path, text: text.replaceAll(/^import type [^'"]*/gm, '') }),
    bad: [
      sample('server/src/kernel/store/sqlite/sqlite-reader-worker.ts', './sqlite.ts'),
      sample('server/src/kernel/store/sql.ts', '@muster/contract/api/errors'),
    ],
    good: [
      sample(
        'server/src/kernel/store/sqlite/sqlite-reader-worker.ts',
        './sqlite-connection.ts',
        'node:worker_threads',
      ),
      {
        path: 'server/src/kernel/store/sql.ts',
        text: `import type { Scan } from './predicates.ts'\nimport type {\n  One,\n} from './records.ts'\n`,
      },
    ],
    exceptions: {},
  },
  {
    guarantee: 'lib/ is independent of Muster',
    applies: (path) => isServerSource(path) && placeOf(path) === 'kernel/lib',
    violations: checkImports(
      (_, target) =>
        target.startsWith('contract/') && 'code that uses the contract belongs in another folder',
    ),
    bad: [sample('server/src/kernel/lib/secrets/id.ts', '@muster/contract/api/errors')],
    good: [sample('server/src/kernel/lib/secrets/id.ts', 'node:crypto', './clock.ts')],
    exceptions: {},
  },
  {
    guarantee: 'rules, findings and detections are pure: they import only contract types, lib and each other',
    applies: isPure,
    violations: checkImports((_, target) => {
      const ours = target.startsWith('contract/') || placeOf(target) === 'kernel/lib' || isPure(target)
      return !ours && 'a rule takes facts as arguments and imports nothing with side effects'
    }),
    bad: [
      sample('server/src/modules/apps/apps.rules.ts', '../../kernel/store/records.ts'),
      sample('server/src/modules/apps/apps.rules.ts', 'node:fs'),
      sample('server/src/modules/findings/types/weak-password.ts', 'fastify'),
      sample('server/src/modules/detections/sources/phishing.ts', '../../apps/apps.routes.ts'),
    ],
    good: [
      sample(
        'server/src/modules/apps/apps.rules.ts',
        '@muster/contract/records/app',
        '../../kernel/lib/clock.ts',
      ),
    ],
    exceptions: {},
  },
  {
    guarantee: 'only kernel/store/ and the backup import a database driver',
    applies: (path) =>
      (path.startsWith('server/src/') && !['kernel/store', 'modules/backup'].includes(placeOf(path))) ||
      isContractSource(path),
    violations: checkImports(
      (_, target) => drivers.includes(target) && 'SQL belongs in server/src/kernel/store',
    ),
    bad: [
      sample('server/src/modules/apps/apps.routes.ts', 'node:sqlite'),
      sample('server/src/modules/doctor/doctor.command.ts', 'postgres'),
      sample('server/src/modules/doctor/doctor.command.ts', '../../../vendor/postgres/src/index.js'),
    ],
    good: [
      sample('server/src/kernel/store/lifecycle/open.ts', 'node:sqlite', 'postgres'),
      sample('server/src/modules/doctor/doctor.ts', '../../kernel/store/postgres/postgres.ts'),
    ],
    exceptions: {
      'server/src/kernel/http/write-failures.test.ts': 'makes a database read-only',
    },
  },
  {
    guarantee: 'only config.ts reads the environment',
    applies: (path) =>
      (isServerSource(path) || isContractSource(path)) && path !== 'server/src/kernel/config/config.ts',
    violations: ({ text }) =>
      /\bprocess\s*\.\s*env\b|\bprocess\s*\[\s*['"]env|\{[^}]*\benv\b[^}]*\}\s*(?:=\s*process\b|from\s*'node:process')/.test(
        text,
      )
        ? [
            'reads process.env: take the setting as an argument, read it in server/src/kernel/config/config.ts',
          ]
        : [],
    bad: [
      { path: 'server/src/main/app.ts', text: `const port = process.env.PORT\n` },
      { path: 'server/src/kernel/lib/a.ts', text: `const { env } = process\n` },
      { path: 'server/src/kernel/lib/b.ts', text: `import { env } from 'node:process'\n` },
    ],
    good: [
      { path: 'server/src/kernel/config/config.ts', text: `const { env } = process\n` },
      { path: 'server/src/main/app.ts', text: `const { pid } = process\n` },
    ],
    exceptions: {},
  },
  {
    guarantee: 'the contract is data: it imports only TypeBox, the public suffix list and itself',
    applies: isContractSource,
    violations: checkImports(
      (_, target) =>
        !target.startsWith('contract/src/') &&
        !/^(?:typebox(?:\/|$)|tldts$)/.test(target) &&
        'the contract does no I/O and depends on no other part',
    ),
    bad: [
      sample('contract/src/records/app.ts', 'node:fs'),
      sample('contract/src/records/app.ts', 'fastify'),
      sample('contract/src/records/app.ts', '../../server/src/kernel/lib/clock.ts'),
    ],
    good: [
      sample('contract/src/records/app.ts', 'typebox', 'tldts', './fields.ts', '@muster/contract/api/errors'),
    ],
    exceptions: {
      'contract/src/catalog/products.ts': 'reads its data file; the agent is built with the data (ADR 0037)',
      'contract/src/password-facts/password-facts.ts':
        'reads its data files; the agent is built with the data (ADR 0042)',
    },
  },
  {
    guarantee: 'the SDK needs only fetch and WebCrypto: it imports only the contract and itself',
    applies: isSdkSource,
    violations: checkImports(
      (_, target) =>
        !/^(?:contract|sdk)\/src\//.test(target) &&
        'the SDK has no other dependencies and does not require Node',
    ),
    bad: [
      sample('sdk/src/send.ts', 'node:crypto'),
      sample('sdk/src/send.ts', 'undici'),
      sample('sdk/src/send.ts', '../../server/src/kernel/lib/backoff.ts'),
    ],
    good: [sample('sdk/src/send.ts', './wait.ts', '@muster/contract/api/api')],
    exceptions: {},
  },
  {
    guarantee: 'property tests use a fixed seed',
    applies: (path) =>
      isTest(path) || (path.startsWith('test/support/') && path !== 'test/support/fast-check.ts'),
    violations: checkImports(
      (_, target) => target === 'fast-check' && 'take it from test/support/fast-check.ts, which seeds it',
    ),
    bad: [
      sample('server/src/kernel/lib/secrets/id.test.ts', 'fast-check'),
      sample('test/support/random-records.ts', 'fast-check'),
    ],
    good: [sample('server/src/kernel/lib/secrets/id.test.ts', '../../../test/support/fast-check.ts')],
    exceptions: {},
  },
]

testRules(rules)
