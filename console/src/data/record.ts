import type { OperationId } from '@muster/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { getRecord } from './call.ts'

/** Under which name a record is kept. */
export const recordKey = (operationId: OperationId, id: string | null) => ['record', operationId, id]

/** The record that the address names. */
export function useRecord<Id extends Parameters<typeof getRecord>[0] & OperationId>(operationId: Id) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return useQuery({
    queryKey: recordKey(operationId, id),
    queryFn: ({ signal }) => getRecord(operationId, id, signal),
  })
}

/** An account by id, for its name beside what is about it; undefined while it is not known. */
export function useAccount(id: string | null) {
  return useQuery({
    queryKey: recordKey('getAccount', id),
    queryFn: ({ signal }) => getRecord('getAccount', id ?? '', signal),
    enabled: id !== null,
    staleTime: 60_000,
  })
}

/** Reads anew whatever a change may have changed. */
export function useReload(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}
