import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { plugInSecurityKey } from '../../e2e/src/credential-dialogs.ts'
import { until } from '../../test/support/until.ts'
import { elsewhere, type LabPerson, patienceMs } from './lab-person.ts'

/**
 * Creates a person in front of Chromium.
 *
 * @param host host of the product, for addresses without one
 */
export async function chromiumPerson(context: BrowserContext, host: string): Promise<LabPerson> {
  let page: Page = await context.newPage()
  let frame: Frame | undefined
  let factor = 1
  const scope = () => frame ?? page
  const found = (selector: string, text?: string | RegExp) => {
    const all = scope().locator(selector)
    return (text === undefined ? all : all.filter({ hasText: text })).filter({ visible: true }).first()
  }
  const adopt = async (next: Page) => {
    page = next
    frame = undefined
    page.setDefaultTimeout(patienceMs)
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    if (factor === 1) return
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: factor })
  }
  await adopt(page)
  const keys = (selector: string, text: string) => found(selector).pressSequentially(text, { delay: 35 })
  return {
    open: async (address) => {
      frame = undefined
      await page.goto(new URL(address, `https://${host}`).href, { waitUntil: 'domcontentloaded' })
    },
    type: async (selector, text) => {
      await found(selector).click()
      await keys(selector, text)
    },
    retype: async (selector, text) => {
      await found(selector).click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.press('Delete')
      await keys(selector, text)
    },
    paste: async (selector, text) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await found(selector).click()
      await page.keyboard.press('ControlOrMeta+V')
    },
    fill: async (selector, text) => {
      await found(selector).evaluate(setValue, text)
    },
    press: (key) => page.keyboard.press(key),
    click: (selector, text) => found(selector, text).click(),
    see: (selector, text) => found(selector, text).waitFor(),
    miss: async (selector) => {
      await found(selector).waitFor({ state: 'hidden' })
    },
    back: async () => {
      await page.goBack({ waitUntil: 'domcontentloaded' })
    },
    reload: async () => {
      await page.reload({ waitUntil: 'domcontentloaded' })
    },
    newTab: async (address) => {
      await adopt(await context.newPage())
      await page.goto(new URL(address, `https://${host}`).href, { waitUntil: 'domcontentloaded' })
    },
    closeTab: async () => {
      await page.close()
      await adopt(context.pages().at(-1) ?? (await context.newPage()))
    },
    newestTab: async () => {
      const before = page
      await adopt(
        await until(
          'another tab',
          () => {
            const newest = context.pages().at(-1)
            return newest !== before && newest
          },
          patienceMs,
        ),
      )
    },
    address: async () => page.url(),
    arrive: async (address) => {
      await page.waitForURL(address, { waitUntil: 'domcontentloaded' })
    },
    evaluate: (expression) => scope().evaluate(expression),
    pause: (ms) => wait(ms),
    plugInSecurityKey: () => plugInSecurityKey(page, new URL(page.url()).hostname),
    frame: async (selector) => {
      frame = undefined
      if (selector === undefined) return
      const element = await page.locator(selector).filter({ visible: true }).first().elementHandle()
      frame = (await element?.contentFrame()) ?? undefined
    },
    slowCpu: async (next) => {
      factor = next
      await adopt(page)
    },
    picture: () => page.screenshot({ timeout: patienceMs }),
    leave: async (hosts) => {
      await page.goto(elsewhere).catch(() => undefined)
      await wait(1_500)
      const session = await context.newCDPSession(page)
      await session.send('Network.clearBrowserCookies')
      for (const name of hosts)
        await session.send('Storage.clearDataForOrigin', { origin: `https://${name}`, storageTypes: 'all' })
      const last = await context.newPage()
      for (const other of context.pages()) if (other !== last) await other.close()
      factor = 1
      await adopt(last)
    },
  }
}

/** Sets a value as password managers do, with the prototype's setter, which frameworks do not replace. */
const setValue = (element: object, text: string): void => {
  const field = element as { focus(): void; dispatchEvent(event: Event): boolean }
  field.focus()
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
