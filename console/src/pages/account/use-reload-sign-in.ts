import { useQueryClient } from '@tanstack/react-query'
import { reloadSession } from '../../data/session.ts'

/** Returns a function that reloads sign-in methods and sessions, because a change of methods ends sessions. */
export function useReloadSignIn(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const keys = [['sign-in-methods'], ['sessions']]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    await reloadSession()
  }
}
