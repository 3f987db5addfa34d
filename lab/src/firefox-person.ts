import { setTimeout as wait } from 'node:timers/promises'
import { elementMember, type FirefoxBrowser } from '../../e2e/src/firefox-browser.ts'
import { until } from '../../test/support/until.ts'
import { elsewhere, type LabPerson, patienceMs } from './lab-person.ts'
import { blankPath } from './reverse-proxy.ts'

type Element = Readonly<Record<string, string>>

/** Key values of WebDriver (W3C, section 17.4.2). */
const keys: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  Delete: '\uE017',
  Backspace: '\uE003',
  ArrowDown: '\uE015',
}
const control = '\uE009'

/** Finds the first visible element that matches a selector and contains a text, also in open shadow roots. */
const findVisible = `
const [selector, source, flags] = arguments
const pattern = source === null ? null : new RegExp(source, flags)
const within = (root) => [
  ...root.querySelectorAll(selector),
  ...[...root.querySelectorAll('*')].flatMap(({ openOrClosedShadowRoot, shadowRoot }) => shadowRoot ? within(shadowRoot) : []),
]
return within(document).find((element) =>
  element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 &&
  (pattern === null || pattern.test(element.textContent))) ?? null`

/** Sets a value as password managers do, with the prototype's setter. */
const setValue = `
const [element, text] = arguments
const view = element.ownerDocument.defaultView
element.focus()
Object.getOwnPropertyDescriptor(view.HTMLInputElement.prototype, 'value').set.call(element, text)
element.dispatchEvent(new view.Event('input', { bubbles: true }))
element.dispatchEvent(new view.Event('change', { bubbles: true }))`

const patternOf = (text?: string | RegExp): [string | null, string] =>
  text === undefined
    ? [null, '']
    : typeof text === 'string'
      ? [RegExp.escape(text), 'i']
      : [text.source, text.flags]

/**
 * Creates a person in front of Firefox.
 *
 * @param host host of the product, for addresses without one
 */
export function firefoxPerson(
  { call, address, open, plugInSecurityKey }: FirefoxBrowser,
  host: string,
): LabPerson {
  const script = async (source: string, args: readonly unknown[] = []) =>
    ((await call('WebDriver:ExecuteScript', { script: source, args })) as { readonly value: unknown }).value
  const find = (selector: string, text?: string | RegExp) =>
    until(
      `visible ${selector}`,
      async () => (await script(findVisible, [selector, ...patternOf(text)])) as Element | null,
      patienceMs,
    )
  const perform = (actions: readonly object[]) =>
    call('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  const press = (key: string) =>
    perform([
      { type: 'keyDown', value: keys[key] ?? key },
      { type: 'keyUp', value: keys[key] ?? key },
    ])
  const withControl = (key: string) =>
    perform([
      { type: 'keyDown', value: control },
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
      { type: 'keyUp', value: control },
    ])
  const click = async (selector: string, text?: string | RegExp) => {
    // Waits while something covers the element, such as a fading dialog.
    await until(
      `click on ${selector}`,
      async () => {
        const element = await find(selector, text)
        await call('WebDriver:ElementClick', { id: element[elementMember] })
        return true
      },
      patienceMs,
    )
  }
  const type = async (selector: string, text: string) => {
    await click(selector)
    await perform(
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
        { type: 'pause', duration: 35 },
      ]),
    )
  }
  const handles = async () => (await call('WebDriver:GetWindowHandles')) as string[]
  const current = async () => ((await call('WebDriver:GetWindowHandle')) as { readonly value: string }).value
  const goTo = (handle: string | undefined) => call('WebDriver:SwitchToWindow', { handle, focus: true })
  const newTab = async () =>
    goTo(
      ((await call('WebDriver:NewWindow', { type: 'tab', focus: true })) as { readonly handle: string })
        .handle,
    )
  const openPage = (path: string) => open(new URL(path, `https://${host}`).href)
  return {
    open: openPage,
    type,
    retype: async (selector, text) => {
      await click(selector)
      await withControl('a')
      await press('Delete')
      await type(selector, text)
    },
    paste: async (selector, text) => {
      await script('return navigator.clipboard.writeText(arguments[0])', [text])
      await click(selector)
      await withControl('v')
    },
    fill: async (selector, text) => {
      await script(setValue, [await find(selector), text])
    },
    press: async (key) => {
      await press(key)
    },
    click,
    see: async (selector, text) => {
      await find(selector, text)
    },
    miss: async (selector) => {
      await until(
        `page without ${selector}`,
        async () => (await script(findVisible, [selector, null, ''])) === null,
        patienceMs,
      )
    },
    back: async () => {
      await call('WebDriver:Back')
    },
    reload: async () => {
      await call('WebDriver:Refresh')
    },
    newTab: async (path) => {
      await newTab()
      await openPage(path)
    },
    closeTab: async () => {
      await goTo(((await call('WebDriver:CloseWindow')) as string[]).at(-1))
    },
    newestTab: async () => {
      const before = await current()
      await goTo(
        await until(
          'another tab',
          async () => (await handles()).findLast((handle) => handle !== before),
          patienceMs,
        ),
      )
    },
    address,
    arrive: async (pattern) => {
      await until(`address ${pattern}`, async () => pattern.test(await address()), patienceMs)
    },
    evaluate: (expression) => script(`return ${expression}`),
    pause: (ms) => wait(ms),
    plugInSecurityKey: async () => plugInSecurityKey(new URL(await address()).hostname),
    frame: async (selector) => {
      await call('WebDriver:SwitchToFrame', { id: null })
      if (selector !== undefined)
        await call('WebDriver:SwitchToFrame', { element: (await find(selector))[elementMember] })
    },
    // Firefox has no command for it, so such flows run at full speed.
    slowCpu: async () => undefined,
    picture: async () => {
      const { value } = (await call('WebDriver:TakeScreenshot', { full: false })) as {
        readonly value: string
      }
      return Buffer.from(value, 'base64')
    },
    leave: async (hosts) => {
      // A popup that closed itself leaves no current window.
      const [firstWindow] = await handles()
      const isOpen = await current().then(Boolean, () => false)
      if (!isOpen && firstWindow !== undefined) await goTo(firstWindow)
      await open(elsewhere)
      await wait(1_500)
      for (const name of hosts) {
        await open(`https://${name}${blankPath}`)
        await call('WebDriver:DeleteAllCookies')
        await script('localStorage.clear(); sessionStorage.clear()')
      }
      const others = await handles()
      await newTab()
      const last = await current()
      for (const other of others) {
        await goTo(other)
        await call('WebDriver:CloseWindow')
      }
      await goTo(last)
    },
  }
}
