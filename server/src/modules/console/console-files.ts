import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file of the page, as it was built. */
export interface ConsoleFile {
  readonly type: string
  readonly identity: Buffer
  /** The same, compressed. */
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
  /** Its name changes with its content: it can be kept for ever. */
  readonly immutable: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The built page, in memory, by path within its folder. It is read again when it was built anew.
 *
 * @returns a reader; it gives undefined where the page was not built
 */
export function consoleFiles(folder: string): () => ReadonlyMap<string, ConsoleFile> | undefined {
  let read: { readonly builtMs: number; readonly files: ReadonlyMap<string, ConsoleFile> } | undefined
  return () => {
    const builtMs = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
    if (builtMs === undefined) return undefined
    if (read?.builtMs !== builtMs) read = { builtMs, files: readFiles(folder) }
    return read.files
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
