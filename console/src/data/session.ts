import type { Role } from '@muster/contract/console/console-operation'
import type { SignInState } from '@muster/contract/console/console-session'
import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole } from './call.ts'
import { ConsoleError } from './console-send.ts'
import { forgetPages } from './recent-pages.ts'

const sessionKey = ['session']

/** What the page keeps of the server's answers. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the server has refused it refuses again.
      retry: (count, error) =>
        count < 2 && !(error instanceof ConsoleError && error.status < 500 && error.status > 0),
    },
  },
})

/** Who is signed in; undefined until the server has said so. */
export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: () => callConsole('readSession'), staleTime: Infinity })
}

/** Takes over how far signing in has come. What was read for somebody else is forgotten. */
export function useSetSession(): (state: SignInState) => void {
  const client = useQueryClient()
  return (state) => {
    const before = client.getQueryData<SignInState>(sessionKey)?.administrator?.id
    if (before !== state.administrator?.id) {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      forgetPages()
    }
    client.setQueryData(sessionKey, state)
  }
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
