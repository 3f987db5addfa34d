import { registrableHost } from '@muster/contract/catalog/catalog'
import { type Browser, browser } from 'wxt/browser'
import { isRefusal } from '../judgment/login-facts.ts'
import { changeTab } from '../tab-logins.ts'
import type { PendingAttempt } from './attempt.ts'
import { type PendingRequests, pendingRequests } from './pending-requests.ts'

/** Server response, reduced to the parts that are used. */
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

/** Applies a response to a pending attempt. Returns the same object if the response is irrelevant. */
function withAnswer(attempt: PendingAttempt, answer: ServerAnswer): PendingAttempt {
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
  // Requests of the next page are not those of the form.
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

/** Recent responses, which may arrive before the message about their attempt. */
const recent: ServerAnswer[] = []
const recentMaximum = 50

/** Applies the responses that arrived between the press and its message. */
export const withRecentAnswers = (attempt: PendingAttempt): PendingAttempt =>
  recent.filter(({ tabId }) => tabId === attempt.tabId).reduce(withAnswer, attempt)

async function onServerAnswer(answer: ServerAnswer): Promise<void> {
  recent.push(answer)
  if (recent.length > recentMaximum) recent.shift()
  await changeTab(answer.tabId, (tab) => {
    const attempt = tab.attempt && withAnswer(tab.attempt, answer)
    return attempt === tab.attempt ? tab : { ...tab, attempt }
  })
}

/**
 * Time for which traffic is observed after a password form was seen or submitted. Otherwise it is not observed at all.
 */
const listenMs = 120_000

const requests = { urls: ['http://*/*', 'https://*/*'] }
const scripts: Browser.webRequest.RequestFilter = { ...requests, types: ['xmlhttprequest', 'script'] }
const answers: Browser.webRequest.RequestFilter = {
  ...requests,
  types: ['main_frame', 'sub_frame', 'xmlhttprequest'],
}

/** Returns the listener options. Chromium includes `Set-Cookie` only on request; Firefox has no such option. */
const headerOptions = (): ('responseHeaders' | 'extraHeaders')[] => {
  const options = browser.webRequest.OnHeadersReceivedOptions as Record<string, string> | undefined
  return options && 'EXTRA_HEADERS' in options ? ['responseHeaders', 'extraHeaders'] : ['responseHeaders']
}

/** Pending script requests by tab. Lost with the worker, after which every tab counts as quiet. */
export const pendingScriptRequests: PendingRequests = pendingRequests()

/**
 * Observes server responses while attempts are pending. Traffic is too heavy to wake the background for all of it. The
 * background is awake right after a form was used, and the page may report what it misses.
 */
export function watchScriptTraffic(inOrder: (task: () => Promise<unknown>) => void): () => void {
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
    pendingScriptRequests.begin(details.requestId, details.tabId, details.timeStamp)
    return undefined
  }
  const onEnd = ({ requestId }: { readonly requestId: string }) => pendingScriptRequests.end(requestId)
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
