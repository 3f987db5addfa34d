import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository's folder. */
export const repositoryRoot = dirname(dirname(import.meta.dirname))

/** What is not part of the repository (see .gitignore), by path from its root; node_modules at any depth. */
const outside = new Set([
  '.git',
  '.cache',
  'data',
  'data-demo',
  'bench/.cache',
  'bench/results',
  'lab/.cache',
  'agent/dist',
  'agent/.wxt',
  'console/dist',
])

/** One file of the repository: its path from the root with forward slashes, and its text. */
export interface RepositoryFile {
  path: string
  text: string
}

/** A rule about single files. Each carries samples that prove that it sees what it is there to see. */
export interface FileRule {
  /** What holds, as a sentence. */
  guarantee: string
  applies: (path: string) => boolean
  /** What is wrong with the file, each as a phrase that says what would be right; empty when nothing is. */
  violations: (file: RepositoryFile) => string[]
  /** Files that break the rule. */
  bad: readonly RepositoryFile[]
  /** Files that look alike and keep it. */
  good: readonly RepositoryFile[]
  /** Paths that may break the rule for now, each with its reason. A path that keeps the rule must leave the list. */
  exceptions: Readonly<Record<string, string>>
}

/** Every path of the repository's files, sorted. */
export function repositoryPaths(folder = ''): string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true })
    .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    .filter(({ entry, path }) => entry.name !== 'node_modules' && !outside.has(path))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? repositoryPaths(path) : [path]))
    .sort()
}

/** The file at a path from the repository's root. */
export function readRepositoryFile(path: string): RepositoryFile {
  return { path, text: readFileSync(join(repositoryRoot, path), 'utf8') }
}

/** Whether a file or folder is at a path from the repository's root. */
export function existsInRepository(path: string): boolean {
  return existsSync(join(repositoryRoot, path))
}

/**
 * What breaks a rule in the repository, one line per violation: `path: phrase`.
 *
 * An exception that is no longer needed is an violation itself, so that the list only shrinks.
 */
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
      .map(
        (path) => `${path}: is an exception to "${rule.guarantee}" but keeps the rule: take it off the list`,
      ),
  ]
}

/** Whether a path is that of a test. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Whether a path is that of code we write: TypeScript, and the plain JavaScript of scripts/. */
export function isCode(path: string): boolean {
  return /\.(?:ts|tsx|mjs|mts)$/.test(path)
}
