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

/** A change of some members, and the state of the controls that it was made from. */
interface ControlsChange {
  readonly seen: string
  readonly change: Partial<Controls>
}

/** Changes some members of the controls. If somebody else has changed them meanwhile, it is refused. */
export function useChangeControls(onChanged?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ControlsChange) => callConsole('changeControls', { body }),
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

interface Draft<T> {
  readonly value: T
  readonly seen: string
}

/**
 * A copy of some of the controls to be worked on until it is saved; `kept` is what the server has. `seen` is the state
 * that the work was begun from: what others do meanwhile is not overwritten unseen.
 */
export function useDraft<T>(kept: T) {
  const version = useControls().data?.version ?? '-'
  const [draft, setDraft] = useState<Draft<T>>()
  const changed = draft !== undefined && JSON.stringify(draft.value) !== JSON.stringify(kept)
  return {
    value: draft?.value ?? kept,
    seen: draft?.seen ?? version,
    changed,
    set: (value: T) => setDraft({ value, seen: draft?.seen ?? version }),
    drop: () => setDraft(undefined),
  }
}
