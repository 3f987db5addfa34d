import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const noteWarnings = new URL('./note-warnings.mjs', import.meta.url)

/**
 * Options of Node by which a process and its threads note their warnings (`process.on('warning')`).
 *
 * @param owner ID of the test process that {@link takeWarnings} is called in; the process itself unless given
 */
export function warningOptions(owner?: number): string[] {
  const url = new URL(noteWarnings)
  url.searchParams.set('folder', tmpdir())
  if (owner !== undefined) url.searchParams.set('owner', String(owner))
  return ['--import', url.href]
}

/** Returns what was noted for this test process since the last call: each warning with its stack. */
export function takeWarnings(): string {
  const file = join(tmpdir(), `muster-warnings-${process.pid}`)
  if (!existsSync(file)) return ''
  const noted = readFileSync(file, 'utf8')
  rmSync(file)
  return noted
}

/**
 * Waits until warnings of the running tick are noted, then checks that there are none.
 *
 * @throws Error with each warning and its stack
 */
export async function checkNoWarnings(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  const warnings = takeWarnings()
  if (warnings !== '')
    throw new Error(`Process warnings fail the tests. Remove the cause of:\n${warnings.slice(0, 4000)}`)
}
