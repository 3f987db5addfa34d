import { browser } from 'wxt/browser'
import { answerObservation } from './answer-observation.ts'
import { onCommitted, onPageAnswer, onPageRequest, onTabClosed, pageRequest } from './follow-navigation.ts'
import type { LoginDeps } from './login-deps.ts'
import { isObservation } from './observation-shapes.ts'
import { rateLimit } from './rate-limit.ts'
import { inTurn } from './session-value.ts'

const everywhere = ['http://*/*', 'https://*/*']

/** Messages of a tab within a minute; a process that was taken over shall not wear the agent out. */
const messagesPerMinute = 240

/**
 * Lets the background observe logins, visits and what pages do. To be called while the worker starts, before
 * anything is awaited, or the browser would not wake it for what is listened to here.
 */
export function registerLogins(deps: LoginDeps): void {
  const turn = inTurn()
  /** Nothing is observed while the browser is not enrolled or dormant. */
  const observe = (task: () => Promise<unknown>) => {
    turn(async () => {
      if (await deps.policy()) await task()
    }).catch(() => undefined)
  }

  browser.webRequest.onBeforeRequest.addListener(
    (details) => {
      const request = pageRequest(details)
      observe(async () => {
        const seen = await request
        if (seen) await onPageRequest(deps, seen)
      })
      return undefined
    },
    { urls: everywhere, types: ['main_frame'] },
    ['requestBody'],
  )
  browser.webRequest.onCompleted.addListener((details) => observe(() => onPageAnswer(deps, details)), {
    urls: everywhere,
    types: ['main_frame', 'sub_frame'],
  })
  browser.webNavigation.onCommitted.addListener((details) => observe(() => onCommitted(deps, details)))
  browser.tabs.onRemoved.addListener((tabId) => observe(() => onTabClosed(deps, tabId)))
  serveObservations(deps, turn)
}

/** Answers the observers in pages, and nobody else. */
function serveObservations(deps: LoginDeps, turn: ReturnType<typeof inTurn>): void {
  const mayTell = rateLimit(messagesPerMinute, 60_000)
  browser.runtime.onMessage.addListener((message: unknown, sender, sendResponse) => {
    if (sender.id !== browser.runtime.id || !isObservation(message)) return undefined
    const tabId = sender.tab?.id
    const { url, frameId } = sender
    if (tabId === undefined || frameId === undefined || !url || !mayTell(tabId, Date.now())) return undefined
    turn(async () =>
      (await deps.policy()) ? answerObservation(deps, { tabId, frameId, url }, message) : null,
    )
      .then(sendResponse)
      .catch(() => sendResponse(null))
    return true
  })
}
