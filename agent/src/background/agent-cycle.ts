import { applyStoredBlocking } from '../block/apply-blocking.ts'
import { stopOpenTabs } from '../block/block-watch.ts'
import { managedTarget, mustDisconnect } from '../enroll/enrollment-decision.ts'
import { managedConfiguration } from '../enroll/managed-configuration.ts'
import { enrollByPolicy, resetManagedAttempt } from '../enroll/managed-enrollment.ts'
import { checkExtensions } from '../extensions/inventory.ts'
import { browserFacts } from '../facts/browser-facts.ts'
import { type DeliveryEnd, deliver } from '../outbox/deliver.ts'
import { forgetReports } from '../outbox/forget-reports.ts'
import { report } from '../outbox/report-event.ts'
import { fetchPolicy } from '../policy/policy-fetch.ts'
import { storedPolicy, storePolicy } from '../policy/policy-store.ts'
import { type Connection, connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { wakeAfter } from './alarms.ts'
import { announcePolicy } from './announce-policy.ts'
import { defaultHeartbeatSeconds, heartbeatWaitMs } from './heartbeat-pace.ts'

/** Start of the last heartbeat, by the browser's clock. */
const lastHeartbeatMs = stored('lastHeartbeatMs', 0)

let running: Promise<void> | null = null

/**
 * Reports that the browser is alive, delivers queued events and refreshes the policy. Concurrent calls share one run.
 */
export function heartbeat(): Promise<void> {
  running ??= runHeartbeat().finally(() => {
    running = null
  })
  return running
}

async function runHeartbeat(): Promise<void> {
  await lastHeartbeatMs.change(() => Date.now())
  await wakeAfter('heartbeat', (await heartbeatSeconds()) * 1000)
  await endForeignConnection()
  if ((await enrollByPolicy()) === 'CONNECTED') await onEnrolled()
  const state = (await connection.read())?.state
  if (state === 'ENROLLED') {
    await report({ kind: 'HEARTBEAT', ...(await browserFacts()) })
    await checkExtensions()
    await deliverNow()
  }
  if (state === 'ENROLLED' || state === 'DORMANT') await renewPolicy()
}

/** Ends a connection that managed policy no longer allows. */
async function endForeignConnection(): Promise<void> {
  if (!mustDisconnect(await managedConfiguration(), await connection.read())) return
  await connection.change(() => null)
  await forgetReports()
  await storePolicy(null)
  await applyPolicy()
}

/** Sends a heartbeat if one is due: browsers that slept or were closed missed theirs. */
export async function heartbeatIfDue(): Promise<void> {
  const waitMs = heartbeatWaitMs(await lastHeartbeatMs.read(), await heartbeatSeconds(), Date.now())
  if (waitMs === 0) await heartbeat()
  else await wakeAfter('heartbeat', waitMs)
}

async function heartbeatSeconds(): Promise<number> {
  return (await storedPolicy())?.heartbeatSeconds ?? defaultHeartbeatSeconds
}

/** Delivers queued events and handles the result. */
export async function deliverNow(): Promise<void> {
  const delivered = await deliver()
  await handleDelivery(delivered)
}

async function handleDelivery(delivered: DeliveryEnd): Promise<void> {
  if (delivered.end === 'WAIT') await wakeAfter('deliver', delivered.untilMs - Date.now())
  if (delivered.end === 'DORMANT') await goDormant()
  if (delivered.end === 'UNAUTHENTICATED') await onCredentialRejected(delivered.browserId)
  if (delivered.end !== 'EMPTY' || delivered.policyVersion === null) return
  await resetManagedAttempt()
  if (delivered.policyVersion !== (await storedPolicy())?.version) await renewPolicy()
}

async function renewPolicy(): Promise<void> {
  const current = await connection.read()
  if (!current) return
  const fetched = await fetchPolicy(current)
  if (fetched === 'DORMANT') await goDormant()
  if (fetched === 'UNAUTHENTICATED') await onCredentialRejected(current.browserId)
  if (fetched !== 'CHANGED') return
  const wasDormant = (await connection.read())?.state === 'DORMANT'
  await changeState('ENROLLED')
  await applyPolicy()
  await checkExtensions()
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
export async function onEnrolled(): Promise<void> {
  await applyPolicy()
  await report({ kind: 'HEARTBEAT', ...(await browserFacts()) })
  await renewPolicy()
  await checkExtensions()
  await deliverNow()
  await wakeAfter('heartbeat', (await heartbeatSeconds()) * 1000)
}

/** Stops observing and discards queued events: nothing is reported for an employee without a license. */
async function goDormant(): Promise<void> {
  if ((await connection.read())?.state === 'DORMANT') return
  await changeState('DORMANT')
  await forgetReports()
  await storePolicy(null)
  await applyPolicy()
}

/**
 * Handles a credential that the server rejects. Managed policy may enroll the browser again; the queued events are then
 * delivered. Without it, the connection stays revoked until there is another link.
 *
 * Several callers may get the rejection. Later ones find the connection revoked or replaced and do nothing.
 */
async function onCredentialRejected(browserId: string): Promise<void> {
  let isNews = false
  await connection.change((current) => {
    isNews = current?.browserId === browserId && current.state !== 'REVOKED'
    return current && isNews ? { ...current, state: 'REVOKED' } : current
  })
  if (!isNews) return
  if (managedTarget(await managedConfiguration()) === null) await forgetReports()
  await storePolicy(null)
  if ((await enrollByPolicy()) === 'CONNECTED') await onEnrolled()
  else await applyPolicy()
}

async function changeState(state: Connection['state']): Promise<void> {
  await connection.change((current) => (current && current.state !== state ? { ...current, state } : current))
}
