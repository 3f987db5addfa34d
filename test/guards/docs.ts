import { posix } from 'node:path'
import { existsInRepository, type RepositoryFile } from './repository.ts'

/** Folders whose paths are checked; other names are not considered paths. */
const roots = '(?:contract|server|bench|console|agent|sdk|e2e|docs|test|scripts|changes|\\.ci)'
const pathInBackticks = new RegExp(`\`(${roots}/[^\`\\s]*)\``, 'g')
const rooted = new RegExp(`^${roots}/`)
/** Files by their name or the end of their path, such as `kernel/query/plan.ts`. */
const sourceNameInBackticks = /`(\w[\w./-]*\.(?:ts|mts|mjs|md))`/g
const relativeLink = /\[[^\]]*\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g
const treeBlock = /^```tree\n([\s\S]*?)^```$/gm

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap((match) => match[1] ?? [])

/** Returns the repository paths in backticks; a path with a placeholder (`<x>`, `*`, `…`) is cut to its folder. */
export function namedPaths(text: string): string[] {
  return matches(text, pathInBackticks).map((path) => path.replace(/[^/]*[<*…{].*$/, ''))
}

/** Returns the paths of `tree` blocks: one name per line, two spaces of indentation per level, then a description. */
export function treePaths(text: string): string[] {
  return matches(text, treeBlock).flatMap((block) => {
    const folders: string[] = []
    return block.split('\n').flatMap((line) => {
      const [, indent = '', name] = /^( *)(\S+)/.exec(line) ?? []
      if (name === undefined) return []
      folders.length = indent.length / 2
      folders.push(name.replace(/\/$/, ''))
      return [folders.join('/')]
    })
  })
}

/** Returns the names in a document that do not exist. */
export function missingNames({ path, text }: RepositoryFile, paths: readonly string[]): string[] {
  const isFile = (name: string) => paths.some((each) => each === name || each.endsWith(`/${name}`))
  const links = matches(text, relativeLink).map((link) =>
    posix.join(posix.dirname(path), link.replace(/#.*$/, '')),
  )
  return [
    ...[...namedPaths(text), ...treePaths(text), ...links]
      .filter((named) => !existsInRepository(named))
      .map((named) => `names ${named}, which does not exist`),
    ...matches(text, sourceNameInBackticks)
      .filter((name) => !rooted.test(name) && !isFile(name))
      .map((name) => `names ${name}, but no file has this name`),
  ]
}
