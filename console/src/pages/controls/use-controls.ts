import type { Controls } from '@muster/contract/records/controls'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { ConsoleError } from '../../data/console-send.ts'
import { showToast } from '../../ui/dialog/toasts.tsx'

const controlsKey = ['controls']

/** Loads the controls of the organization with their version. */
export function useControls() {
  return useQuery({ queryKey: controlsKey, queryFn: () => callConsole('readControls') })
}

/** Loads the products, groups and labels that rules can refer to. */
export function useChoices() {
  return useQuery({
    queryKey: ['control-choices'],
    queryFn: () => callConsole('readControlChoices'),
    staleTime: 5 * 60_000,
  })
}

/** State of unsaved changes on a page. */
export interface DraftState {
  readonly changed: boolean
  readonly saving: boolean
  readonly error: unknown
  save(): void
  drop(): void
}

/** Locks a draft while a dialog edits part of it, so a reload of the controls does not change it. */
export interface DraftLock {
  hold(): void
  release(): void
}

/**
 * Index of the list element that a dialog edits; the length of the list for a new one. The draft is locked while the
 * dialog is open.
 */
export function useEdited(draft: DraftLock) {
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
 * Editable copy of some of the controls. `seen` is the version on which the edits are based: the server refuses the change
 * if somebody else has changed the controls since. Edits in a dialog are based on the version at which it was opened.
 *
 * @param kept values on the server
 * @param changeOf returns the change to send
 */
export function useDraft<T>(
  kept: T,
  changeOf: (value: T) => Partial<Controls>,
): DraftState & DraftLock & { readonly value: T; set(value: T): void } {
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
      showToast('Saved. Browsers apply the change at their next check-in.')
      // Keep edits made during the save, based on the saved version.
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
