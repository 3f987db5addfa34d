import { browser } from 'wxt/browser'
import type { Notice } from '../messages.ts'

/** Notifies the content scripts of all tabs that the policy changed. Tabs without a content script are ignored. */
export async function announcePolicy(): Promise<void> {
  const notice: Notice = { notice: 'POLICY_CHANGED' }
  const tabs = await browser.tabs.query({ url: ['http://*/*', 'https://*/*'] })
  await Promise.allSettled(tabs.map(({ id }) => browser.tabs.sendMessage(id ?? -1, notice)))
}
