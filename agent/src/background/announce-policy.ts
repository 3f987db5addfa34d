import { browser } from 'wxt/browser'
import type { Notice } from '../messages.ts'
import { injectBanner } from './inject-scripts.ts'

/** Tells the content scripts of all tabs that the policy changed; those that are not there do not matter. */
export async function announcePolicy(): Promise<void> {
  const notice: Notice = { notice: 'POLICY_CHANGED' }
  const tabs = await browser.tabs.query({ url: ['http://*/*', 'https://*/*'] })
  await Promise.allSettled(
    tabs.map(async ({ id = -1, url = '' }) => {
      await injectBanner(id, url)
      await browser.tabs.sendMessage(id, notice)
    }),
  )
}
