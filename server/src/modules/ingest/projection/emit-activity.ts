import {
  type AgentEvent,
  isLoginType,
  type LoginEvent,
  type LoginType,
} from '@muster/contract/agent/agent-event'
import {
  type EventFor,
  type EventObject,
  eventDeclarationOf,
  eventObjects,
} from '@muster/contract/events/event-objects'
import { asDetectionEmployee } from '@muster/contract/records/detection'
import { emitEvent, hasSubscribers } from '../../../kernel/events/outbox.ts'
import type { BatchContext } from '../batch-context.ts'
import {
  bannerFacts,
  canEmitEvent,
  extensionFacts,
  loginFacts,
  pageFacts,
  type ReportSource,
  stolenCredentialFacts,
  threatFacts,
  threatObjects,
  type WorkAccount,
} from './activity-events.rules.ts'
import type { NewDetections } from './detection-projection.ts'
import type { AccountLogin, LoginAccounts } from './login-accounts.ts'

const activityObjects = eventObjects.filter((object) =>
  ['ACTIVITY', 'CONTROL'].includes(eventDeclarationOf(object).category),
)

type Emit = <O extends EventObject>(object: O, facts: EventFor<O>['new']) => Promise<void> | undefined

/**
 * Emits the events of logins and controls in a batch. Duplicates were removed from the batch, so each event
 * is emitted once.
 *
 * @param added detections that the batch created, as opposed to known ones
 */
export async function emitActivity(
  context: BatchContext,
  accounts: LoginAccounts,
  added: NewDetections,
): Promise<void> {
  const { tx, batch, browser, primary } = context
  const events = batch.events.filter(canEmitEvent)
  if (events.length === 0 || !browser || !(await hasSubscribers(tx, batch.org, activityObjects))) return
  const { address, userAgent } = batch
  const source: ReportSource = {
    employee: asDetectionEmployee(primary),
    browser: browser.record,
    address,
    userAgent,
  }
  const logins = new Map(accounts.logins.map((found) => [found.login, found]))
  const reportedExtensions = new Set(
    events.flatMap((event) => (event.kind === 'EXTENSION_THREAT' ? [event.extensionId] : [])),
  )
  for (const event of events) {
    const emit: Emit = (object, facts) =>
      emitEvent(tx, batch.org, object, { timestamp: event.timestamp, new: facts })
    await emitOne(context, source, event, { logins, reportedExtensions, added }, emit)
  }
}

interface BatchFacts {
  readonly logins: ReadonlyMap<LoginEvent, AccountLogin>
  /**
   * Malicious extensions with an event of their own in the batch; the list of extensions does not emit them
   * again.
   */
  readonly reportedExtensions: ReadonlySet<string>
  readonly added: NewDetections
}

async function emitOne(
  { settings }: BatchContext,
  source: ReportSource,
  event: AgentEvent,
  { logins, reportedExtensions, added }: BatchFacts,
  emit: Emit,
): Promise<void> {
  switch (event.kind) {
    case 'LOGIN': {
      const account = workAccount(logins.get(event))
      // The events contract has no object for the other kinds of login.
      if (hasContractType(event))
        await emit('LOGIN', loginFacts(source, event, account, providerAt(settings, event)))
      if (isStolen(event))
        await emit('STOLEN_CREDENTIALS_DETECTED', stolenCredentialFacts(source, event, account))
      return
    }
    case 'BLOCKED_URL_VISITED':
      return emit('BLOCKED_URL_VISITED', pageFacts(source, event.url, event.referrerUrl))
    case 'PAGE_THREAT':
      return emit(threatObjects[event.threat], threatFacts(source, event))
    case 'EXTENSION_THREAT':
      return emit(
        'MALICIOUS_BROWSER_EXTENSION_DETECTED',
        extensionFacts(source, event.extensionId, event.disabled),
      )
    case 'EXTENSIONS':
      for (const { extensionId, enabled } of event.extensions)
        if (!reportedExtensions.has(extensionId) && added.has(event, extensionId))
          await emit('MALICIOUS_BROWSER_EXTENSION_DETECTED', extensionFacts(source, extensionId, !enabled))
      return
    case 'APP_BANNER': {
      const banner = settings.controls.banners.find(({ id }) => id === event.bannerId)
      // The text of a removed banner is unknown.
      if (!banner) return
      const appType = settings.catalog.byHost(event.host)?.appType ?? null
      return emit('APP_BANNER', bannerFacts(source, event, banner, appType))
    }
  }
}

/** Returns the identity provider of the catalog that owns the login page. */
const providerAt = ({ catalog }: BatchContext['settings'], { loginUrl }: LoginEvent): string | undefined => {
  const host = URL.parse(loginUrl)?.hostname
  if (!host) return undefined
  return catalog.providerByHost(host) ?? catalog.byHost(host)?.identityProvider
}

const hasContractType = (login: LoginEvent): login is LoginEvent & { readonly loginType: LoginType } =>
  isLoginType(login.loginType)

const isStolen = ({ password }: LoginEvent): boolean => (password?.stolenIds?.length ?? 0) > 0

const workAccount = (found: AccountLogin | undefined): WorkAccount | undefined => {
  if (found === undefined || !('account' in found)) return undefined
  const { id: accountId, appType, appId } = found.account.record
  return { accountId, appType, appId }
}
