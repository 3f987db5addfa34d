import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

/** Built file of the page. */
export interface ConsoleFile {
  readonly type: string
  readonly identity: Buffer
  /** Content compressed with Brotli. */
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
  /** True if the name contains a content hash, so it can be cached permanently. */
  readonly immutable: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Loads the built page into memory, by path within its folder, and again after each build.
 *
 * @returns a function that returns undefined if the page has not been built
 */
export function consoleFiles(folder: string): () => ReadonlyMap<string, ConsoleFile> | undefined {
  let loaded: { readonly builtMs: number; readonly files: ReadonlyMap<string, ConsoleFile> } | undefined
  return () => {
    const builtMs = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (builtMs === undefined) return undefined
    if (loaded?.builtMs !== builtMs) loaded = { builtMs, files: readFiles(folder) }
    return loaded.files
  }
}

function readFiles(folder: string): Map<string, ConsoleFile> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const all = new Set(paths)
  const bytesOf = (path: string) => (all.has(path) ? readFileSync(join(folder, path)) : undefined)
  return new Map(
    paths.flatMap((path): [string, ConsoleFile][] => {
      const type = types[extname(path)]
      if (type === undefined) return []
      const identity = readFileSync(join(folder, path))
      const immutable = path.startsWith('assets/')
      return [[path, { type, identity, br: bytesOf(`${path}.br`), gzip: bytesOf(`${path}.gz`), immutable }]]
    }),
  )
}
