// Compares the fork of the PostgreSQL driver in server/vendor/postgres with the upstream release in node_modules.
//
//   node scripts/vendored-driver.ts            fails unless the fork is the release with upstream.patch applied
//   node scripts/vendored-driver.ts --write    writes the difference to upstream.patch
//   node scripts/vendored-driver.ts --update   replaces the fork by the release with upstream.patch applied
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const upstream = join(root, 'node_modules', 'postgres')
const fork = join(root, 'server', 'vendor', 'postgres')
const patch = join(fork, 'upstream.patch')

/** Returns the names of the fork's files that are not the release with the patch applied. */
export function unexplainedFiles(): string[] {
  return inTemporaryFolder((folder) => {
    copyRelease(join(folder, 'src'))
    git(folder, ['apply', '--whitespace=nowarn', patch])
    return differingFiles(join(folder, 'src'), join(fork, 'src'))
  })
}

function differingFiles(one: string, other: string): string[] {
  const names = new Set([...readdirSync(one), ...readdirSync(other)])
  const read = (folder: string, name: string) =>
    readdirSync(folder).includes(name) ? readFileSync(join(folder, name), 'utf8') : undefined
  return [...names].filter((name) => read(one, name) !== read(other, name)).sort()
}

/** Copies the files of the release, arranged as in the fork. */
function copyRelease(folder: string): void {
  cpSync(join(upstream, 'src'), folder, { recursive: true })
  cpSync(join(upstream, 'types', 'index.d.ts'), join(folder, 'index.d.ts'))
}

function writePatch(): void {
  inTemporaryFolder((folder) => {
    copyRelease(join(folder, 'a', 'src'))
    cpSync(join(fork, 'src'), join(folder, 'b', 'src'), { recursive: true })
    writeFileSync(patch, git(folder, ['diff', '--no-index', '--no-prefix', '--no-color', 'a', 'b'], 1))
  })
}

function updateFork(): void {
  rmSync(join(fork, 'src'), { recursive: true })
  mkdirSync(join(fork, 'src'))
  copyRelease(join(fork, 'src'))
  git(root, ['apply', '--reject', '--directory=server/vendor/postgres', patch])
}

function inTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'muster-driver-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs git without the settings of the user. Returns its output. */
function git(folder: string, args: readonly string[], allowedStatus = 0): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' })
  if (error) throw error
  if (status === null || status > allowedStatus) throw new Error(`git ${args[0]} failed: ${stderr}`)
  return stdout
}

if (import.meta.main) {
  if (process.argv.includes('--update')) updateFork()
  else if (process.argv.includes('--write')) writePatch()
  const files = unexplainedFiles()
  if (files.length > 0) {
    console.error(`Not the release with upstream.patch applied: ${files.join(', ')}`)
    process.exitCode = 1
  }
}
