import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { Controls } from '@muster/contract/records/controls'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { World } from './make-world.ts'

/** Server settings that make browsers fetch their policy often. */
export const quickHeartbeat = { MUSTER_AGENT_HEARTBEAT_SECONDS: '5' }

/** Protections among the controls, which decide how a browser reacts. */
type Protection = 'protectedPasswords' | 'clonedLoginPages' | 'phishingTools' | 'maliciousCopyPaste'

/** Returns the policy that a browser stores; undefined if it has none. */
export async function policyOf(world: World, browser: AgentBrowser): Promise<AgentPolicy | undefined> {
  const kept = Object.values((await world.stored(browser)) as Record<string, unknown>)
  return kept.map(policyIn).find((policy) => policy !== undefined)
}

/** Returns the policy itself or one nested in a stored value. */
function policyIn(value: unknown): AgentPolicy | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('heartbeatSeconds' in value && 'blockedUrls' in value) return value as AgentPolicy
  return Object.values(value)
    .map(policyIn)
    .find((policy) => policy !== undefined)
}

/** Sets the mode of a protection, as administrators do, and waits until a browser has it. */
export async function setMode(
  world: World,
  browser: AgentBrowser,
  protection: Protection,
  mode: Controls[Protection]['mode'],
): Promise<void> {
  const controls = JSON.stringify({ [protection]: { mode, rules: [] } })
  await world.muster.command('controls set', world.muster.file('controls.json', controls))
  await until(`${mode} in the browser`, async () => {
    const policy = await policyOf(world, browser)
    return policy?.[protection].mode === mode
  })
}
