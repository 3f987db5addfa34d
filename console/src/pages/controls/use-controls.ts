import type { Controls } from '@muster/contract/controls'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { ConsoleError } from '../../data/console-send.ts'
import { tell } from '../../ui/dialog/toasts.tsx'

const controlsKey = ['controls']

/** The controls of the organization, and the state that a change is made from. */
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

/** How changes stand that are made in a page and saved together. */
export interface Unsaved {
  readonly changed: boolean
  readonly saving: boolean
  readonly error: unknown
  save(): void
  drop(): void
}

/** Keeps a draft as it is while a dialog works on a part of it, though the controls are read anew meanwhile. */
export interface Holding {
  hold(): void
  release(): void
}

/**
 * Which element of a list of a draft a dialog works on, by its place; one behind the last is a new one. The draft is held
 * while it is open.
 */
export function useEdited(draft: Holding) {
  const [edited, setEdited] = useState<number>()
  return {
    edited,
    edit: (place: number) => {
      draft.hold()
      setEdited(place)
    },
    close: () => {
      draft.release()
      setEdited(undefined)
    },
  }
}

interface Draft<T> {
  readonly value: T
  readonly seen: string
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * A copy of some of the controls to be worked on until it is saved. `seen` is the state that the work was begun from: if
 * somebody else has changed the controls meanwhile, it is refused. Work in a dialog begins when it opens.
 *
 * @param kept what the server has
 * @param changeOf what of it is sent
 */
export function useDraft<T>(
  kept: T,
  changeOf: (value: T) => Partial<Controls>,
): Unsaved & Holding & { readonly value: T; set(value: T): void } {
  const client = useQueryClient()
  const version = useControls().data?.version ?? '-'
  const [draft, setDraft] = useState<Draft<T>>()
  const [held, setHeld] = useState<Draft<T>>()
  const begun = draft ?? held
  const change = useMutation({
    mutationFn: ({ value, seen }: Draft<T>) =>
      callConsole('changeControls', { body: { seen, change: changeOf(value) } }),
    onSuccess: (state, sent) => {
      client.setQueryData(controlsKey, state)
      tell('Saved. Browsers apply the change at their next check-in.')
      // What was done since it was sent stays, and goes on from what is saved now.
      setDraft((now) =>
        now === undefined || isSame(now.value, sent.value)
          ? undefined
          : { value: now.value, seen: state.version },
      )
      setHeld((now) => now && { value: sent.value, seen: state.version })
    },
    onError: (error) => {
      if (error instanceof ConsoleError && error.code === 'conflict')
        void client.invalidateQueries({ queryKey: controlsKey })
    },
  })
  return {
    value: begun?.value ?? kept,
    changed: draft !== undefined && !isSame(draft.value, kept),
    saving: change.isPending,
    error: change.error,
    set: (value) => setDraft({ value, seen: begun?.seen ?? version }),
    hold: () => setHeld({ value: kept, seen: version }),
    release: () => setHeld(undefined),
    save: () => draft && !change.isPending && change.mutate(draft),
    drop: () => {
      setDraft(undefined)
      change.reset()
    },
  }
}
