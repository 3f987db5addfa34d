import { applyStoredBlocking } from '../block/apply-blocking.ts'
import { stopOpenTabs } from '../block/block-watch.ts'
import { managedTarget, mustLeave } from '../enroll/enrollment-decision.ts'
import { managedConfiguration } from '../enroll/managed-configuration.ts'
import { enrollByPolicy, settleManagedAttempt } from '../enroll/managed-enrollment.ts'
import { lookAtExtensions } from '../extensions/inventory.ts'
import { browserFacts } from '../facts/browser-facts.ts'
import { type DeliveryEnd, deliver } from '../outbox/deliver.ts'
import { forgetReports } from '../outbox/forget-reports.ts'
import { report } from '../outbox/report-event.ts'
import { fetchPolicy } from '../policy/policy-fetch.ts'
import { keepPolicy, storedPolicy } from '../policy/policy-store.ts'
import { type Connection, connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { wakeAfter } from './alarms.ts'
import { announcePolicy } from './announce-policy.ts'
import { heartbeatWaitMs, usualHeartbeatSeconds } from './heartbeat-pace.ts'

/** Start of the last heartbeat, by the browser's clock. */
const lastHeartbeatMs = stored('lastHeartbeatMs', 0)

let running: Promise<void> | null = null

/**
 * Reports that the browser is alive, delivers queued events and refreshes the policy. Concurrent calls share one run.
 */
export function heartbeat(): Promise<void> {
  running ??= beat().finally(() => {
    running = null
  })
  return running
}

async function beat(): Promise<void> {
  await lastHeartbeatMs.change(() => Date.now())
  await wakeAfter('heartbeat', (await heartbeatSeconds()) * 1000)
  await leaveOtherServer()
  if ((await enrollByPolicy()) === 'CONNECTED') await announceArrival()
  const state = (await connection.read())?.state
  if (state === 'ENROLLED') {
    await report({ kind: 'HEARTBEAT', ...(await browserFacts()) })
    await lookAtExtensions()
    await deliverNow()
  }
  if (state === 'ENROLLED' || state === 'DORMANT') await renewPolicy()
}

/** Ends a connection that managed policy no longer allows. */
async function leaveOtherServer(): Promise<void> {
  if (!mustLeave(await managedConfiguration(), await connection.read())) return
  await connection.change(() => null)
  await forgetReports()
  await keepPolicy(null)
  await applyPolicy()
}

/** Sends a heartbeat if one is due: browsers that slept or were closed missed theirs. */
export async function heartbeatIfDue(): Promise<void> {
  const waitMs = heartbeatWaitMs(await lastHeartbeatMs.read(), await heartbeatSeconds(), Date.now())
  if (waitMs === 0) await heartbeat()
  else await wakeAfter('heartbeat', waitMs)
}

async function heartbeatSeconds(): Promise<number> {
  return (await storedPolicy())?.heartbeatSeconds ?? usualHeartbeatSeconds
}

/** Delivers queued events and handles the result. */
export async function deliverNow(): Promise<void> {
  const delivered = await deliver()
  await settle(delivered)
}

async function settle(delivered: DeliveryEnd): Promise<void> {
  if (delivered.end === 'WAIT') await wakeAfter('deliver', delivered.untilMs - Date.now())
  if (delivered.end === 'DORMANT') await goDormant()
  if (delivered.end === 'UNAUTHENTICATED') await loseCredential(delivered.browserId)
  if (delivered.end !== 'EMPTY' || delivered.policyVersion === null) return
  await settleManagedAttempt()
  if (delivered.policyVersion !== (await storedPolicy())?.version) await renewPolicy()
}

async function renewPolicy(): Promise<void> {
  const current = await connection.read()
  if (!current) return
  const fetched = await fetchPolicy(current)
  if (fetched === 'DORMANT') await goDormant()
  if (fetched === 'UNAUTHENTICATED') await loseCredential(current.browserId)
  if (fetched !== 'CHANGED') return
  const wasDormant = (await connection.read())?.state === 'DORMANT'
  await changeState('ENROLLED')
  await applyPolicy()
  await lookAtExtensions()
  if (wasDormant) await report({ kind: 'HEARTBEAT', ...(await browserFacts()) })
}

/** Applies the policy to the browser. Does nothing if it is already applied. */
export async function enforcePolicy(): Promise<void> {
  const current = await connection.read()
  const serverUrl = current?.state === 'ENROLLED' ? current.serverUrl : null
  await applyStoredBlocking(serverUrl)
  await stopOpenTabs()
}

/** Applies a policy that changed or ended. */
async function applyPolicy(): Promise<void> {
  await enforcePolicy()
  await announcePolicy()
}

/** Reports everything and fetches the policy right after enrollment. */
export async function announceArrival(): Promise<void> {
  await applyPolicy()
  await report({ kind: 'HEARTBEAT', ...(await browserFacts()) })
  await renewPolicy()
  await lookAtExtensions()
  await deliverNow()
  await wakeAfter('heartbeat', (await heartbeatSeconds()) * 1000)
}

/** Stops observing and discards queued events: nothing is reported for an employee without a license. */
async function goDormant(): Promise<void> {
  if ((await connection.read())?.state === 'DORMANT') return
  await changeState('DORMANT')
  await forgetReports()
  await keepPolicy(null)
  await applyPolicy()
}

/**
 * Handles a credential that the server rejects. Managed policy may enroll the browser again; the queued events are then
 * delivered. Without it, the connection stays revoked until there is another link.
 *
 * Several callers may get the rejection. Later ones find the connection revoked or replaced and do nothing.
 */
async function loseCredential(browserId: string): Promise<void> {
  let isNews = false
  await connection.change((current) => {
    isNews = current?.browserId === browserId && current.state !== 'REVOKED'
    return current && isNews ? { ...current, state: 'REVOKED' } : current
  })
  if (!isNews) return
  if (managedTarget(await managedConfiguration()) === null) await forgetReports()
  await keepPolicy(null)
  if ((await enrollByPolicy()) === 'CONNECTED') await announceArrival()
  else await applyPolicy()
}

async function changeState(state: Connection['state']): Promise<void> {
  await connection.change((current) => (current && current.state !== state ? { ...current, state } : current))
}
