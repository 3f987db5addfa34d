import type { AppBannerEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { AppUse } from './app-uses.ts'
import type { Unnamed } from './attacks.ts'

/** Reports of the banners that one browser shows. */
export interface BannerReports {
  /** What is told when an app is opened; each banner is told once for each app. */
  take(
    use: Pick<AppUse, 'host' | 'appType'>,
    timestamp: number,
    policy: AgentPolicy,
  ): Unnamed<AppBannerEvent>[]
}

/** Shows the banners of the policy, and answers them as people do: by a click. */
export function bannerReports(): BannerReports {
  const told = new Set<string>()
  return {
    take({ host, appType }, timestamp, { banners }) {
      const banner =
        appType === null
          ? banners.find(({ domain }) => domain !== null && host.endsWith(domain))
          : (banners.find((one) => one.appType === appType) ??
            banners.find((one) => one.appType === null && one.domain === null))
      if (!banner || told.has(`${banner.id} ${host}`)) return []
      told.add(`${banner.id} ${host}`)
      const shown = { kind: 'APP_BANNER' as const, bannerId: banner.id, host, reason: null }
      const displayed = { ...shown, timestamp, action: 'DISPLAYED' as const }
      if (banner.mode === 'INFORM' || banner.mode === 'BLOCK') return [displayed]
      const reason = banner.mode === 'REASON' ? 'Needed for a customer.' : null
      return [displayed, { ...shown, timestamp: timestamp + 6, action: 'ACKNOWLEDGED', reason }]
    },
  }
}
