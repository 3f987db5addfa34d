import type { AppBannerEvent } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { AppUse } from './app-uses.ts'
import type { Unnamed } from './attacks.ts'

/** Banner events of one browser. */
export interface BannerReports {
  /** Returns the events when an app is opened. Each banner is reported once per app. */
  take(
    use: Pick<AppUse, 'host' | 'appType'>,
    timestamp: number,
    policy: AgentPolicy,
  ): Unnamed<AppBannerEvent>[]
}

/** Simulates the banners of the policy and the clicks of people. */
export function bannerReports(): BannerReports {
  const reported = new Set<string>()
  return {
    take({ host, appType }, timestamp, { banners }) {
      const banner =
        appType === null
          ? banners.find(({ domain }) => domain !== null && host.endsWith(domain))
          : (banners.find((one) => one.appType === appType) ??
            banners.find((one) => one.appType === null && one.domain === null))
      if (!banner || reported.has(`${banner.id} ${host}`)) return []
      reported.add(`${banner.id} ${host}`)
      const shown = { kind: 'APP_BANNER' as const, bannerId: banner.id, host, reason: null }
      const displayed = { ...shown, timestamp, action: 'DISPLAYED' as const }
      if (banner.mode === 'INFORM' || banner.mode === 'BLOCK') return [displayed]
      const reason = banner.mode === 'REASON' ? 'Needed for a customer.' : null
      return [displayed, { ...shown, timestamp: timestamp + 6, action: 'ACKNOWLEDGED', reason }]
    },
  }
}
