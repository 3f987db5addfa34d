import { browser } from 'wxt/browser'
import { inTurn } from '../state/session-value.ts'
import { finishLeftLogins } from './attempts/finish-login.ts'
import { noteSocket } from './attempts/open-sockets.ts'
import { noteOpenedTab } from './attempts/opener-tabs.ts'
import { scriptTraffic } from './attempts/script-traffic.ts'
import type { LoginDeps } from './login-deps.ts'
import { type ObservationHandlers, observationHandlers } from './observation-handlers.ts'
import { onAuthRequired } from './passwordless/track-passwordless.ts'
import { tabTable } from './tab-logins.ts'
import { onCommitted, onPageAnswer, onPageRequest, onTabClosed, pageRequest } from './track-navigation.ts'

const everywhere = ['http://*/*', 'https://*/*']

/**
 * Lets the background observe logins, visits and what pages do. To be called while the worker starts, before
 * anything is awaited, or the browser would not wake it for what is listened to here.
 *
 * @returns the handlers of the observers' messages, for the message server
 */
export function registerLogins(deps: LoginDeps): ObservationHandlers {
  const turn = inTurn()
  /** Nothing is observed while the browser is not enrolled or dormant. */
  const observe = (task: () => Promise<unknown>) => {
    turn(async () => {
      if (await deps.policy()) await task()
    }).catch(() => undefined)
  }

  observe(() => finishLeftLogins(deps))
  browser.webRequest.onBeforeRequest.addListener(
    (details) => {
      const request = pageRequest(details)
      observe(async () => {
        const seen = await request
        if (seen) await onPageRequest(deps, seen)
      })
      return undefined
    },
    { urls: everywhere, types: ['main_frame', 'sub_frame'] },
    ['requestBody'],
  )
  browser.webRequest.onCompleted.addListener((details) => observe(() => onPageAnswer(deps, details)), {
    urls: everywhere,
    types: ['main_frame', 'sub_frame'],
  })
  browser.webRequest.onAuthRequired.addListener(
    ({ tabId, isProxy, url }) => {
      if (!isProxy) observe(() => onAuthRequired(tabId, url))
      return undefined
    },
    { urls: everywhere, types: ['main_frame'] },
  )
  browser.webRequest.onBeforeRequest.addListener(
    ({ tabId }) => {
      observe(() => noteSocket(tabId))
      return undefined
    },
    { urls: ['ws://*/*', 'wss://*/*'], types: ['websocket'] },
  )
  browser.webNavigation.onCommitted.addListener((details) => observe(() => onCommitted(deps, details)))
  browser.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId }) =>
    observe(() => noteOpenedTab(tabId, sourceTabId)),
  )
  browser.tabs.onRemoved.addListener((tabId) => observe(() => onTabClosed(deps, tabId)))
  const listenToScripts = scriptTraffic(observe)
  // An earlier background may have been stopped while an attempt waited.
  observe(async () => {
    if (Object.values(await tabTable.read()).some(({ attempt }) => attempt !== null)) listenToScripts()
  })
  const handlers = observationHandlers(deps, turn)
  return {
    ...handlers,
    // A form for a password is there: its answer may be faster than the message that it was handed in.
    passwordKit: (body, from) => {
      listenToScripts()
      return handlers.passwordKit(body, from)
    },
    loginAttempt: (body, from) => {
      listenToScripts()
      return handlers.loginAttempt(body, from)
    },
  }
}
