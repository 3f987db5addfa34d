import { browser } from 'wxt/browser'
import { taskQueue } from '../state/session-value.ts'
import { reportLeftoverLogins } from './attempts/finish-login.ts'
import { noteSocket } from './attempts/open-sockets.ts'
import { noteOpenedTab } from './attempts/opener-tabs.ts'
import { watchScriptTraffic } from './attempts/script-traffic.ts'
import type { LoginDeps } from './login-deps.ts'
import { type ObservationHandlers, observationHandlers } from './observation-handlers.ts'
import { onAuthRequired } from './passwordless/track-passwordless.ts'
import { tabTable } from './tab-logins.ts'
import { onCommitted, onPageAnswer, onPageRequest, onTabClosed, pageRequest } from './track-navigation.ts'

const everywhere = ['http://*/*', 'https://*/*']

/**
 * Registers the listeners that observe logins, visits and pages. Call synchronously while the worker starts, or the
 * browser does not wake the worker for these events.
 *
 * @returns the handlers of observer messages, for the message server
 */
export function registerLogins(deps: LoginDeps): ObservationHandlers {
  const enqueue = taskQueue()
  /** Runs a task unless the browser is not enrolled or dormant. */
  const observe = (task: () => Promise<unknown>) => {
    enqueue(async () => {
      if (await deps.policy()) await task()
    }).catch(() => undefined)
  }

  observe(() => reportLeftoverLogins(deps))
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
  const listenToScripts = watchScriptTraffic(observe)
  // An earlier background may have been stopped while an attempt was pending.
  observe(async () => {
    if (Object.values(await tabTable.read()).some(({ attempt }) => attempt !== null)) listenToScripts()
  })
  const handlers = observationHandlers(deps, enqueue)
  return {
    ...handlers,
    // The page has a password form: its response may arrive before the message about the submission.
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
