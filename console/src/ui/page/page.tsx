import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

/** Time without pending queries after which a page counts as complete. */
const quietMs = 40
/** Time after which an incomplete page is shown anyway. */
const patienceMs = 1500

/** Returns true once the initial queries of a page, and those that they trigger, have settled. Never reverts. */
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
 * The frame of a page. Reserves its space and becomes visible once all parts have loaded, to avoid layout shifts.
 */
export function Page({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  const complete = useComplete()
  return (
    <div className={wide ? 'page wide' : 'page'} data-coming={!complete || undefined}>
      {children}
    </div>
  )
}
