import type { AgentPolicy } from '@muster/contract/agent-policy'
import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'

const store = stored<AgentPolicy | null>('policy', null)

/** The policy is large and read often; it is read from disk once while the background lives. */
let known: Promise<AgentPolicy | null> | null = null

/** The policy that is in force: null unless the browser is enrolled and has fetched one. */
export async function currentPolicy(): Promise<AgentPolicy | null> {
  if ((await connection.read())?.state !== 'ENROLLED') return null
  return storedPolicy()
}

/** The policy that was fetched last, whatever the state of the connection. */
export function storedPolicy(): Promise<AgentPolicy | null> {
  known ??= store.read()
  return known
}

/** Keeps a policy; null forgets it. It is on disk when this ends. */
export async function keepPolicy(policy: AgentPolicy | null): Promise<void> {
  known = store.change(() => policy)
  await known
}
