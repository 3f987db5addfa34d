import { importsOf, resolveImport } from './imports.ts'
import { type FileRule, isTest, type RepositoryFile } from './repository.ts'
import { testRules } from './rule-tests.ts'

/**
 * The parts of server/src and what of ours each may import besides itself; the contract is open to all but lib/.
 * A new folder has to be entered here.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  storage: ['lib'],
  findings: ['lib'],
  detections: ['lib'],
  simulate: ['lib'],
  http: ['lib'],
  events: ['lib', 'storage', 'http'],
  features: ['lib', 'storage', 'http', 'events', 'findings', 'detections'],
  ingest: ['lib', 'storage', 'http', 'events', 'features', 'findings', 'detections'],
  console: ['lib', 'storage', 'http', 'events', 'features', 'ingest'],
  transfer: ['lib', 'storage', 'http', 'features'],
  'config.ts': ['lib'],
  'app.ts': [
    'lib',
    'storage',
    'http',
    'features',
    'ingest',
    'console',
    'events',
    'findings',
    'detections',
    'config.ts',
  ],
  cli: [
    'lib',
    'storage',
    'http',
    'features',
    'ingest',
    'console',
    'events',
    'findings',
    'detections',
    'simulate',
    'transfer',
    'config.ts',
    'app.ts',
  ],
  'main.ts': ['lib', 'cli', 'config.ts'],
}

/** What the thread behind `Db.slow` loads. */
const readerThread = [
  'server/src/storage/dialect/sqlite-thread.ts',
  'server/src/storage/dialect/sqlite-connection.ts',
  'server/src/storage/dialect/sqlite-errors.ts',
  'server/src/storage/dialect/sqlite-numbers.ts',
  'server/src/storage/dialect/sqlite-watch.ts',
  'server/src/storage/sql.ts',
  'server/src/storage/writer-note.ts',
]

const drivers = ['node:sqlite', 'postgres', 'pg', 'better-sqlite3', 'kysely']

const isServerSource = (path: string) =>
  path.startsWith('server/src/') && path.endsWith('.ts') && !isTest(path)
const isContractSource = (path: string) =>
  path.startsWith('contract/src/') && path.endsWith('.ts') && !isTest(path)
/** The configuration is more than one file (config.ts reads, config-settings.ts is the table), and one part. */
const layerOf = (path: string) =>
  (/^server\/src\/([^/]+)/.exec(path)?.[1] ?? '').replace(/^config-[\w-]+\.ts$/, 'config.ts')
