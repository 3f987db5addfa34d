import { registrableHost } from '@muster/contract/catalogue/catalogue'
import { type Browser, browser } from 'wxt/browser'
import { changeTab } from './login-memory.ts'

type Answer = Pick<Browser.webRequest.OnHeadersReceivedDetails, 'tabId' | 'url' | 'method' | 'statusCode'>

const siteOf = (address: string) => registrableHost(URL.parse(address)?.hostname ?? '')
const sends = (method: string) => !/^(?:GET|HEAD|OPTIONS)$/.test(method)

/** Notes that a script of a tab was answered, for the attempt that waits there. */
export async function onScriptAnswer({ tabId, url, method, statusCode }: Answer): Promise<void> {
  await changeTab(tabId, (tab) => {
    if (!tab.attempt) return tab
    const isOwnSite = siteOf(url) === siteOf(tab.attempt.url)
    if (!isOwnSite && !sends(method)) return tab
    const isFirst = tab.attempt.requestStatus === null && isOwnSite && sends(method)
    const requestStatus = isFirst ? statusCode : tab.attempt.requestStatus
    return { ...tab, attempt: { ...tab.attempt, requests: tab.attempt.requests + 1, requestStatus } }
  })
}

/** Script traffic is listened to for so long after an attempt, and not at all otherwise. */
const listenMs = 60_000

/**
 * Listens to what scripts ask of servers, while attempts wait. Requests of scripts are far too many to wake
 * the background for each: it is awake when an attempt was just made, and what it misses the page may tell.
 */
export function scriptTraffic(observe: (task: () => Promise<unknown>) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const listener = (details: Answer) => {
    observe(() => onScriptAnswer(details))
    return undefined
  }
  return () => {
    if (timer) clearTimeout(timer)
    else {
      browser.webRequest.onHeadersReceived.addListener(listener, {
        urls: ['http://*/*', 'https://*/*'],
        types: ['xmlhttprequest'],
      })
    }
    timer = setTimeout(() => {
      timer = null
      browser.webRequest.onHeadersReceived.removeListener(listener)
    }, listenMs)
  }
}
