import { type SessionValue, sessionValue, taskQueue } from '../state/session-value.ts'
import { type Stored, stored } from '../state/stored.ts'
import type { PendingAttempt } from './attempts/attempt.ts'
import type { SlowChecks } from './complete-login.ts'
import type { FederatedLogin, TabFlows } from './federation/federation.ts'

/** Identity entered on an earlier page of a login. */
interface IdentityHint {
  readonly identity: string
  readonly timeMs: number
}

/** Sign-in with a provider that the app has not answered yet, and the frame that will show the answer. */
interface ArrivingLogin {
  readonly login: FederatedLogin
  readonly frameId: number
}

/** Login state of a tab. Not kept when the browser closes. */
export interface TabLogins {
  readonly attempt: PendingAttempt | null
  /** Results of the attempt's password checks; null until they are done. */
  readonly checked: SlowChecks | null
  readonly flows: TabFlows
  readonly hint: IdentityHint | null
  /** Sign-ins with a provider whose page at the app is still loading. */
  readonly arriving: readonly ArrivingLogin[]
  /** Time at which a dashboard that fills in forms opened the app in this tab; null if none did. */
  readonly launchedMs: number | null
}

export const idleTab: TabLogins = {
  attempt: null,
  checked: null,
  flows: [],
  hint: null,
  arriving: [],
  launchedMs: null,
}

export type TabTable = Readonly<Record<string, TabLogins>>

export const tabTable: SessionValue<TabTable> = sessionValue<TabTable>('logins.tabs', {})

/** Last identity seen at each provider, by provider token. */
export const providerIdentities: Stored<Readonly<Record<string, string>>> = stored<
  Readonly<Record<string, string>>
>('logins.providerIdentities', {})

const isIdle = (tab: TabLogins) =>
  !tab.attempt && tab.flows.length === 0 && !tab.hint && tab.arriving.length === 0 && tab.launchedMs === null

const enqueue = taskQueue()

/** Updates the state of a tab. Updates run one after the other. */
export function changeTab(tabId: number, change: (tab: TabLogins) => TabLogins): Promise<TabLogins> {
  return enqueue(async () => {
    const table = await tabTable.read()
    const before = table[tabId] ?? idleTab
    const after = change(before)
    if (after === before) return after
    const { [tabId]: _, ...others } = table
    await tabTable.write(isIdle(after) ? others : { ...others, [tabId]: after })
    return after
  })
}

export const readTab = async (tabId: number): Promise<TabLogins> => (await tabTable.read())[tabId] ?? idleTab
