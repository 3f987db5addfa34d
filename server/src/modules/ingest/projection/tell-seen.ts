import { type AgentEvent, isLoginType, type LoginEvent, type LoginType } from '@muster/contract/agent-event'
import { asDetectionEmployee } from '@muster/contract/detection'
import {
  type EventFor,
  type EventObject,
  eventDeclarationOf,
  eventObjects,
} from '@muster/contract/event-objects'
import { emitEvent, hasSubscribers } from '../../../kernel/events/outbox.ts'
import type { BatchContext } from '../batch-context.ts'
import type { NewSightings } from './detection-projection.ts'
import type { AccountLogin, LoginAccounts } from './login-accounts.ts'
import {
  bannerSeen,
  extensionSeen,
  loginSeen,
  mayBeSeen,
  placeSeen,
  type SeenBy,
  stolenSeen,
  threatObjects,
  threatSeen,
  type WorkAccount,
} from './seen-events.rules.ts'

const seenObjects = eventObjects.filter((object) =>
  ['ACTIVITY', 'CONTROL'].includes(eventDeclarationOf(object).category),
)

type Tell = <O extends EventObject>(object: O, facts: EventFor<O>['new']) => Promise<void> | undefined

/**
 * Tells what a batch has seen: logins, and what met a control. Events that were reported before are not among its
 * events, so each is told once.
 *
 * @param sightings the malicious extensions in lists of extensions that are detections now and were not before
 */
export async function tellSeen(
  context: BatchContext,
  accounts: LoginAccounts,
  sightings: NewSightings,
): Promise<void> {
  const { tx, batch, browser, shown } = context
  const events = batch.events.filter(mayBeSeen)
  if (events.length === 0 || !browser || !(await hasSubscribers(tx, batch.org, seenObjects))) return
  const { address, userAgent } = batch
  const by: SeenBy = { employee: asDetectionEmployee(shown), browser: browser.record, address, userAgent }
  const logins = new Map(accounts.logins.map((found) => [found.login, found]))
  const reported = new Set(
    events.flatMap((event) => (event.kind === 'EXTENSION_THREAT' ? [event.extensionId] : [])),
  )
  for (const event of events) {
    const tell: Tell = (object, facts) =>
      emitEvent(tx, batch.org, object, { timestamp: event.timestamp, new: facts })
    await tellOne(context, by, event, { logins, reported, sightings }, tell)
  }
}

interface Found {
  readonly logins: ReadonlyMap<LoginEvent, AccountLogin>
  /** The malicious extensions that the browser reports by themselves, too: they are told of once. */
  readonly reported: ReadonlySet<string>
  readonly sightings: NewSightings
}

async function tellOne(
  { terms }: BatchContext,
  by: SeenBy,
  event: AgentEvent,
  { logins, reported, sightings }: Found,
  tell: Tell,
): Promise<void> {
  switch (event.kind) {
    case 'LOGIN': {
      const account = workAccount(logins.get(event))
      // The events contract has no name for the others.
      if (isNamed(event)) await tell('LOGIN', loginSeen(by, event, account, providerAt(terms, event)))
      if (isStolen(event)) await tell('STOLEN_CREDENTIALS_DETECTED', stolenSeen(by, event, account))
      return
    }
    case 'BLOCKED_URL_VISITED':
      return tell('BLOCKED_URL_VISITED', placeSeen(by, event.url, event.referrerUrl))
    case 'PAGE_THREAT':
      return tell(threatObjects[event.threat], threatSeen(by, event))
    case 'EXTENSION_THREAT':
      return tell(
        'MALICIOUS_BROWSER_EXTENSION_DETECTED',
        extensionSeen(by, event.extensionId, event.disabled),
      )
    case 'EXTENSIONS':
      for (const { extensionId, enabled } of event.extensions)
        if (!reported.has(extensionId) && sightings.has(event, extensionId))
          await tell('MALICIOUS_BROWSER_EXTENSION_DETECTED', extensionSeen(by, extensionId, !enabled))
      return
    case 'APP_BANNER': {
      const banner = terms.controls.banners.find(({ id }) => id === event.bannerId)
      // What a banner said that is not there any more, nobody knows.
      if (!banner) return
      const appType = terms.catalog.byHost(event.host)?.appType ?? null
      return tell('APP_BANNER', bannerSeen(by, event, banner, appType))
    }
  }
}

/** The identity provider of the catalog whose login page it is. */
const providerAt = ({ catalog }: BatchContext['terms'], { loginUrl }: LoginEvent): string | undefined => {
  const host = URL.parse(loginUrl)?.hostname
  if (!host) return undefined
  return catalog.providerByHost(host) ?? catalog.byHost(host)?.identityProvider
}

const isNamed = (login: LoginEvent): login is LoginEvent & { readonly loginType: LoginType } =>
  isLoginType(login.loginType)

const isStolen = ({ password }: LoginEvent): boolean => (password?.stolenIds?.length ?? 0) > 0

const workAccount = (found: AccountLogin | undefined): WorkAccount | undefined => {
  if (found === undefined || !('account' in found)) return undefined
  const { id: accountId, appType, appId } = found.account.record
  return { accountId, appType, appId }
}
