import type { OperationId } from '@muster/contract/api/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { getRecord } from './call.ts'

/** Returns the query key of a record. */
export const recordKey = (operationId: OperationId, id: string | null) => ['record', operationId, id]

/** Loads the record whose ID is in the URL. */
export function useRecord<Id extends Parameters<typeof getRecord>[0] & OperationId>(operationId: Id) {
  const { id = '' } = useParams({ strict: false })
  return useQuery({
    queryKey: recordKey(operationId, id),
    queryFn: ({ signal }) => getRecord(operationId, id, signal),
  })
}

/** Loads an account by ID. */
export function useAccount(id: string | null) {
  return useQuery({
    queryKey: recordKey('getAccount', id),
    queryFn: ({ signal }) => getRecord('getAccount', id ?? '', signal),
    enabled: id !== null,
    staleTime: 60_000,
  })
}

/** Returns a function that reloads all data except the session. */
export function useReload(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}
