import { posix } from 'node:path'
import { existsInRepository, type RepositoryFile } from './repository.ts'

/** The folders whose paths the documents name; a name that starts with none of them is not taken for a path. */
const roots = '(?:contract|server|bench|console|agent|sdk|e2e|docs|test|scripts|changes|\\.ci)'
const pathInBackticks = new RegExp(`\`(${roots}/[^\`\\s]*)\``, 'g')
const sourceNameInBackticks = /`(\w[\w.-]*\.(?:ts|mts|mjs|md))`/g
const relativeLink = /\[[^\]]*\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g
const treeBlock = /^```tree\n([\s\S]*?)^```$/gm

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap((match) => match[1] ?? [])

/** The repository paths that a document names in backticks; a placeholder (`<x>`, `*`, `…`) cuts one to its folder. */
export function namedPaths(text: string): string[] {
  return matches(text, pathInBackticks).map((path) => path.replace(/[^/]*[<*…{].*$/, ''))
}

/** The paths of a `tree` block: one name per line, two spaces of indent per level, then what it holds. */
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

/** What a document names that is not there. */
export function missingNames({ path, text }: RepositoryFile, paths: readonly string[]): string[] {
  const names = new Set(paths.map((each) => posix.basename(each)))
  const links = matches(text, relativeLink).map((link) =>
    posix.join(posix.dirname(path), link.replace(/#.*$/, '')),
  )
  return [
    ...[...namedPaths(text), ...treePaths(text), ...links]
      .filter((named) => !existsInRepository(named))
      .map((named) => `names ${named}, which does not exist`),
    ...matches(text, sourceNameInBackticks)
      .filter((name) => !names.has(name))
      .map((name) => `names ${name}, and no file is called so`),
  ]
}
