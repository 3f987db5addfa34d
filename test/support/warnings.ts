import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const noteWarnings = new URL('./note-warnings.mjs', import.meta.url)

/**
 * Returns options of Node that make a process and its threads record warnings (`process.on('warning')`).
 *
 * @param owner ID of the test process that calls {@link takeWarnings}; by default the process itself
 */
export function warningOptions(owner?: number): string[] {
  const url = new URL(noteWarnings)
  url.searchParams.set('folder', tmpdir())
  if (owner !== undefined) url.searchParams.set('owner', String(owner))
  return ['--import', url.href]
}

/** Returns the warnings recorded for this test process since the last call, with their stacks. */
export function takeWarnings(): string {
  const file = join(tmpdir(), `muster-warnings-${process.pid}`)
  if (!existsSync(file)) return ''
  const noted = readFileSync(file, 'utf8')
  rmSync(file)
  return noted
}

/**
 * Waits until warnings of the current tick are recorded, then checks that there are none.
 *
 * @throws Error with each warning and its stack
 */
export async function checkNoWarnings(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  const warnings = takeWarnings()
  if (warnings !== '')
    throw new Error(`Process warnings fail the tests. Remove the cause of:\n${warnings.slice(0, 4000)}`)
}
