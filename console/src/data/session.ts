import type { Role } from '@muster/contract/console/console-operation'
import type { SignInState } from '@muster/contract/console/console-session'
import { type Query, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { callConsole } from './call.ts'
import { ConsoleError, setAdministratorIdSource } from './console-send.ts'
import { forgetPages } from './recent-pages.ts'
import { notifyTabs } from './session-tabs.ts'

const sessionKey = ['session']

/** The browser's online state is no evidence: the server may run on this machine, or be down. */
const networkMode = 'always'

/** Cache of server responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 30_000,
      // Client errors are not retried.
      retry: (count, error) =>
        count < 2 && !(error instanceof ConsoleError && error.status < 500 && error.status > 0),
    },
    mutations: { networkMode },
  },
})

/** Session of this page. When it expires, the page stays mounted below the sign-in, to keep unsaved work. */
export interface PageSession extends SignInState {
  /** Sign-in state after the session has expired; undefined while it is active. */
  readonly again?: SignInState
}

const kept = () => queryClient.getQueryData<PageSession>(sessionKey)

setAdministratorIdSource(() => kept()?.administrator?.id)

const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async () => follow(await callConsole('readSession')),
  staleTime: Infinity,
})

/** Starts loading the session before the first render. */
export const prefetchSession = (): void => void queryClient.prefetchQuery(sessionQuery)

/** Returns the session; undefined while loading. */
export function useSession() {
  return useQuery({
    ...sessionQuery,
    // Another tab may have signed in again.
    refetchOnWindowFocus: ({ state: { data } }) => (data?.again ? 'always' : false),
  })
}

/** Returns true while the sign-in covers the page because the session has expired. */
export const useCovered = (): boolean => useSession().data?.again !== undefined

const allElse = { predicate: ({ queryKey }: Query) => queryKey[0] !== sessionKey[0] }

function forget(): void {
  queryClient.removeQueries(allElse)
  queryClient.getMutationCache().clear()
  forgetPages()
}

/** Derives the page's session from a sign-in state. Drops cached data when the administrator changes. */
function follow(state: SignInState): PageSession {
  const before = kept()
  if (before?.state === 'SIGNED_IN' && state.state !== 'SIGNED_IN') {
    // Keep only the data that the page below the sign-in shows.
    if (!before.again) queryClient.removeQueries({ ...allElse, type: 'inactive' })
    return { ...before, again: state }
  }
  if (before?.administrator?.id !== state.administrator?.id) forget()
  else if (before?.again) void queryClient.invalidateQueries(allElse)
  return state
}

function keep(session: PageSession): void {
  // A pending response is older than this state.
  void queryClient.cancelQueries({ queryKey: sessionKey })
  queryClient.setQueryData(sessionKey, session)
}

/** Applies a new sign-in state. */
export function setSession(state: SignInState): void {
  keep(follow(state))
  notifyTabs('changed')
}

/** Ends this session or all sessions of the administrator, and shows an empty sign-in. @throws ConsoleError */
export async function signOut(how: 'signOut' | 'signOutEverywhere' = 'signOut'): Promise<void> {
  await callConsole(how)
  notifyTabs('signed-out')
  const state = await callConsole('readSession')
  forget()
  keep(state)
}

/** Drops all data and shows the sign-in, after another tab signed out. */
export function dropSession(): void {
  const before = kept()
  if (before?.state !== 'SIGNED_IN') return
  forget()
  const nobody = { administrator: null, organization: null, reauthenticationUntilTimestamp: null }
  keep({ ...nobody, state: 'SIGNED_OUT', secondFactors: [], setupNeeded: false, oidcName: before.oidcName })
}

/** Reloads the session from the server. */
export const reloadSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionKey })

const ranks: Record<Role, number> = { READ_ONLY: 0, FULL_ACCESS: 1, OWNER: 2 }

/** Returns true if the administrator has at least this role. */
export function useHasRole(needed: Role): boolean {
  const { data } = useSession()
  const role = data?.administrator?.role
  return role !== undefined && ranks[role] >= ranks[needed]
}