const isSdkSource = (path: string) => path.startsWith('sdk/src/') && path.endsWith('.ts') && !isTest(path)
const isPure = (path: string) =>
  isServerSource(path) && (path.endsWith('.rules.ts') || /\/src\/(?:findings|detections)\//.test(path))

/** Makes a rule's offences out of a judgement on each import: a phrase when it is wrong. */
function judgeImports(judge: (path: string, target: string) => string | false): FileRule['offences'] {
  return ({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      const phrase = judge(path, resolveImport(path, specifier))
      return phrase ? [`imports ${specifier}: ${phrase}`] : []
    })
}

const sample = (path: string, ...targets: string[]): RepositoryFile => ({
  path,
  text: targets.map((target) => `import { x } from '${target}'\n`).join(''),
})

const rules: FileRule[] = [
  {
    guarantee: 'imports inside the server point one way',
    applies: isServerSource,
    offences: (file) => {
      const layer = layerOf(file.path)
      const allowed = layers[layer]
      if (!allowed) return [`is in no known part of the server: enter ${layer} in the layers of this guard`]
      return judgeImports((_, target) => {
        const other = layerOf(target)
        if (other === '' || other === layer || allowed.includes(other)) return false
        return `${layer} may import only ${[...allowed, 'itself'].join(', ')}`
      })(file)
    },
    bad: [
      sample('server/src/lib/clock.ts', '../storage/records.ts'),
      sample('server/src/storage/records.ts', '../features/apps/apps.rules.ts'),
      sample('server/src/http/validate.ts', '../storage/records.ts'),
      sample('server/src/http/bind.ts', '../features/apps/apps.routes.ts'),
      sample('server/src/features/apps/apps.routes.ts', '../../app.ts'),
      sample('server/src/events/outbox.ts', '../features/apps/apps.routes.ts'),
      sample('server/src/app.ts', './cli/serve.ts'),
      sample('server/src/helpers/things.ts'),
      {
        path: 'server/src/lib/a.ts',
        text: `import {\n  type One,\n  two,\n} from '../storage/records.ts'\n`,
      },
      { path: 'server/src/lib/b.ts', text: `export type { One } from '../storage/records.ts'\n` },
      { path: 'server/src/lib/c.ts', text: `const late = await import('../storage/records.ts')\n` },
      { path: 'server/src/lib/d.ts', text: `import '../storage/records.ts'\n` },
    ],
    good: [
      sample('server/src/storage/records.ts', '../lib/clock.ts', '@muster/contract/app', 'node:sqlite'),
      sample('server/src/features/apps/apps.routes.ts', './apps.rules.ts', '../../storage/records.ts'),
      { path: 'server/src/lib/e.ts', text: `// It was taken from '../storage/records.ts'.\n` },
    ],
    exceptions: {},
  },
  {
    guarantee: 'the thread that reads the embedded store loads no schema, which would take it 16 MiB',
    applies: (path) => readerThread.includes(path),
    offences: ({ path, text }) =>
      judgeImports(
        (_, target) =>
          !target.startsWith('node:') && !readerThread.includes(target) && 'the thread would load it, too',
      )({ path, text: text.replaceAll(/^import type [^'"]*/gm, '') }),
    bad: [
      sample('server/src/storage/dialect/sqlite-thread.ts', './sqlite.ts'),
      sample('server/src/storage/sql.ts', '@muster/contract/errors'),
    ],
    good: [
      sample('server/src/storage/dialect/sqlite-thread.ts', './sqlite-connection.ts', 'node:worker_threads'),
      {
        path: 'server/src/storage/sql.ts',
        text: `import type { Lead } from './predicates.ts'\nimport type {\n  One,\n} from './records.ts'\n`,
      },
    ],
    exceptions: {},
  },
  {
    guarantee: 'lib/ knows nothing of us',
    applies: (path) => isServerSource(path) && layerOf(path) === 'lib',
    offences: judgeImports(
      (_, target) => target.startsWith('contract/') && 'what knows the contract belongs in another folder',
    ),
    bad: [sample('server/src/lib/id.ts', '@muster/contract/errors')],
    good: [sample('server/src/lib/id.ts', 'node:crypto', './clock.ts')],
    exceptions: {},
  },
  {
    guarantee: 'rules, findings and detections are pure: they import only contract types, lib and each other',
    applies: isPure,
    offences: judgeImports((_, target) => {
      const ours = target.startsWith('contract/') || layerOf(target) === 'lib' || isPure(target)
      return !ours && 'a decision takes facts as arguments and imports nothing that acts'
    }),
    bad: [
      sample('server/src/features/apps/apps.rules.ts', '../../storage/records.ts'),
      sample('server/src/features/apps/apps.rules.ts', 'node:fs'),
      sample('server/src/findings/weak-password.ts', 'fastify'),
      sample('server/src/detections/phishing.ts', '../features/apps/apps.routes.ts'),
    ],
    good: [sample('server/src/features/apps/apps.rules.ts', '@muster/contract/app', '../../lib/clock.ts')],
    exceptions: {},
  },
  {
    guarantee: 'only storage/ imports a database driver',
    applies: (path) =>
      (isServerSource(path) && layerOf(path) !== 'storage') ||
      (path.startsWith('server/src/') && isTest(path) && layerOf(path) !== 'storage') ||
      isContractSource(path),
    offences: judgeImports((_, target) => drivers.includes(target) && 'SQL belongs in server/src/storage'),
    bad: [
      sample('server/src/features/apps/apps.routes.ts', 'node:sqlite'),
      sample('server/src/cli/backup.ts', 'postgres'),
    ],
    good: [
      sample('server/src/storage/open.ts', 'node:sqlite', 'postgres'),
      sample('server/src/cli/doctor.ts', '../storage/postgres.ts'),
    ],
    exceptions: {},
  },
  {
    guarantee: 'only config.ts reads the environment',
    applies: (path) => (isServerSource(path) || isContractSource(path)) && path !== 'server/src/config.ts',
    offences: ({ text }) =>
      /\bprocess\s*\.\s*env\b|\bprocess\s*\[\s*['"]env|\{[^}]*\benv\b[^}]*\}\s*(?:=\s*process\b|from\s*'node:process')/.test(
        text,
      )
        ? ['reads process.env: take the setting as an argument, read it in server/src/config.ts']
        : [],
    bad: [
      { path: 'server/src/app.ts', text: `const port = process.env.PORT\n` },
      { path: 'server/src/lib/a.ts', text: `const { env } = process\n` },
      { path: 'server/src/lib/b.ts', text: `import { env } from 'node:process'\n` },
    ],
    good: [
      { path: 'server/src/config.ts', text: `const { env } = process\n` },
      { path: 'server/src/app.ts', text: `const { pid } = process\n` },
    ],
    exceptions: {},
  },
  {
    guarantee: 'the contract is data: it imports only TypeBox, the public suffix list and itself',
    applies: isContractSource,
    offences: judgeImports(
      (_, target) =>
        !target.startsWith('contract/src/') &&
        !/^(?:typebox(?:\/|$)|tldts$)/.test(target) &&
        'the contract does no I/O and knows no other part',
    ),
    bad: [
      sample('contract/src/app.ts', 'node:fs'),
      sample('contract/src/app.ts', 'fastify'),
      sample('contract/src/app.ts', '../../server/src/lib/clock.ts'),
    ],
    good: [sample('contract/src/app.ts', 'typebox', 'tldts', './fields.ts', '@muster/contract/errors')],
    exceptions: {
      'contract/src/catalogue/products.ts':
        'reads its data file; the agent is built with the data (ADR 0037)',
      'contract/src/password-facts/password-facts.ts':
        'reads its data files; the agent is built with the data (ADR 0042)',
    },
  },
  {
    guarantee: 'the SDK runs wherever there are fetch and WebCrypto: it imports only the contract and itself',
    applies: isSdkSource,
    offences: judgeImports(
      (_, target) =>
        !/^(?:contract|sdk)\/src\//.test(target) &&
        'users of the SDK get no other package, and not only on Node',
    ),
    bad: [
      sample('sdk/src/send.ts', 'node:crypto'),
      sample('sdk/src/send.ts', 'undici'),
      sample('sdk/src/send.ts', '../../server/src/lib/backoff.ts'),
    ],
    good: [sample('sdk/src/send.ts', './wait.ts', '@muster/contract/api')],
    exceptions: {},
  },
  {
    guarantee: 'properties are drawn by a seed that is known',
    applies: (path) =>
      isTest(path) || (path.startsWith('test/support/') && path !== 'test/support/fast-check.ts'),
    offences: judgeImports(
      (_, target) => target === 'fast-check' && 'take it from test/support/fast-check.ts, which seeds it',
    ),
    bad: [
      sample('server/src/lib/id.test.ts', 'fast-check'),
      sample('test/support/random-records.ts', 'fast-check'),
    ],
    good: [sample('server/src/lib/id.test.ts', '../../../test/support/fast-check.ts')],
    exceptions: {},
  },
]

testRules(rules)
