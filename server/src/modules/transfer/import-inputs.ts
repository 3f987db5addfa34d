import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CollectionName } from '@muster/contract/api/api'
import { isResource, resourceNames } from './resources.ts'

/** File to import. */
export interface ImportInput {
  readonly path: string
  /** Resource of its lines; undefined if each line names its own. */
  readonly resource: CollectionName | undefined
}

/** Files to import, in dependency order, or the errors in the given paths. */
export interface ImportInputs {
  readonly inputs: readonly ImportInput[]
  /** Skipped files of a directory, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  readonly mistakes: readonly string[]
}

/**
 * Finds the files to import. A directory means its files that are named after a resource, `-` means standard input.
 *
 * @param skip resources whose files in directories are skipped
 */
export function findInputs(paths: readonly string[], skip: ReadonlySet<CollectionName>): ImportInputs {
  const inputs: ImportInput[] = []
  const skipped: { path: string; reason: string }[] = []
  const mistakes: string[] = []
  for (const path of paths) {
    const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
    if (path === '-' || stats?.isFile()) inputs.push({ path, resource: resourceOf(path) })
    else if (stats?.isDirectory()) {
      const files = readdirSync(path)
        .sort()
        .map((name) => ({ path: join(path, name), resource: resourceOf(name) }))
      for (const file of files) {
        if (file.resource === undefined)
          skipped.push({ path: file.path, reason: 'it is not named after a resource' })
        else if (skip.has(file.resource)) skipped.push({ path: file.path, reason: `--skip ${file.resource}` })
        else if (statSync(file.path, { throwIfNoEntry: false })?.isFile()) inputs.push(file)
        else mistakes.push(`${file.path} is not a file.`)
      }
      if (files.every(({ resource }) => resource === undefined))
        mistakes.push(
          `${path} contains no file named after a resource: ${resourceNames.join(', ')}, followed by .jsonl or .jsonl.gz.`,
        )
    } else mistakes.push(`${path} is neither a file nor a directory.`)
  }
  return { inputs: inDependencyOrder(inputs), skipped, mistakes }
}

/** `employees.jsonl` and `employees.jsonl.gz` → `employees`. */
function resourceOf(path: string): CollectionName | undefined {
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  return name !== basename(path) && isResource(name) ? name : undefined
}

/** Files whose lines name their own resource come last, in the given order. */
const inDependencyOrder = (inputs: readonly ImportInput[]): ImportInput[] => {
  const rank = ({ resource }: ImportInput) =>
    resource === undefined ? resourceNames.length : resourceNames.indexOf(resource)
  return [...inputs].sort((one, other) => rank(one) - rank(other))
}
