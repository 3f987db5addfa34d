import type { PolicyBanner } from '@muster/contract/agent/agent-policy'
import { stored } from '../state/stored.ts'
import { type BannerAnswers, bannerFor, isSnoozed, withAnswer } from './banner-choice.ts'

const answers = stored<BannerAnswers>('bannerAnswers', {})

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Returns the banner that a page must show now; null if there is none or it was answered. */
export async function pendingBanner(
  banners: readonly PolicyBanner[],
  appType: string | null,
  registrableHost: string,
): Promise<PolicyBanner | null> {
  const banner = bannerFor(banners, appType, registrableHost)
  return banner && !isSnoozed(await answers.read(), banner, nowSeconds()) ? banner : null
}

/** Stores that the employee answered a banner. */
export async function storeBannerAnswer(banner: PolicyBanner): Promise<void> {
  await answers.change((before) => withAnswer(before, banner, nowSeconds()))
}
