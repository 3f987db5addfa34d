import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { type EnrollmentResult, enrollBrowser } from './enroll-browser.ts'
import { decideManaged, type ManagedAttempt, managedTarget, refusedMs } from './enrollment-decision.ts'
import { managedConfiguration } from './managed-configuration.ts'

const attempt = stored<ManagedAttempt | null>('managedAttempt', null)

/**
 * Wait before the next attempt if the server is unreachable or the browser is dormant. Shorter than a heartbeat
 * interval.
 */
const retryMs = 60_000

/**
 * Enrolls by managed policy if due.
 *
 * @returns the result; null if nothing was due
 */
export async function enrollByPolicy(): Promise<EnrollmentResult | null> {
  const managed = await managedConfiguration()
  const target = managedTarget(managed)
  if (!target) return null
  const nowMs = Date.now()
  const current = await connection.read()
  let isDue = false
  // Decide and write in one step, before the request: a background that dies must not retry in a loop, nor two run at
  // once.
  await attempt.change((before) => {
    isDue = decideManaged(managed, current, before, nowMs) === 'ENROL'
    return isDue ? { key: target.key, notBeforeMs: nowMs + retryMs } : before
  })
  if (!isDue) return null
  const result = await enrollBrowser(target, 'MANAGED')
  const maySoonDiffer = result === 'UNREACHABLE' || result === 'SERVER_ERROR' || result === 'DORMANT'
  if (!maySoonDiffer) await attempt.change(() => ({ key: target.key, notBeforeMs: nowMs + refusedMs }))
  return result
}

/**
 * Resets the wait after the server accepted a report, so policy may enroll again immediately if the credential is ever
 * rejected.
 */
export async function resetManagedAttempt(): Promise<void> {
  await attempt.change(() => null)
}
