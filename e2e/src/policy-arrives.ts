import type { Controls } from '@muster/contract/controls'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { World } from './world.ts'

/** Settings of a server whose browsers ask for their policy often. */
export const quickHeartbeat = { MUSTER_AGENT_HEARTBEAT_SECONDS: '5' }

/** Sets controls as administrators do, and waits until a browser has them. */
export async function setControls(
  world: World,
  browser: AgentBrowser,
  controls: Partial<Controls>,
): Promise<void> {
  await world.muster.command('controls set', world.muster.file('controls.json', JSON.stringify(controls)))
  const wanted = Object.entries(controls)
  await until('policy in the browser', async () => {
    const kept = JSON.stringify(await world.stored(browser))
    return wanted.every(([name, value]) => kept.includes(`"${name}":${JSON.stringify(inPolicy(value))}`))
  })
}

/** A protection without rules, as policies hold it. */
function inPolicy(value: Controls[keyof Controls]): unknown {
  if (typeof value !== 'object' || value === null || !('rules' in value)) return value
  return { mode: value.mode, byApp: {} }
}
