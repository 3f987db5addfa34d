import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Returns the environment for a worker thread, which only needs the compile cache of its process. Without the cache, each
 * thread loads the TypeScript compiler, which stays in memory (18 MB).
 */
export function threadEnvironment(): Record<string, string> {
  // Node returns the subfolder for its own version.
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Set by `muster.mjs` if the process may replace itself. */
const mayReplaceVariable = 'MUSTER_REPLACE_WHEN_COLD'

/** Node's TypeScript compiler. Once loaded, it stays in memory. */
const typeScriptCompiler = 'NativeModule internal/deps/amaro/dist/index'

/**
 * Replaces the server process if a file was missing in the compile cache, as after an installation or a code change. The new
 * process finds every file in the cache. It does not replace itself again, because the cache may not be writable.
 *
 * @param environment environment of the process; the variable set by `muster.mjs` is removed
 * @param load loads the modules that only worker threads run
 */
export async function replaceWhenCold(
  environment: Record<string, string | undefined>,
  load: () => Promise<unknown>,
  stopped: AbortSignal,
): Promise<void> {
  const mayReplaceItself = environment[mayReplaceVariable]
  delete environment[mayReplaceVariable]
  if (mayReplaceItself === undefined) return
  await load()
  // Missing in Node's types.
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] }
  if (stopped.aborted || !moduleLoadList?.includes(typeScriptCompiler)) return
  flushCompileCache()
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, environment)
}
