import type { PolicyBanner } from '@muster/contract/agent/agent-policy'

/** Time for which an answered banner is not shown again, in seconds. A banner that blocks is always shown. */
const snoozeSeconds: Readonly<Record<PolicyBanner['mode'], number>> = {
  INFORM: 24 * 60 * 60,
  ACKNOWLEDGE: 30 * 24 * 60 * 60,
  REASON: 30 * 24 * 60 * 60,
  BLOCK: 0,
}

/** Maximum number of stored answers; the oldest are removed. */
const answersMaximum = 500

/** Answered banners: key of the banner and the end of its rest period in UNIX seconds. */
export type BannerAnswers = Readonly<Record<string, number>>

/**
 * Returns the first banner of the policy that applies to the page (domain contract, section 7: first matching rule
 * wins). A banner for all other apps is returned with the page's app, so its answer counts for that app only.
 */
export function bannerFor(
  banners: readonly PolicyBanner[],
  appType: string | null,
  registrableHost: string,
): PolicyBanner | null {
  if (appType === null) return banners.find(({ domain }) => domain === registrableHost) ?? null
  const own = banners.find((banner) => banner.appType === appType)
  if (own) return own
  const everywhere = banners.find((banner) => banner.appType === null && banner.domain === null)
  return everywhere ? { ...everywhere, appType } : null
}

/** Returns true if the banner was answered recently with its current text. */
export function isSnoozed(answers: BannerAnswers, banner: PolicyBanner, nowSeconds: number): boolean {
  return (answers[keyOf(banner)] ?? 0) > nowSeconds
}

/** Returns the answers with one more added. */
export function withAnswer(answers: BannerAnswers, banner: PolicyBanner, nowSeconds: number): BannerAnswers {
  const until = nowSeconds + snoozeSeconds[banner.mode]
  const current = Object.entries(answers).filter(([, end]) => end > nowSeconds)
  return Object.fromEntries([...current.slice(1 - answersMaximum), [keyOf(banner), until]])
}

/** Key of a banner. A banner with a changed text gets a new key. */
const keyOf = ({ id, appType, domain, mode, title, subtext }: PolicyBanner) =>
  JSON.stringify([id, appType, domain, mode, title, subtext])
