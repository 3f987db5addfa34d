import type { PolicyBanner } from '@muster/contract/agent-policy'

/** For how long a banner that was answered is not shown again, in seconds. A banner that blocks is always shown. */
const restSeconds: Readonly<Record<PolicyBanner['mode'], number>> = {
  INFORM: 24 * 60 * 60,
  ACKNOWLEDGE: 30 * 24 * 60 * 60,
  REASON: 30 * 24 * 60 * 60,
  BLOCK: 0,
}

/** More answers than these are not kept; the oldest go. */
const answersMaximum = 500

/** Banners that were answered: what was shown where, and until when it rests; UNIX seconds. */
export type BannerAnswers = Readonly<Record<string, number>>

/**
 * Returns the first banner of the policy that is for the page (domain contract, section 7: first matching rule wins). The
 * banner of every other app is returned as that of the page's app, so that its answer counts for that app only.
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

/** Whether the banner was answered lately, with the words it has now. */
export function isResting(answers: BannerAnswers, banner: PolicyBanner, nowSeconds: number): boolean {
  return (answers[keyOf(banner)] ?? 0) > nowSeconds
}

/** The answers with one more. */
export function withAnswer(answers: BannerAnswers, banner: PolicyBanner, nowSeconds: number): BannerAnswers {
  const until = nowSeconds + restSeconds[banner.mode]
  const current = Object.entries(answers).filter(([, end]) => end > nowSeconds)
  return Object.fromEntries([...current.slice(1 - answersMaximum), [keyOf(banner), until]])
}

/** Another text is another banner. */
const keyOf = ({ id, appType, domain, mode, title, subtext }: PolicyBanner) =>
  JSON.stringify([id, appType, domain, mode, title, subtext])
