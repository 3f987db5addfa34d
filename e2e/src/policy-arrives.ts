import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { Controls } from '@muster/contract/controls'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { World } from './make-world.ts'

/** Settings of a server whose browsers ask for their policy often. */
export const quickHeartbeat = { MUSTER_AGENT_HEARTBEAT_SECONDS: '5' }

/** The protections among the controls: what decides how a browser reacts. */
type Protection = 'protectedPasswords' | 'clonedLoginPages' | 'phishingTools' | 'maliciousCopyPaste'

/** The policy that a browser keeps; undefined while it has none. */
export async function policyOf(world: World, browser: AgentBrowser): Promise<AgentPolicy | undefined> {
  const kept = Object.values((await world.stored(browser)) as Record<string, unknown>)
  return kept.map(policyIn).find((policy) => policy !== undefined)
}

/** The policy itself, or what is kept around it. */
function policyIn(value: unknown): AgentPolicy | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('heartbeatSeconds' in value && 'blockedUrls' in value) return value as AgentPolicy
  return Object.values(value)
    .map(policyIn)
    .find((policy) => policy !== undefined)
}

/** Sets how a protection reacts, as administrators do, and waits until a browser has it. */
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
