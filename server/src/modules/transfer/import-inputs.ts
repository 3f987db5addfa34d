import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CollectionName } from '@muster/contract/api'
import { isResource, resourceNames } from './resources.ts'

/** A file to import. */
export interface ImportInput {
  readonly path: string
  /** What its lines are; undefined if each line says so itself. */
  readonly resource: CollectionName | undefined
}

/** The files that paths stand for, those that others refer to first; or what is wrong with the paths. */
export interface ImportInputs {
  readonly inputs: readonly ImportInput[]
  /** Files of a directory that are left out, and why. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
  readonly mistakes: readonly string[]
}

/**
 * Finds the files: a directory stands for those in it that are named after a resource, `-` for standard input.
 *
 * @param skip resources of which the files of directories are left out
 */
export function findInputs(paths: readonly string[], skip: ReadonlySet<CollectionName>): ImportInputs {
  const inputs: ImportInput[] = []
  const leftOut: { path: string; reason: string }[] = []
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
          leftOut.push({ path: file.path, reason: 'it is not named after a resource' })
        else if (skip.has(file.resource)) leftOut.push({ path: file.path, reason: `--skip ${file.resource}` })
        else if (statSync(file.path, { throwIfNoEntry: false })?.isFile()) inputs.push(file)
        else mistakes.push(`${file.path} is not a file.`)
      }
      if (files.every(({ resource }) => resource === undefined))
        mistakes.push(
          `${path} holds no file named after a resource: ${resourceNames.join(', ')} with .jsonl or .jsonl.gz behind it.`,
        )
    } else mistakes.push(`${path} is not a file or a directory.`)
  }
  return { inputs: inDependencyOrder(inputs), leftOut, mistakes }
}

/** `employees.jsonl` and `employees.jsonl.gz` → `employees`. */
function resourceOf(path: string): CollectionName | undefined {
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  return name !== basename(path) && isResource(name) ? name : undefined
}

/** Files whose lines name their resources themselves come last, in the order given. */
const inDependencyOrder = (inputs: readonly ImportInput[]): ImportInput[] => {
  const place = ({ resource }: ImportInput) =>
    resource === undefined ? resourceNames.length : resourceNames.indexOf(resource)
  return [...inputs].sort((one, other) => place(one) - place(other))
}
