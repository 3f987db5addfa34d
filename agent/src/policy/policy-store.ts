import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'

const store = stored<AgentPolicy | null>('policy', null)

/** Cached policy. It is large and read often, so it is loaded once per life of the background. */
let known: Promise<AgentPolicy | null> | null = null

/** Returns the active policy; null unless the browser is enrolled and has fetched one. */
export async function currentPolicy(): Promise<AgentPolicy | null> {
  if ((await connection.read())?.state !== 'ENROLLED') return null
  return storedPolicy()
}

/** Returns the policy fetched last, regardless of the state of the connection. */
export function storedPolicy(): Promise<AgentPolicy | null> {
  known ??= store.read()
  return known
}

/** Stores a policy; null removes it. Resolves when it is on disk. */
export async function storePolicy(policy: AgentPolicy | null): Promise<void> {
  known = store.change(() => policy)
  await known
}
