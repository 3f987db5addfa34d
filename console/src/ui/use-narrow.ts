import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 720px)')

/** Returns true while the window is as narrow as a phone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
