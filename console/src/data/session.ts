import type { Role } from '@muster/contract/console/console-operation'
import type { SignInState } from '@muster/contract/console/console-session'
import { type Query, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { callConsole } from './call.ts'
import { ConsoleError, setPageOf } from './console-send.ts'
import { forgetPages } from './recent-pages.ts'
import { tellTabs } from './session-tabs.ts'

const sessionKey = ['session']

/** Whether the browser knows of a network says nothing of the server: it may be on this very machine, or not answer. */
const networkMode = 'always'

/** What the page keeps of the server's answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 30_000,
      // What the server has refused it refuses again.
      retry: (count, error) =>
        count < 2 && !(error instanceof ConsoleError && error.status < 500 && error.status > 0),
    },
    mutations: { networkMode },
  },
})

/** Who is signed in on this page. When their session ends by itself, what they work on stays, below the sign-in. */
export interface PageSession extends SignInState {
  /** How far signing in again has come; undefined while the session lives. */
  readonly again?: SignInState
}

const kept = () => queryClient.getQueryData<PageSession>(sessionKey)

setPageOf(() => kept()?.administrator?.id)

const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async () => follow(await callConsole('readSession')),
  staleTime: Infinity,
})

/** Asks the server who is signed in, before anything is shown that needs the answer. */
export const preloadSession = (): void => void queryClient.prefetchQuery(sessionQuery)

/** Who is signed in; undefined until the server has said so. */
export function useSession() {
  return useQuery({
    ...sessionQuery,
    // Somebody may have signed in again in another tab.
    refetchOnWindowFocus: ({ state: { data } }) => (data?.again ? 'always' : false),
  })
}

/** Whether the session has ended, and the sign-in stands above the page. */
export const useCovered = (): boolean => useSession().data?.again !== undefined

const allElse = { predicate: ({ queryKey }: Query) => queryKey[0] !== sessionKey[0] }

function forget(): void {
  queryClient.removeQueries(allElse)
  queryClient.getMutationCache().clear()
  forgetPages()
}

/** What the page makes of how far signing in has come. What was read for somebody else is forgotten. */
function follow(state: SignInState): PageSession {
  const before = kept()
  if (before?.state === 'SIGNED_IN' && state.state !== 'SIGNED_IN') {
    // The page below the sign-in keeps what it shows, and nothing else.
    if (!before.again) queryClient.removeQueries({ ...allElse, type: 'inactive' })
    return { ...before, again: state }
  }
  if (before?.administrator?.id !== state.administrator?.id) forget()
  else if (before?.again) void queryClient.invalidateQueries(allElse)
  return state
}

function keep(session: PageSession): void {
  // What is on its way was answered before.
  void queryClient.cancelQueries({ queryKey: sessionKey })
  queryClient.setQueryData(sessionKey, session)
}

/** Takes over how far signing in has come. */
export function setSession(state: SignInState): void {
  keep(follow(state))
  tellTabs('changed')
}

/** Ends the session, or all of one's own, and shows the sign-in with nothing below it. @throws ConsoleError */
export async function signOut(how: 'signOut' | 'signOutEverywhere' = 'signOut'): Promise<void> {
  await callConsole(how)
  tellTabs('signed-out')
  const state = await callConsole('readSession')
  forget()
  keep(state)
}

/** Drops everything and shows the sign-in: somebody signed out in another tab. */
export function dropSession(): void {
  const before = kept()
  if (before?.state !== 'SIGNED_IN') return
  forget()
  const nobody = { administrator: null, organization: null, reauthenticationUntilTimestamp: null }
  keep({ ...nobody, state: 'SIGNED_OUT', secondFactors: [], setupNeeded: false, oidcName: before.oidcName })
}

/** Asks the server anew who is signed in. */
export const reloadSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionKey })

const ranks: Record<Role, number> = { READ_ONLY: 0, FULL_ACCESS: 1, OWNER: 2 }

/** Whether who is signed in may do what a role may. */
export function useMay(needed: Role): boolean {
  const { data } = useSession()
  const role = data?.administrator?.role
  return role !== undefined && ranks[role] >= ranks[needed]
}
