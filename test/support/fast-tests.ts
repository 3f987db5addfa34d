import { globSync, readFileSync } from 'node:fs'

/** Support modules that start other programs or servers. */
const slowSupport = [
  'block-process',
  'command-line',
  'database',
  'dns-server',
  'identity-provider',
  'muster-process',
  'pgbouncer',
  'private-server',
  'relay',
  'rsyslog',
  'services',
  'small-disk',
  'unreliable-proxy',
]

const importsSlowSupport = new RegExp(`/support/(?:${slowSupport.join('|')})\\.ts'`)
const startsProgram = /from 'node:child_process'|inject\('(?:postgresUrl|redisUrl)'\)/

/**
 * Returns the test files of `npm run test:fast`, relative to the repository: unit tests, and tests through HTTP on the
 * embedded store, that start no other program.
 */
export function fastTests(): string[] {
  return globSync('{contract,server,bench,scripts,agent,console,sdk}/**/*.test.{ts,tsx}', {
    exclude: ['**/node_modules/**'],
  }).filter((file) => {
    const source = readFileSync(file, 'utf8')
    return !importsSlowSupport.test(source) && !startsProgram.test(source)
  })
}
