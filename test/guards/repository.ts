import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Root folder of the repository. */
export const repositoryRoot = dirname(dirname(import.meta.dirname))

/** Paths that rules do not apply to: those in .gitignore, in addition to node_modules at any depth, and code of others. */
const outside = new Set([
  '.git',
  '.cache',
  'data',
  'data-demo',
  'dist',
  'bench/.cache',
  'bench/results',
  'lab/.cache',
  'agent/dist',
  'agent/.wxt',
  'console/dist',
  'server/vendor',
])

/** File of the repository: its path from the root with forward slashes, and its text. */
export interface RepositoryFile {
  path: string
  text: string
}

/** Rule about single files, with samples that prove that violations are detected. */
export interface FileRule {
  /** Guarantee as a sentence. */
  guarantee: string
  applies: (path: string) => boolean
  /** Returns the violations of a file as phrases that say what to do. */
  violations: (file: RepositoryFile) => string[]
  /** Files that violate the rule. */
  bad: readonly RepositoryFile[]
  /** Similar files that comply. */
  good: readonly RepositoryFile[]
  /** Paths that may violate the rule, each with its reason. A path that complies must be removed. */
  exceptions: Readonly<Record<string, string>>
}

/** Returns every path of the repository's files, sorted. */
export function repositoryPaths(folder = ''): string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true })
    .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    .filter(({ entry, path }) => entry.name !== 'node_modules' && !outside.has(path))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? repositoryPaths(path) : [path]))
    .sort()
}

/** Reads the file at a path from the repository's root. */
export function readRepositoryFile(path: string): RepositoryFile {
  return { path, text: readFileSync(join(repositoryRoot, path), 'utf8') }
}

/** Returns true if a file or folder exists at a path from the repository's root. */
export function existsInRepository(path: string): boolean {
  return existsSync(join(repositoryRoot, path))
}

/** Returns the violations of a rule in the repository, as `path: phrase`, including unnecessary exceptions. */
export function findViolations(rule: FileRule, paths = repositoryPaths()): string[] {
  const violations = paths
    .filter(rule.applies)
    .flatMap((path) => rule.violations(readRepositoryFile(path)).map((phrase) => ({ path, phrase })))
  const offenders = new Set(violations.map(({ path }) => path))
  return [
    ...violations
      .filter(({ path }) => !(path in rule.exceptions))
      .map(({ path, phrase }) => `${path}: ${phrase}`),
    ...Object.keys(rule.exceptions)
      .filter((path) => !offenders.has(path))
      .map((path) => `${path}: is an exception to "${rule.guarantee}" but complies: remove it from the list`),
  ]
}

/** Returns true for the path of a test. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Returns true for the path of our own code: TypeScript, and the plain JavaScript of scripts/. */
export function isCode(path: string): boolean {
  return /\.(?:ts|tsx|mjs|mts)$/.test(path)
}
