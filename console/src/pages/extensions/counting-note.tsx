import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { callConsole } from '../../data/call.ts'
import { Moment } from '../../ui/text/moment.tsx'

const countingMs = 1500

/** How the counting stands, asked again and again while it runs. */
export const useCounting = () =>
  useQuery({
    queryKey: ['extension-counting'],
    queryFn: () => callConsole('readExtensionCounting'),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && !state.data.running && state.data.countedTimestamp !== null ? false : countingMs,
  })

/** What is said where the list is empty. */
export function NoneCounted() {
  const { data } = useCounting()
  if (data?.countedTimestamp === null)
    return <p>They are being counted over all browsers for the first time, and appear as soon as they are.</p>
  return <p>They appear when enrolled browsers report what is installed in them.</p>
}

/** Of when the list of extensions is; a new counting is shown as soon as it is there. */
export function CountingNote() {
  const client = useQueryClient()
  const { data } = useCounting()
  const counted = data?.countedTimestamp ?? null
  useEffect(() => {
    if (counted === null) return
    void client.invalidateQueries({ queryKey: ['list', 'extensionGroups'] })
    void client.invalidateQueries({ queryKey: ['count', 'extensionGroups'] })
  }, [client, counted])
  // The link comes first: what follows changes its length when a counting ends, and would move it.
  return (
    <p className="soft small">
      <Link to="/installations">Each installation by itself</Link>.{' '}
      {counted === null ? (
        'Being counted over all browsers.'
      ) : (
        <>
          Counted over all browsers <Moment seconds={counted} />
          {data?.running ? ', and being counted anew.' : '.'}
        </>
      )}
    </p>
  )
}
