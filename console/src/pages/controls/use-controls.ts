import type { Controls } from '@muster/contract/controls'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { ConsoleError } from '../../data/console-send.ts'
import { tell } from '../../ui/toasts.tsx'

const controlsKey = ['controls']

/** The controls of the organisation, and the state that a change is made from. */
export function useControls() {
  return useQuery({ queryKey: controlsKey, queryFn: () => callConsole('readControls') })
}

/** What rules can name. */
export function useChoices() {
  return useQuery({
    queryKey: ['control-choices'],
    queryFn: () => callConsole('readControlChoices'),
    staleTime: 5 * 60_000,
  })
}

/** Changes some members of the controls. If somebody else has changed them meanwhile, they are read anew. */
export function useChangeControls(onChanged?: () => void) {
  const client = useQueryClient()
  const { data } = useControls()
  return useMutation({
    mutationFn: (change: Partial<Controls>) =>
      callConsole('changeControls', { body: { seen: data?.version ?? '-', change } }),
    onSuccess: (state) => {
      client.setQueryData(controlsKey, state)
      tell('Saved. Browsers hear of it at their next report.')
      onChanged?.()
    },
    onError: (error) => {
      if (error instanceof ConsoleError && error.code === 'conflict')
        void client.invalidateQueries({ queryKey: controlsKey })
    },
  })
}

/** A copy of some of the controls to be worked on until it is saved; `kept` is what the server has. */
export function useDraft<T>(kept: T) {
  const [draft, setDraft] = useState<T>()
  const changed = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(kept)
  return { value: draft ?? kept, changed, set: (next: T) => setDraft(next), drop: () => setDraft(undefined) }
}
