import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * The environment of a thread that is to find what Node has compiled, as its process does: without it, each thread loads
 * what makes JavaScript of TypeScript and keeps it, which are 18 MB. Nothing else of the environment is of use to one.
 */
export function threadEnvironment(): Record<string, string> {
  // Node gives the folder of its own version within the one that it was told.
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Set by `muster.mjs` for a process that may replace itself. */
const mayReplace = 'MUSTER_REPLACE_WHEN_COLD'

/** Part of Node that makes JavaScript of TypeScript. Once loaded it stays in memory. */
const compilerOfTypeScript = 'NativeModule internal/deps/amaro/dist/index'

/**
 * Replaces the process of a server by one that finds all it runs in the compile cache, if a file was not there: after an
 * installation, or a change of the code. The next process does not do so again, as the cache may not be writable.
 *
 * @param environment environment of the process, from which the mark of `muster.mjs` is taken
 * @param load loads what only its threads run
 */
export async function replaceWhenCold(
  environment: Record<string, string | undefined>,
  load: () => Promise<unknown>,
  stopped: AbortSignal,
): Promise<void> {
  const may = environment[mayReplace]
  delete environment[mayReplace]
  if (may === undefined) return
  await load()
  // Node names the parts of it that are loaded, but its types do not.
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] }
  if (stopped.aborted || !moduleLoadList?.includes(compilerOfTypeScript)) return
  flushCompileCache()
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, environment)
}
