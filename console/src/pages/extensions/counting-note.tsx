import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { callConsole } from '../../data/call.ts'
import { Moment } from '../../ui/text/moment.tsx'

const countingMs = 1500

/** Polls the state of the extension count while it runs. */
export const useCounting = () =>
  useQuery({
    queryKey: ['extension-counting'],
    queryFn: () => callConsole('readExtensionCounting'),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && !state.data.running && state.data.countedTimestamp !== null ? false : countingMs,
  })

/** Text of the empty list. */
export function NoneCounted() {
  const { data } = useCounting()
  if (data?.countedTimestamp === null)
    return <p>Extensions are being counted for the first time. They appear when that is done.</p>
  return <p>Extensions appear when enrolled browsers report them.</p>
}

/** Shows the age of the extension counts, and reloads the list after a new count. */
export function CountingNote() {
  const client = useQueryClient()
  const { data } = useCounting()
  const counted = data?.countedTimestamp ?? null
  useEffect(() => {
    if (counted === null) return
    void client.invalidateQueries({ queryKey: ['list', 'extensionGroups'] })
    void client.invalidateQueries({ queryKey: ['count', 'extensionGroups'] })
  }, [client, counted])
  // The link comes first, because the length of the rest changes and would move it.
  return (
    <p className="soft small">
      <Link to="/installations">View every installation</Link>.{' '}
      {counted === null ? (
        'Counting all browsers…'
      ) : (
        <>
          Counts updated <Moment seconds={counted} />
          {data?.running ? ', updating now.' : '.'}
        </>
      )}
    </p>
  )
}
