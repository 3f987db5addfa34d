import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

/** So long nothing more must be asked for until a page counts as complete. */
const quietMs = 40
/** After so long a page is shown with what it has. */
const patienceMs = 1500

/** Whether what a page asks for at first has come, and what that asks for in turn. Once it has, it stays so. */
function useComplete(): boolean {
  const [complete, setComplete] = useState(false)
  const coming = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0
  useEffect(() => {
    const timer = setTimeout(() => setComplete(true), coming ? patienceMs : quietMs)
    return () => clearTimeout(timer)
  }, [coming])
  return complete
}

/**
 * The frame of a page. It keeps its room and is shown at once when all its parts are there, so that none of them pushes
 * the others away.
 */
export function Page({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  const complete = useComplete()
  return (
    <div className={wide ? 'page wide' : 'page'} data-coming={!complete || undefined}>
      {children}
    </div>
  )
}
