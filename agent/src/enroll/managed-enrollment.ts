import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { type EnrollmentResult, enrollBrowser } from './enroll-browser.ts'
import { decideManaged, type ManagedAttempt, managedTarget, refusedMs } from './enrollment-decision.ts'
import { managedConfiguration } from './managed-configuration.ts'

const attempt = stored<ManagedAttempt | null>('managedAttempt', null)

/**
 * How long the same is not tried again while the server is away or its answer is that the browser is dormant: shorter
 * than from one heartbeat to the next.
 */
const soonMs = 60_000

/**
 * Enrolls by managed policy if that is to be done now.
 *
 * @returns what came of it; null if there was nothing to do
 */
export async function enrollByPolicy(): Promise<EnrollmentResult | null> {
  const managed = await managedConfiguration()
  const target = managedTarget(managed)
  if (!target) return null
  const nowMs = Date.now()
  const current = await connection.read()
  let isDue = false
  // Written first, and decided with it: a background that dies on the way must not try without end, nor two at once.
  await attempt.change((before) => {
    isDue = decideManaged(managed, current, before, nowMs) === 'ENROL'
    return isDue ? { key: target.key, notBeforeMs: nowMs + soonMs } : before
  })
  if (!isDue) return null
  const result = await enrollBrowser(target, 'MANAGED')
  const maySoonDiffer = result === 'UNREACHABLE' || result === 'SERVER_ERROR' || result === 'DORMANT'
  if (!maySoonDiffer) await attempt.change(() => ({ key: target.key, notBeforeMs: nowMs + refusedMs }))
  return result
}

/** The server took a report: should it ever refuse the credential, policy may enroll once more at once. */
export async function settleManagedAttempt(): Promise<void> {
  await attempt.change(() => null)
}
