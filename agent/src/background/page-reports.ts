import { bannerFor } from '../banner/banner-choice.ts'
import { storeBannerAnswer } from '../banner/banner-memory.ts'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { PageReport } from '../messages.ts'
import { report } from '../outbox/report-event.ts'
import { pagePolicy } from '../policy/page-policy.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import type { MessageSender } from './message-sender.ts'

/**
 * Handles a report of a content script. The browser supplies the address of the frame. Only the policy's banner for the
 * page can be reported.
 */
export async function handlePageReport(given: PageReport, from: MessageSender): Promise<boolean> {
  const url = trimmedUrl(from.url)
  if (url === null) return false
  if (given.kind === 'PAGE_THREAT')
    return report({ ...given, url, referrerUrl: trimmedUrl(given.referrerUrl) })
  const page = await pagePolicy(from.host)
  const banners = (await currentPolicy())?.banners ?? []
  const banner = bannerFor(banners, page.product?.appType ?? null, page.registrableHost)
  if (banner?.id !== given.bannerId) return false
  if (given.action === 'ACKNOWLEDGED') await storeBannerAnswer(banner)
  return report({ ...given, host: from.host })
}
