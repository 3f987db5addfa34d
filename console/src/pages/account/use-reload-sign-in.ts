import { useQueryClient } from '@tanstack/react-query'
import { reloadSession } from '../../data/session.ts'

/** Reads anew how and where one is signed in: a change of the one ends what was of the other. */
export function useReloadSignIn(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const keys = [['sign-in-methods'], ['sessions']]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    await reloadSession()
  }
}
