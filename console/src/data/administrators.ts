import type { Administrator } from '@muster/contract/console/console-fields'
import { assigneeMe, assigneeNobody } from '@muster/contract/console/work/work-fields'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from './call.ts'

/** Loads the administrators and the open invitations. */
export const useAdministrators = () =>
  useQuery({ queryKey: ['administrators'], queryFn: () => callConsole('listAdministrators') })

/** Returns the name of an administrator, or the e-mail address if there is no name. */
export const administratorName = ({ name, email }: Pick<Administrator, 'name' | 'email'>): string =>
  name === '' ? email : name

/** Returns the values of the filter by assignee, with their texts. */
export function useAssigneeChoices(): readonly (readonly [value: string, text: string])[] {
  const { data } = useAdministrators()
  const people = (data?.administrators ?? []).map((one) => [one.id, administratorName(one)] as const)
  return [[assigneeMe, 'Me'], [assigneeNobody, 'Nobody'], ...people]
}
