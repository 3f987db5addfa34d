import type { IncidentChange } from '@muster/contract/console/incidents/console-incidents'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { counted } from '../../ui/text/counted.ts'

/** Loads an incident with its timeline, by its ID or that of one of its detections. */
export const useIncidentOf = (id: string) =>
  useQuery({
    queryKey: ['incident', id],
    queryFn: () => callConsole('readIncident', { id }),
    // Detections are grouped about a second after they arrive.
    retry: false,
  })

/** Loads the incident whose ID is in the URL. */
export function useIncident() {
  const { id = '' } = useParams({ strict: false })
  return useIncidentOf(id)
}

/** Changes all detections of an incident: each request changes the next ones in one transaction. */
async function changeAll(id: string, change: IncidentChange): Promise<number> {
  let changed = 0
  let cursor: string | undefined
  do {
    const answer = await callConsole('changeIncident', {
      id,
      body: { ...change, ...(cursor !== undefined && { cursor }) },
    })
    changed += answer.changed
    cursor = answer.cursor ?? undefined
  } while (cursor !== undefined)
  return changed
}

interface IncidentSubmission {
  readonly change: IncidentChange
  /** Returns the toast text. */
  readonly done: (detections: string) => string
}

/** Time after which the figures of an incident follow its detections. */
const groupedAfterMs = 1500

/** Returns the mutation that changes all detections of an incident. */
export function useChangeIncident(id: string, onDone: () => void) {
  const reload = useReload()
  return useMutation({
    mutationFn: ({ change }: IncidentSubmission) => changeAll(id, change),
    onSuccess: (changed, { done }) => {
      showToast(done(counted(changed, 'detection')))
      onDone()
    },
    // Also after a failure: earlier requests may have changed some detections.
    onSettled: async () => {
      await reload()
      setTimeout(() => void reload(), groupedAfterMs)
    },
  })
}
