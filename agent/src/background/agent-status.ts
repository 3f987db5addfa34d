import { browser } from 'wxt/browser'
import { serverOrigin } from '../enroll/enrollment-decision.ts'
import { managedConfiguration } from '../enroll/managed-configuration.ts'
import type { AgentStatus } from '../messages.ts'
import { delivery } from '../outbox/deliver.ts'
import { outboxFigures } from '../outbox/outbox-store.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import { connection } from '../state/connection.ts'

/** Returns the state of the connection and of reporting. */
export async function agentStatus(): Promise<AgentStatus> {
  const current = await connection.read()
  const policy = await currentPolicy()
  const { lastReportSeconds, refused, trouble } = await delivery.read()
  const { waiting, lost } = await outboxFigures()
  const managed = await managedConfiguration()
  const isConnected = current !== null && current.state !== 'REVOKED'
  return {
    state: current === null || current.state === 'REVOKED' ? 'NOT_ENROLLED' : current.state,
    host: isConnected ? new URL(current.serverUrl).host : null,
    organizationName: policy?.organizationName || null,
    contact: policy?.contact ?? null,
    managed: managed.serverUrl !== undefined && serverOrigin(managed.serverUrl) === current?.serverUrl,
    lastReportSeconds: isConnected ? lastReportSeconds : null,
    queueLength: waiting,
    lost: lost + refused,
    version: browser.runtime.getManifest().version,
    trouble: current?.state === 'REVOKED' ? 'REFUSED' : trouble,
  }
}
