import { registrableHost } from '@muster/contract/catalog/catalog'
import { type Browser, browser } from 'wxt/browser'
import { isRefusal } from '../judgment/login-facts.ts'
import { changeTab } from '../tab-logins.ts'
import type { PendingAttempt } from './attempt.ts'
import { type PendingRequests, pendingRequests } from './pending-requests.ts'

/** Answer of a server, as much of it as is looked at. */
export interface ServerAnswer {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
  readonly method: string
  readonly isDocument: boolean
  readonly statusCode: number
  /** True if it has a `Set-Cookie` header. Neither name nor value of the cookie is read. */
  readonly setsCookie: boolean
  readonly timeMs: number
}

const siteOf = (address: string) => registrableHost(URL.parse(address)?.hostname ?? '')
const sends = (method: string) => !/^(?:GET|HEAD|OPTIONS)$/.test(method)
const isBetween = (status: number, from: number, below: number) => status >= from && status < below

/** Enters an answer into an attempt that waits; the same attempt again if it says nothing of it. */
export function withAnswer(attempt: PendingAttempt, answer: ServerAnswer): PendingAttempt {
  const { statusCode, method, timeMs } = answer
  if (timeMs < attempt.startedMs) return attempt
  const isOwnSite = siteOf(answer.url) === siteOf(attempt.url)
  const { answers } = attempt
  const cookieSet = answers.cookieSet || (answer.setsCookie && isOwnSite && statusCode < 400)
  if (answer.isDocument) {
    if (answer.frameId !== 0 && answer.frameId !== attempt.frameId) return attempt
    const isRedirect = isBetween(statusCode, 300, 400)
    return {
      ...attempt,
      answers: {
        ...answers,
        cookieSet,
        redirected: answers.redirected || isRedirect,
        isInPlace: !isRedirect && sends(method),
        documentStatus: isRedirect ? answers.documentStatus : statusCode,
      },
    }
  }
  // Requests of the page that follows are not those of the form.
  if (!isOwnSite || !sends(method) || attempt.documents > 0) {
    return cookieSet === answers.cookieSet ? attempt : { ...attempt, answers: { ...answers, cookieSet } }
  }
  return {
    ...attempt,
    answers: {
      ...answers,
      cookieSet,
      accepted: answers.accepted + (isBetween(statusCode, 200, 400) ? 1 : 0),
      refused: answers.refused + (isRefusal(statusCode) ? 1 : 0),
      answeredMs: timeMs,
    },
  }
}

/** Answers that came just before the attempt that they belong to was told of. */
const recent: ServerAnswer[] = []
const recentMaximum = 50

/** Enters the answers that came since an attempt was made, before it was told of. */
export const withRecentAnswers = (attempt: PendingAttempt): PendingAttempt =>
  recent.filter(({ tabId }) => tabId === attempt.tabId).reduce(withAnswer, attempt)

export async function onServerAnswer(answer: ServerAnswer): Promise<void> {
  recent.push(answer)
  if (recent.length > recentMaximum) recent.shift()
  await changeTab(answer.tabId, (tab) => {
    const attempt = tab.attempt && withAnswer(tab.attempt, answer)
    return attempt === tab.attempt ? tab : { ...tab, attempt }
  })
}

/** Traffic is listened to for so long after a form for a password was seen or handed in, and not at all otherwise. */
const listenMs = 120_000

const requests = { urls: ['http://*/*', 'https://*/*'] }
const scripts: Browser.webRequest.RequestFilter = { ...requests, types: ['xmlhttprequest', 'script'] }
const answers: Browser.webRequest.RequestFilter = {
  ...requests,
  types: ['main_frame', 'sub_frame', 'xmlhttprequest'],
}

/** Chromium hands `Set-Cookie` over only if asked for it; Firefox knows no such option. */
const headerOptions = (): ('responseHeaders' | 'extraHeaders')[] => {
  const options = browser.webRequest.OnHeadersReceivedOptions as Record<string, string> | undefined
  return options && 'EXTRA_HEADERS' in options ? ['responseHeaders', 'extraHeaders'] : ['responseHeaders']
}

/** Requests of scripts that wait for an answer, by tab. Lost with the worker; then nothing waits. */
export const waiting: PendingRequests = pendingRequests()

/**
 * Listens to what servers answer, while attempts wait. There is far too much traffic to wake the background for all
 * of it: it is awake when a form was just used, and what it misses the page may tell.
 */
export function scriptTraffic(inOrder: (task: () => Promise<unknown>) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const onHeaders = (details: Browser.webRequest.OnHeadersReceivedDetails) => {
    const { tabId, frameId, url, method, type, statusCode, responseHeaders, timeStamp } = details
    const answer: ServerAnswer = {
      tabId,
      frameId,
      url,
      method,
      isDocument: type !== 'xmlhttprequest',
      statusCode,
      setsCookie: responseHeaders?.some(({ name }) => name.toLowerCase() === 'set-cookie') ?? false,
      timeMs: timeStamp,
    }
    if (tabId >= 0) inOrder(() => onServerAnswer(answer))
    return undefined
  }
  const onBegin = (details: Browser.webRequest.OnBeforeRequestDetails) => {
    waiting.begin(details.requestId, details.tabId, details.timeStamp)
    return undefined
  }
  const onEnd = ({ requestId }: { readonly requestId: string }) => waiting.end(requestId)
  const stop = () => {
    timer = null
    browser.webRequest.onHeadersReceived.removeListener(onHeaders)
    browser.webRequest.onBeforeRequest.removeListener(onBegin)
    browser.webRequest.onCompleted.removeListener(onEnd)
    browser.webRequest.onErrorOccurred.removeListener(onEnd)
  }
  return () => {
    if (timer) clearTimeout(timer)
    else {
      browser.webRequest.onHeadersReceived.addListener(onHeaders, answers, headerOptions())
      browser.webRequest.onBeforeRequest.addListener(onBegin, scripts)
      browser.webRequest.onCompleted.addListener(onEnd, scripts)
      browser.webRequest.onErrorOccurred.addListener(onEnd, scripts)
    }
    timer = setTimeout(stop, listenMs)
  }
}
