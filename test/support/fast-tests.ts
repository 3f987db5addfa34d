import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const startsProgram = /from 'node:child_process'|inject\('(?:postgresUrl|redisUrl)'\)|useHarness\('postgres'/

/** Support modules that start no other program, but are slow. */
const slowModules = ['block-process', 'dns-server', 'identity-provider']

/** Support modules that use `database` for PostgreSQL only. With the embedded store they start no other program. */
const embeddedToo = ['harness', 'webhook-world']

/** Returns the names of the support modules that a source imports from a folder, types excluded. */
const importsFrom = (folder: string, source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )[^';]*'([^']*)\/([\w-]+)\.ts'/gm)].flatMap(
    ([, from = '', name = '']) => (from.endsWith(folder) ? [name] : []),
  )

/** Returns the names of the support modules that are slow, start a program or import such a module, however indirectly. */
export function slowSupport(): ReadonlySet<string> {
  const modules = globSync('*.ts', { cwd: import.meta.dirname }).map((file) => ({
    name: file.slice(0, -'.ts'.length),
    source: readFileSync(join(import.meta.dirname, file), 'utf8'),
  }))
  const slow = new Set(slowModules)
  for (let known = -1; known < slow.size; ) {
    known = slow.size
    for (const { name, source } of modules) {
      const needed = importsFrom('.', source).filter(
        (used) => used !== 'database' || !embeddedToo.includes(name),
      )
      if (startsProgram.test(source) || needed.some((used) => slow.has(used))) slow.add(name)
    }
  }
  return slow
}

/**
 * Returns the test files of `npm run test:fast`, relative to the repository: unit tests, and tests through HTTP on the
 * embedded store, that start no other program.
 */
export function fastTests(): string[] {
  const slow = slowSupport()
  return globSync('{contract,server,bench,scripts,agent,console,sdk}/**/*.test.{ts,tsx}', {
    exclude: ['**/node_modules/**'],
  }).filter((file) => {
    const source = readFileSync(file, 'utf8')
    return !startsProgram.test(source) && !importsFrom('/support', source).some((used) => slow.has(used))
  })
}
