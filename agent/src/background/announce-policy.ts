import { browser } from 'wxt/browser'
import type { Notice } from '../messages.ts'

/** Tells the content scripts of all tabs that the policy changed; those that are not there do not matter. */
export async function announcePolicy(): Promise<void> {
  const notice: Notice = { notice: 'POLICY_CHANGED' }
  const tabs = await browser.tabs.query({ url: ['http://*/*', 'https://*/*'] })
  await Promise.allSettled(tabs.map(({ id }) => browser.tabs.sendMessage(id ?? -1, notice)))
}
