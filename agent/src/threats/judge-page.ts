import type { ControlMode } from '@muster/contract/records/controls'
import type { LoginDeps } from '../logins/login-deps.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { imitatedProvider } from './cloned-page.ts'
import { isPhishingTool } from './kit-marks.ts'
import type { PageFeatures } from './page-features.ts'
import { modeFor } from './threat-mode.ts'

type Active = Exclude<ControlMode, 'OFF'>

/** Returns true for hosts of a developer's own machine, which are never clones. */
const isLocal = (host: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

/**
 * Judges a page that asks for a password: an imitation of a provider, or the work of a phishing tool.
 *
 * @returns null if there is no threat, on hosts of the catalog, and if the protection is off
 */
export async function judgePage(
  deps: LoginDeps,
  url: string,
  features: PageFeatures,
): Promise<ThreatVerdict | null> {
  const policy = await deps.policy()
  const { hostname } = new URL(url)
  const catalog = await deps.catalog()
  if (!policy || isLocal(hostname) || catalog.byHost(hostname) || catalog.providerByHost(hostname))
    return null
  const providers = catalog.all.filter(({ identityProvider }) => identityProvider !== undefined)
  const imitated = imitatedProvider(features, hostname, providers)?.product
  const appType = imitated?.appType ?? null
  const appName = imitated?.friendlyName ?? null
  const isTool = isPhishingTool(features.marks)
  const verdict = (threat: ThreatVerdict['threat'], mode: ControlMode): ThreatVerdict | null =>
    mode === 'OFF' ? null : { threat, mode: mode satisfies Active, appType, appName }
  const asTool = isTool ? verdict('PHISHING_TOOL', modeFor(policy.phishingTools, appType)) : null
  const asClone = imitated ? verdict('CLONED_LOGIN_PAGE', modeFor(policy.clonedLoginPages, appType)) : null
  return stricter(asTool, asClone)
}

const strictness: Readonly<Record<Active, number>> = { MONITOR: 1, WARN: 2, BLOCK: 3 }

/** Returns the stricter of two verdicts on a page; the first if both are equal. */
function stricter(a: ThreatVerdict | null, b: ThreatVerdict | null): ThreatVerdict | null {
  if (!a || !b) return a ?? b
  return strictness[b.mode] > strictness[a.mode] ? b : a
}
